"""Many sequences of different lengths, kept flat and padded only as batches need them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from positions.errors import InvalidValueError

Side = Literal["left", "right"]


class Sequences:
    """Sequences of token ids in one flat tensor, checked once against the vocabulary.

    `vocabulary`: the number of ids there are. Raises `InvalidValueError` for an empty sequence,
    for what is no whole number and for an id outside the vocabulary, and says in which sequence.
    """

    def __init__(self, rows: Iterable[Sequence[int]], vocabulary: int) -> None:
        kept = list(rows)
        counts = np.fromiter((len(row) for row in kept), np.int64, len(kept))
        if not len(kept) or not counts.all():
            where = f"sequence {int(counts.argmin())}" if len(kept) else "the list of sequences"
            raise InvalidValueError(f"There is nothing in {where}; each must hold a token or more.")
        flat = np.array(list(itertools.chain.from_iterable(kept)))
        self.lengths = torch.from_numpy(counts)
        self.starts = self.lengths.cumsum(0) - self.lengths
        if flat.dtype.kind not in "iu":
            raise InvalidValueError(
                f"The sequences hold {flat.dtype}, not whole numbers. Encode the text first."
            )
        bad = np.flatnonzero((flat < 0) | (flat >= vocabulary))
        if len(bad):
            row = int(torch.searchsorted(self.starts, int(bad[0]), right=True)) - 1
            raise InvalidValueError(
                f"Sequence {row} holds the token id {flat[bad[0]]}, and the vocabulary has the ids "
                f"0 to {vocabulary - 1}. Were the ids made by another tokenizer?"
            )
        self.flat = torch.from_numpy(flat.astype(np.int32))

    def __len__(self) -> int:
        return len(self.lengths)

    def padded(self, rows: Tensor, side: Side = "right", fill: int = 0) -> tuple[Tensor, Tensor]:
        """Return the sequences of those numbers, padded to the longest of them.

        `rows` (batch,) int64; returns the ids, int64, and the mask, bool, True where a token is
        real; both (batch, length).
        """
        lengths = self.lengths[rows, None]
        place = torch.arange(int(lengths.max()))
        if side == "left":
            place = place - (len(place) - lengths)
        mask = (place >= 0) & (place < lengths)
        index = (self.starts[rows, None] + place).clamp(0, len(self.flat) - 1)
        return self.flat[index].long().masked_fill(~mask, fill), mask
