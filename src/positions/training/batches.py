"""What one step learns from: a few tensors that travel and are cut together."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Protocol, Self

import torch
from torch import Tensor

from positions.model import IGNORE


class Trainable(Protocol):
    """What `fit` asks of a batch, whatever it holds.

    The size is for the throughput; the weight, for the parts of a batch whose mean loss is sought.
    """

    @property
    def size(self) -> int:
        """Return the number of real tokens."""

    @property
    def weight(self) -> int:
        """Return the number of things that the loss is a mean over."""

    def parts(self, count: int) -> list[Self]:
        """Cut the batch into at most `count` parts."""

    def to(self, device: torch.device) -> Self:
        """Return the same batch on a device."""


@dataclass(frozen=True)
class _Tensors:
    """Tensors that share their first axis, that of the sequences."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def to(self, device: torch.device) -> Self:
        """Return the same batch on a device."""
        there = {
            item.name: getattr(self, item.name).to(device, non_blocking=True)
            for item in fields(self)
        }
        return replace(self, **there)

    def parts(self, count: int) -> list[Self]:
        """Cut the batch into at most `count` parts of about the same number of sequences."""
        pieces = [getattr(self, item.name).tensor_split(count) for item in fields(self)]
        return [type(self)(*piece) for piece in zip(*pieces, strict=True) if len(piece[0])]


@dataclass(frozen=True)
class TokenBatch(_Tensors):
    """Sequences and, for each place, the token to be predicted there; all (batch, length).

    `tokens`, int64; `mask`, bool, True on real tokens; `labels`, int64, `IGNORE` where nothing is
    asked for. For a decoder the label of a place is the token after it; for a masked language
    model, the token that stood there.
    """

    tokens: Tensor
    mask: Tensor
    labels: Tensor

    @property
    def size(self) -> int:
        """Return the number of real tokens."""
        return int(self.mask.sum())

    @property
    def weight(self) -> int:
        """Return the number of tokens that the loss is a mean over."""
        return int((self.labels != IGNORE).sum())

    @property
    def target(self) -> Tensor:
        """Return which tokens a decoder has to write, bool (batch, length): see `exact_match`."""
        asked = torch.zeros_like(self.mask)
        asked[:, 1:] = self.labels[:, :-1] != IGNORE
        return asked


@dataclass(frozen=True)
class PairBatch(_Tensors):
    """Translations: sources, what the decoder is given, and what it must predict there.

    `source` and `source_mask` (batch, source length), `target`, `target_mask` and `labels`
    (batch, target length); the label of a place is the token after it, `IGNORE` for none.
    """

    source: Tensor
    source_mask: Tensor
    target: Tensor
    target_mask: Tensor
    labels: Tensor

    @property
    def size(self) -> int:
        """Return the number of real tokens on both sides."""
        return int(self.source_mask.sum() + self.target_mask.sum())

    @property
    def weight(self) -> int:
        """Return the number of tokens that the loss is a mean over."""
        return int((self.labels != IGNORE).sum())


@dataclass(frozen=True)
class LabelledBatch(_Tensors):
    """Sequences `tokens`, `mask` (batch, length) with one label each, `labels` (batch,) int64."""

    tokens: Tensor
    mask: Tensor
    labels: Tensor

    @property
    def size(self) -> int:
        """Return the number of real tokens."""
        return int(self.mask.sum())

    @property
    def weight(self) -> int:
        """Return the number of labels."""
        return len(self.labels)
