"""Theorem 1: the first layer writes the absolute position.

Kazemnejad et al. (2023), section 3 and appendix C.1. A head that finds all keys equal spreads its
attention evenly, so that 1/t of the mark of `<bos>` arrives at position t = 1, 2, ...; the
feed-forward part turns 1/t into t. The paper leaves that part to universal approximation; the
weights here are explicit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from positions.analysis.rows import Array
from positions.analysis.theory.decoder import (
    EXTRA,
    FIRST,
    ONE,
    POSITION,
    half,
    layers,
    mirror,
    projections,
    reserve,
)
from positions.analysis.theory.hinges import Facing, hinges
from positions.checks import check_choice, check_whole
from positions.errors import InvalidValueError
from positions.model import LanguageModel, Trace

Queries = Literal["content", "all", "zero"]
QUERIES: tuple[Queries, ...] = ("content", "all", "zero")
"""What the counting head's random queries read: all but the constant of a norm, all, or nothing."""


@dataclass(frozen=True)
class Reading:
    """What the counting layer leaves behind, each (texts, length), in float64.

    `share`: how much attention the counting head gives to the first token. `position`: the
    coordinate kept for the position.
    """

    share: Array
    position: Array


@torch.no_grad()
def write_positions(
    model: LanguageModel,
    longest: int,
    *,
    facing: Facing = "rising",
    queries: Queries = "content",
    extra: ArrayLike | None = None,
    large: float = 1e4,
) -> None:
    """Put weights into a decoder, so that its first layer writes positions 1 to `longest`.

    `facing`: which way the ReLUs open, see `hinges`. `queries`: one of `QUERIES`. `extra`
    (functions, longest): further functions of the position to write, into the coordinates behind
    it. `large`: the constant under a norm, see `reserve`. All weights that none of this needs
    stay as they are. Raises `InvalidValueError` where the decoder is too narrow or of another
    kind, `UnknownNameError` for an unknown choice.
    """
    functions = positions_and(extra, longest)
    check_fits(model, longest)
    reserve(model, len(functions) - 1, large)
    write_count(model, 0, functions, facing, queries)


@torch.no_grad()
def write_count(
    model: LanguageModel,
    layer: int,
    functions: Array,
    facing: Facing = "rising",
    queries: Queries = "content",
) -> None:
    """Let a layer turn the mark in coordinate `FIRST` into `functions` (functions, longest) of t.

    The first of them goes to coordinate `POSITION`, which must hold 0 until then, the others to
    those behind it.
    """
    attend_evenly(model, layer, queries)
    _, _, v = projections(model, layer)
    v[0, 0] = 0
    v[0, 0, FIRST] = 1
    layers(model)[layer].attention.out.weight[POSITION, 0] = 1
    units = hinges(functions, facing)
    width = len(units.slope)
    part = layers(model)[layer].feedforward
    dtype = part.into.weight.dtype
    part.into.weight[:width] = 0
    part.into.weight[:width, POSITION] = torch.as_tensor(units.slope, dtype=dtype)
    part.into.weight[:width, ONE] = torch.as_tensor(units.offset, dtype=dtype)
    kept = slice(POSITION, EXTRA + len(functions) - 1)
    part.out.weight[kept, :width] = torch.as_tensor(units.out, dtype=dtype)
    part.out.weight[POSITION, 1] -= 1  # the 1/t that is there already
    mirror(model)


@torch.no_grad()
def attend_evenly(model: LanguageModel, layer: int, queries: Queries = "content") -> None:
    """Make head 0 of a layer find all keys equal, so that it spreads its attention evenly."""
    check_choice("queries", queries, QUERIES)
    q, k, _ = projections(model, layer)
    if queries == "zero":
        q[0] = 0
    elif queries == "all" and model.config.norm != "none":
        q[0, :, half(model) - 1] = q[0].std(dim=1)  # as large as what they read of the content
    k[0] = 0
    k[0, :, ONE] = 1


@torch.no_grad()
def read(model: LanguageModel, tokens: Tensor, layer: int = 0) -> Reading:
    """Run a decoder on tokens (texts, length) and return what the counting layer leaves behind."""
    trace = Trace()
    model.transformer(tokens, trace=trace)
    return Reading(
        share=trace.attention[layer][:, 0, :, 0].double().numpy(),
        position=trace.states[layer + 1][..., POSITION].double().numpy(),
    )


def errors(model: LanguageModel, tokens: Tensor, layer: int = 0) -> Array:
    """Return how far what is read lies from the position, the worst of all texts, (length,)."""
    found = read(model, tokens, layer).position
    return np.asarray(np.abs(found - np.arange(1, found.shape[1] + 1)).max(axis=0))


def positions_and(extra: ArrayLike | None, longest: int) -> Array:
    """Return the position and what else is to be written, (functions, longest)."""
    check_whole("longest", longest, minimum=1)
    position = np.arange(1.0, longest + 1)[None]
    if extra is None:
        return position
    more = np.asarray(extra, dtype=np.float64)
    if more.ndim != 2 or more.shape[1] != longest:
        raise InvalidValueError(
            f"The extra functions have shape {more.shape}; they must be (functions, {longest}), "
            "a column for each position."
        )
    return np.vstack([position, more])


def check_fits(model: LanguageModel, longest: int) -> None:
    """Raise unless a decoder can hold the construction."""
    config = model.config
    if not config.causal or config.activation != "relu" or config.norm_place != "pre":
        raise InvalidValueError(
            "The construction needs a causal decoder with ReLU and its norms before each part; "
            "theory.decoder(longest) makes one."
        )
    if config.attention_bias or config.feedforward_bias:
        raise InvalidValueError(
            "The construction needs a decoder without biases: attention_bias=False and "
            "feedforward_bias=False in its config."
        )
    if longest + 1 > config.hidden:
        raise InvalidValueError(
            f"longest is {longest}, and the feed-forward part is {config.hidden} wide: that many "
            f"units write positions up to {config.hidden - 1}. Take a smaller `longest`, or build "
            f"the decoder with {longest + 1} hidden units or more."
        )
