"""A corpus as tokens, and the pieces of it that a model learns from and is tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from positions.errors import InvalidValueError
from positions.model import IGNORE
from positions.tasks.corpora import BytePairs, Corpus
from positions.training import TokenBatch

Documents = tuple[NDArray[np.int32], ...]
"""One array of ids each."""


@dataclass(frozen=True)
class Tokens:
    """A corpus in tokens, without `<bos>`; `bytes_per_token` is that of the training part."""

    tokenizer: BytePairs
    train: Documents
    validation: Documents
    test: Documents
    bytes_per_token: float


@lru_cache(maxsize=2)
def tokenised(corpus: Corpus, vocabulary: int) -> Tokens:
    """Learn byte pairs from the training part and cut all parts by them; raises as `BytePairs`."""
    tokenizer = BytePairs(corpus.train, vocabulary, corpus.marks)
    train, validation, test = (
        tuple(np.array(tokenizer.encode(text), dtype=np.int32) for text in documents)
        for documents in (corpus.train, corpus.validation, corpus.test)
    )
    size = sum(len(text.encode()) for text in corpus.train)
    return Tokens(tokenizer, train, validation, test, size / sum(map(len, train)))


class Windows:
    """Windows of `length` tokens, each after `<bos>`; every place predicts the token after it.

    A document is cut from its beginning. Its last window ends where it ends, and so may overlap
    with the one before. Documents that are shorter than a window are left out. `most`: keep so
    many windows only, evenly spread. Raises `InvalidValueError` where no document has a window.
    """

    def __init__(
        self, documents: Sequence[NDArray[np.int32]], length: int, begin: int, most: int = 0
    ) -> None:
        cut = [_cut(each, length) for each in documents if len(each) >= length]
        if not cut:
            raise InvalidValueError(
                f"None of {len(documents)} documents has {length:,} tokens{_longest(documents)}. "
                "Lower context, or take a corpus with longer documents."
            )
        windows = np.concatenate(cut)
        if most:
            windows = windows[np.linspace(0, len(windows) - 1, min(most, len(windows))).astype(int)]
        start = np.full((len(windows), 1), begin, dtype=np.int32)
        self.tokens = torch.from_numpy(np.concatenate([start, windows], axis=1))
        self.lengths = torch.full((len(windows),), length + 1)

    def __len__(self) -> int:
        return len(self.tokens)

    def batch(self, rows: Tensor) -> TokenBatch:
        """Return the windows of those numbers as one batch, (batch, length + 1)."""
        tokens = self.tokens[rows].long()
        labels = tokens.roll(-1, dims=1)
        labels[:, -1] = IGNORE
        return TokenBatch(tokens, torch.ones_like(tokens, dtype=torch.bool), labels)


@dataclass(frozen=True)
class Stretches:
    """Test texts: `tokens` (stretches, length) int64, and `document` (stretches,) of each.

    `documents`: how many there are in all; some may be too short to be among them.
    """

    tokens: Tensor
    document: Tensor
    documents: int


def stretches(
    documents: Sequence[NDArray[np.int32]], length: int, at_most: int, corpus: str
) -> Stretches:
    """Cut stretches of `length` tokens off the end of each document, `at_most` of each.

    Raises `InvalidValueError` where no document is long enough.
    """
    rows, numbers = [], []
    for number, ids in enumerate(documents):
        for back in range(min(at_most, len(ids) // length)):
            end = len(ids) - back * length
            rows.append(ids[end - length : end])
            numbers.append(number)
    if not rows:
        raise InvalidValueError(
            f"None of the {len(documents)} test documents of {corpus} has {length:,} tokens"
            f"{_longest(documents)}. Lower the longest of contexts, or take a corpus with longer "
            "documents."
        )
    tokens = torch.from_numpy(np.stack(rows).astype(np.int64))
    return Stretches(tokens, torch.tensor(numbers), len(documents))


def _cut(ids: NDArray[np.int32], length: int) -> NDArray[np.int32]:
    """Return the windows of one document, (windows, length)."""
    starts = list(range(0, len(ids) - length + 1, length))
    if starts[-1] + length < len(ids):
        starts.append(len(ids) - length)
    return np.stack([ids[start : start + length] for start in starts])


def _longest(documents: Sequence[NDArray[np.int32]]) -> str:
    return f"; the longest has {max(map(len, documents)):,}" if documents else ""
