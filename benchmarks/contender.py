"""What every library is asked for, and the settings it may choose its best from."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.machine import gflops
from benchmarks.sizes import Size

PRECISIONS = ("float32", "bfloat16")
"""bfloat16 is autocast: weights in float32, most of the computing in bfloat16."""
WEIGHTS = "bfloat16 weights"
"""For generation, also everything in bfloat16."""


class Contender(nn.Module):
    """A decoder of some library: `model` holds its weights."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def logits(self, tokens: Tensor) -> Tensor:
        """Return logits (batch, length, vocabulary)."""
        out: Tensor = self.model(tokens)
        return out

    def loss(self, tokens: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross-entropy of every token's target."""
        logits = self.logits(tokens).flatten(0, 1).float()
        return functional.cross_entropy(logits, targets.flatten())

    def writers(self) -> dict[str, Callable[[Tensor, int], Tensor]]:
        """Return the ways to continue prompts greedily by so many tokens, with a cache."""
        raise NotImplementedError


@dataclass(frozen=True)
class Entry:
    """One library's model with one encoding.

    `attentions` are the ways it can compute attention; `build(size, dropout, attention)` makes it.
    """

    name: str
    encoding: str
    attentions: tuple[str, ...]
    build: Callable[[Size, float, str], Contender]


def precisions(large: bool) -> tuple[str, ...]:
    """Return the precisions to try; for a large model, that in which matrices multiply faster."""
    if not large:
        return PRECISIONS
    return (max(PRECISIONS, key=lambda name: gflops(getattr(torch, name))),)


def precision(name: str) -> contextlib.AbstractContextManager[Any]:
    """Return the context that a forward pass runs in."""
    if name == "bfloat16":
        return torch.autocast("cpu", dtype=torch.bfloat16)
    return contextlib.nullcontext()
