"""PCFG SET: string-edit commands with their results, and the test of productivity."""

from positions.data.resources import Resource, Url

REVISION = "3bdced8c0fd9218932d0b78b56ffdc81f14ff666"
BASE = f"https://raw.githubusercontent.com/i-machine-think/am-i-compositional/{REVISION}"

FILES = {
    "pcfgset/dev.src": "67bd466f77b7acb9863ddbbbacb4784848bdfb9094c40e2f94955aff7cb75d0a",
    "pcfgset/dev.tgt": "95648e697cb86a8724d71d6e841f37eea27d15951091b134538906bfbf0d14d1",
    "pcfgset/test.src": "65af9357dc169a22629456be7cf43e97e275e076db10d72202d5389be7d8c0b2",
    "pcfgset/test.tgt": "7d23524995eb28a4726b3f1ffc11daec8f13692f7f804f4be20ca1a25c941517",
    "productivity/test.src": "ba03bc5c468e955d537c06ca02c900c431a16f37b8b3f02e5eaa8a93434a3f73",
    "productivity/test.tgt": "55704b1e887ffeffb104fc1ba4bc44dd6b0e95e34a355bd07d86881fd226a254",
}

RESOURCES = [
    Resource(
        path=f"pcfgset/{file}",
        description=f"PCFG SET, {file}",
        licence="MIT",
        sha256=sha256,
        source=Url(f"{BASE}/data/pcfgset/{file}"),
    )
    for file, sha256 in FILES.items()
]
