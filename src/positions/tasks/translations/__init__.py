"""Parallel corpora: sentences with their translations."""

from positions.tasks.translations import generated, multi30k
from positions.tasks.translations.corpus import Pair, ParallelCorpus
from positions.tasks.translations.registry import load, missing, names

__all__ = ["Pair", "ParallelCorpus", "generated", "load", "missing", "multi30k", "names"]
