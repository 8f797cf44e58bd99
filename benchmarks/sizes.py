"""How large the models are that are compared."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import torch
from torch import Tensor

from positions.errors import unknown_name


@dataclass(frozen=True)
class Size:
    """A model, a batch, and how long to look: a turn of training or generation, in seconds."""

    name: str
    layers: int
    width: int
    heads: int
    length: int
    batch: int
    vocabulary: int
    new: int
    """Tokens generated after a prompt of half the length."""
    rounds: int = 5
    seconds: float = 0.12
    dropout: tuple[float, ...] = (0.0, 0.1)
    large: bool = False
    """Whether a step takes seconds: settings are then tried on two layers, and fewer of them."""

    def facts(self) -> dict[str, Any]:
        """Return what it is, for the record."""
        return asdict(self)

    def for_trial(self) -> Size:
        """Return what settings are tried on."""
        return replace(self, layers=2 if self.large else self.layers, new=min(self.new, 8))

    def tokens(self) -> tuple[Tensor, Tensor]:
        """Return the same random tokens for everybody, (batch, length), and those they predict."""
        chance = torch.Generator().manual_seed(0)
        drawn = torch.randint(self.vocabulary, (self.batch, self.length + 1), generator=chance)
        return drawn[:, :-1].contiguous(), drawn[:, 1:].contiguous()

    def prompts(self) -> Tensor:
        """Return prompts (batch, length / 2)."""
        return self.tokens()[0][:, : self.length // 2].contiguous()


SIZES = {
    size.name: size
    for size in (
        Size("tiny", 1, 16, 2, 8, 2, 16, new=2, rounds=1, seconds=0.0, dropout=(0.0,)),
        Size("XS", 2, 64, 4, 32, 64, 64, new=16),
        Size("S", 4, 128, 4, 64, 64, 64, new=32),
        Size(
            "M",
            12,
            768,
            12,
            128,
            8,
            32_000,
            new=16,
            rounds=3,
            seconds=0.0,
            dropout=(0.0,),
            large=True,
        ),
    )
}


def size(name: str) -> Size:
    """Return a size by name; raises `UnknownNameError`."""
    if name not in SIZES:
        raise unknown_name("size", name, SIZES)
    return SIZES[name]
