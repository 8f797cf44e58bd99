"""Labelled sentences: the seven sets of Wang & Chen (2020), section 5.1, and a generated one."""

from positions.tasks.sentences.corpus import Corpus, Text
from positions.tasks.sentences.sets import GENERATED, SETS, at_hand, get, load, missing, names
from positions.tasks.sentences.splits import Split, split
from positions.tasks.sentences.words import Vocabulary, words

__all__ = [
    "GENERATED",
    "SETS",
    "Corpus",
    "Split",
    "Text",
    "Vocabulary",
    "at_hand",
    "get",
    "load",
    "missing",
    "names",
    "split",
    "words",
]
