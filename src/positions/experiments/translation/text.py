"""A parallel corpus in byte pairs, learned on each side by itself, and back into words."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from positions.errors import InvalidValueError
from positions.tasks.corpora import BytePairs
from positions.tasks.translations import Pair, ParallelCorpus
from positions.training import PairDataset

END = "</s>"
START_ID, END_ID = BytePairs.begin_id, BytePairs.begin_id + 1


@dataclass(frozen=True)
class Dictionaries:
    """The byte pairs of either side; nothing is shared."""

    source: BytePairs
    target: BytePairs

    def sources(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """Return the ids of each source, with an end."""
        return [[*self.source.encode(text), END_ID] for text, _ in pairs]

    def targets(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """Return the ids of each translation, between start and end."""
        return [[START_ID, *self.target.encode(text), END_ID] for _, text in pairs]

    def dataset(self, pairs: Sequence[Pair]) -> PairDataset:
        """Return the pairs as examples for a translator."""
        return PairDataset(
            self.sources(pairs),
            self.targets(pairs),
            source_vocabulary=len(self.source),
            target_vocabulary=len(self.target),
        )


@lru_cache(maxsize=2)
def dictionaries(corpus: ParallelCorpus, vocabulary: int) -> Dictionaries:
    """Learn `vocabulary` byte pairs from either side of the training part; as `BytePairs`."""
    sides = zip(*corpus.train, strict=True)
    return Dictionaries(*(BytePairs(texts, vocabulary, (END,)) for texts in sides))


def check_lengths(data: PairDataset, rows: int, part: str) -> None:
    """Raise `InvalidValueError` where a sentence has more tokens than a table has rows."""
    for side, sequences in (("source", data.sources), ("translation", data.targets)):
        longest = int(sequences.lengths.max())
        if longest > rows:
            raise InvalidValueError(
                f"{side.capitalize()} {int(sequences.lengths.argmax())} of the {part} part has "
                f"{longest} tokens with its marks, and the position tables have rows = {rows}. "
                f"Choose rows = {longest} or more, or a larger vocabulary, whose tokens are longer."
            )


def words_of(written: str) -> str:
    """Return a translation with one blank between words, as tokenised references have it."""
    return " ".join(written.split())


_SIGNS_TO_LEFT = re.compile(r" ([.,;:!?%)\]])")
_SIGNS_TO_RIGHT = re.compile(r"([(\[]) ")
_QUOTED = re.compile(r'" ([^"]*?) "')
_JOINED = re.compile(r" @-@ |(?<=\w) - (?=\w)")


def detokenised(tokens: str) -> str:
    """Return lower-cased tokens as a writer would set them: signs stand at their words.

    The reverse of the Moses tokenizer as far as German captions need it.
    """
    text = html.unescape(tokens)
    text = _JOINED.sub("-", text)
    text = _QUOTED.sub(r'"\1"', text)
    text = _SIGNS_TO_RIGHT.sub(r"\1", _SIGNS_TO_LEFT.sub(r"\1", text))
    return text.replace(" ' ", "'").strip()
