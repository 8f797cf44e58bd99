"""Texts for language models: documents for training, validation and test, and their tokens."""

from positions.tasks.corpora.byte_pairs import BytePairs
from positions.tasks.corpora.corpus import Corpus
from positions.tasks.corpora.registry import load, missing, names, register, title

__all__ = ["BytePairs", "Corpus", "load", "missing", "names", "register", "title"]
