"""Examples that can be asked for as batches: for a decoder, a classifier, a translator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

import torch
from torch import Tensor

from positions.errors import InvalidValueError
from positions.model import IGNORE
from positions.training.batches import LabelledBatch, PairBatch, TokenBatch
from positions.training.sequences import Sequences, Side

B_co = TypeVar("B_co", covariant=True)


class Dataset(Protocol, Generic[B_co]):
    """Numbered examples; `lengths` (examples,) int64, in tokens."""

    lengths: Tensor

    def __len__(self) -> int: ...
    def batch(self, rows: Tensor) -> B_co:
        """Return the examples of those numbers, (batch,) int64, as one batch."""


class CausalDataset:
    """Sequences for a decoder: every place predicts the token after it.

    `examples`: pairs (tokens, chosen); `chosen` marks, token for token, those that the loss asks
    for: the answer after a prompt, or all of a text. The first token has nothing before it and is
    never asked for. Raises `InvalidValueError` for ids outside the vocabulary and for an example
    that asks for nothing.
    """

    def __init__(
        self,
        examples: Iterable[tuple[Sequence[int], Sequence[bool]]],
        *,
        vocabulary: int,
        pad: int = 0,
        side: Side = "right",
    ) -> None:
        pairs = list(examples)
        for number, (tokens, chosen) in enumerate(pairs):
            if len(tokens) != len(chosen) or not any(chosen[1:]):
                raise InvalidValueError(
                    f"Example {number} has {len(tokens)} tokens and {len(chosen)} marks of which "
                    f"{sum(map(bool, chosen[1:]))} ask for a token after the first: there must be "
                    "one mark a token, and at least one that asks."
                )
        self.tokens = Sequences((tokens for tokens, _ in pairs), vocabulary)
        self.chosen = Sequences(([int(mark) for mark in chosen] for _, chosen in pairs), 2)
        self.lengths = self.tokens.lengths
        self.pad, self.side = pad, side

    def __len__(self) -> int:
        return len(self.tokens)

    def batch(self, rows: Tensor) -> TokenBatch:
        """Return the examples of those numbers as one padded batch."""
        tokens, mask = self.tokens.padded(rows, self.side, self.pad)
        chosen, _ = self.chosen.padded(rows, self.side)
        asked = chosen[:, 1:].bool() & mask[:, :-1]  # nothing stands before the first real token
        labels = torch.full_like(tokens, IGNORE)
        labels[:, :-1] = tokens[:, 1:].where(asked, IGNORE)
        return TokenBatch(tokens, mask, labels)


class LabelledDataset:
    """Sequences with one label each, for a classifier."""

    def __init__(
        self,
        sequences: Iterable[Sequence[int]],
        labels: Sequence[int],
        *,
        vocabulary: int,
        classes: int,
        pad: int = 0,
        side: Side = "right",
    ) -> None:
        self.tokens = Sequences(sequences, vocabulary)
        self.labels = torch.as_tensor(labels)
        self.lengths = self.tokens.lengths
        self.pad, self.side = pad, side
        if len(self.labels) != len(self.tokens):
            raise InvalidValueError(
                f"There are {len(self.tokens)} sequences and {len(self.labels)} labels."
            )
        bad = ((self.labels < 0) | (self.labels >= classes)).nonzero()
        if self.labels.is_floating_point() or len(bad):
            found = self.labels[bad[0, 0]].item() if len(bad) else self.labels.dtype
            raise InvalidValueError(
                f"Among the labels is {found}; they must be whole numbers from 0 to {classes - 1}."
            )
        self.labels = self.labels.long()

    def __len__(self) -> int:
        return len(self.tokens)

    def batch(self, rows: Tensor) -> LabelledBatch:
        """Return the examples of those numbers as one padded batch."""
        tokens, mask = self.tokens.padded(rows, self.side, self.pad)
        return LabelledBatch(tokens, mask, self.labels[rows])


class PairDataset:
    """Sources and targets, for a translator; a target begins with its start token.

    Every token of a target but the first is asked for. `lengths` is that of the longer side.
    """

    def __init__(
        self,
        sources: Iterable[Sequence[int]],
        targets: Iterable[Sequence[int]],
        *,
        source_vocabulary: int,
        target_vocabulary: int,
        pad: int = 0,
    ) -> None:
        self.sources = Sequences(sources, source_vocabulary)
        self.targets = Sequences(targets, target_vocabulary)
        self.pad = pad
        if len(self.sources) != len(self.targets):
            raise InvalidValueError(
                f"There are {len(self.sources)} sources and {len(self.targets)} targets."
            )
        if int(self.targets.lengths.min()) < 2:
            raise InvalidValueError(
                f"Target {int(self.targets.lengths.argmin())} holds its start token only."
            )
        self.lengths = torch.maximum(self.sources.lengths, self.targets.lengths)

    def __len__(self) -> int:
        return len(self.sources)

    def batch(self, rows: Tensor) -> PairBatch:
        """Return the examples of those numbers as one batch, padded on the right."""
        source, source_mask = self.sources.padded(rows, "right", self.pad)
        target, mask = self.targets.padded(rows, "right", self.pad)
        # the last token is only asked for, never given
        labels = target[:, 1:].masked_fill(~mask[:, 1:], IGNORE)
        return PairBatch(source, source_mask, target[:, :-1], mask[:, :-1], labels)
