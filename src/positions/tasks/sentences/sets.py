"""The sets of sentences by name: what each asks, which files hold it, and how to load it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from positions import data
from positions.errors import NotAtHandError, unknown_name
from positions.tasks.sentences import generated
from positions.tasks.sentences.corpus import Corpus, Text
from positions.tasks.sentences.reading import parse
from positions.tasks.sentences.words import words

GENERATED = generated.NAME


@dataclass(frozen=True)
class SentenceSet:
    """A published set: its title, what it asks, its classes by label, and its files.

    `dev` and `test` are None where the set comes in one piece.
    """

    title: str
    asks: str
    labels: tuple[str, ...]
    train: str
    dev: str | None = None
    test: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of its files in a data folder."""
        return tuple(f"sentences/{file}" for file in (self.train, self.dev, self.test) if file)


GOOD = ("bad", "good")
SETS: dict[str, SentenceSet] = {
    "mr": SentenceSet("MR", "does a critic like the film?", GOOD, "rt-polarity.all"),
    "sst1": SentenceSet(
        "SST-1",
        "how much does a critic like the film?",
        ("very bad", "bad", "neutral", "good", "very good"),
        "stsa.fine.train",
        "stsa.fine.dev",
        "stsa.fine.test",
    ),
    "sst2": SentenceSet(
        "SST-2",
        "the same, without the neutral ones: bad or good?",
        GOOD,
        "stsa.binary.train",
        "stsa.binary.dev",
        "stsa.binary.test",
    ),
    "subj": SentenceSet(
        "SUBJ", "a judgment, or what happens in the film?", ("judgment", "plot"), "subj.all"
    ),
    "trec": SentenceSet(
        "TREC",
        "what kind of answer does a question want?",
        ("description", "entity", "abbreviation", "person", "place", "number"),
        "TREC.train.all",
        test="TREC.test.all",
    ),
    "cr": SentenceSet("CR", "does a customer like the product?", GOOD, "custrev.all"),
    "mpqa": SentenceSet("MPQA", "is an opinion in the news bad or good?", GOOD, "mpqa.all"),
}
"""The seven of Wang & Chen (2020), section 5.1."""


def names() -> list[str]:
    """Return the names of all sets, the generated one last."""
    return [*SETS, GENERATED]


def get(name: str) -> SentenceSet:
    """Return a published set; raises `UnknownNameError`, listing all names."""
    _check(name)
    if name == GENERATED:
        raise unknown_name("published set of sentences", name, SETS)
    return SETS[name]


def at_hand(name: str) -> bool:
    """Whether the set needs no download; raises `UnknownNameError`."""
    _check(name)
    return name == GENERATED or all(data.find(data.resource(f)) for f in SETS[name].files)


@lru_cache
def missing(name: str) -> str | None:
    """Return why a set cannot be had, downloading it if need be; None where it is here.

    A download that failed is not tried again by the same process.
    """
    _check(name)
    try:
        for file in () if name == GENERATED else SETS[name].files:
            data.locate(data.resource(file))
    except NotAtHandError as error:
        return str(error)
    return None


@lru_cache
def load(name: str) -> Corpus:
    """Return the texts of a set.

    Texts without a word (CR has five, MPQA three) are left out and counted. Raises
    `UnknownNameError`, `NotAtHandError` where a file is nowhere and can't be had, and
    `DamagedFileError` where it isn't what it should be.
    """
    _check(name)
    if name == GENERATED:
        return generated.corpus()
    known = SETS[name]
    parts = {part: getattr(known, part) for part in ("train", "dev", "test")}
    read = {part: _texts(file, len(known.labels)) for part, file in parts.items() if file}
    kept = {part: tuple(text for text in found if text.words) for part, found in read.items()}
    return Corpus(
        name,
        classes=len(known.labels),
        left_out=sum(len(found) - len(kept[part]) for part, found in read.items()),
        digests={file: data.resource(file).sha256 or "" for file in known.files},
        **kept,
    )


def _texts(file: str, classes: int) -> list[Text]:
    resource = data.resource(f"sentences/{file}")
    found = parse(data.read(resource), resource.path, classes)
    return [Text(words(text), label) for label, text in found]


def _check(name: str) -> None:
    if name not in names():
        raise unknown_name("set of sentences", name, names())
