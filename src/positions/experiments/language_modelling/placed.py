"""A position table of which other rows than the first can be used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from positions.encodings.learned import Learned
from positions.model import LanguageModel


@dataclass(frozen=True)
class Rows:
    """Which rows of a table serve the tokens 0, 1, 2, ...: `first`, `first + stride`, ..."""

    first: int = 0
    stride: int = 1

    def last(self, length: int) -> int:
        """Return the row of the last of so many tokens."""
        return self.first + self.stride * (length - 1)


class Placed(Learned):
    """A learned table whose rows are taken from `first` on, each `stride`-th.

    Wang & Chen (2020), section 5.2, write such rows into a table of their own; here the table is
    whole and the ids skip, so that a trained model can be given other rows of the same table.
    """

    def __init__(
        self, width: int, heads: int, max_length: int, *, rows: Rows, table: Any, frozen: bool
    ) -> None:
        super().__init__(width, heads, max_length, table=table, frozen=frozen)
        self.rows = rows

    def positions(self, mask: Tensor) -> Tensor:
        """Return the row of each token, (batch, length)."""
        return self.rows.first + self.rows.stride * super().positions(mask)


def placed_in(model: LanguageModel) -> Placed:
    """Return the model's encoding."""
    (encoding,) = model.transformer.placement.distinct()
    assert isinstance(encoding, Placed)
    return encoding


@contextmanager
def using(model: LanguageModel, rows: Rows) -> Iterator[None]:
    """Give a model other rows of its table for a while."""
    encoding = placed_in(model)
    kept, encoding.rows = encoding.rows, rows
    try:
        yield
    finally:
        encoding.rows = kept
