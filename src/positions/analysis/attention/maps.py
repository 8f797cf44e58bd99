"""Attention maps: what they must be before anything is measured on them."""

from __future__ import annotations

import torch
from torch import Tensor

from positions.errors import InvalidValueError

TOLERANCE = 0.01
"""How far a row's sum may be from 1: what rounding to bfloat16 does, and no more."""


def checked(attention: Tensor, what: str = "attention map") -> Tensor:
    """Return maps (heads, queries, keys) in float64, each row of them summing to 1 exactly.

    Raises `InvalidValueError` for another shape, a negative or infinite entry, and rows that do
    not sum to 1.
    """
    if not isinstance(attention, Tensor) or not attention.is_floating_point():
        kind = getattr(attention, "dtype", type(attention).__name__)
        raise InvalidValueError(f"The {what} must be a tensor of probabilities, not {kind}.")
    if attention.dim() != 3 or attention.numel() == 0:
        raise InvalidValueError(
            f"The {what} has the shape {tuple(attention.shape)}; it must be (heads, queries, "
            "keys): one layer of one example, such as trace.attention[layer][example]."
        )
    found = attention.detach().to(torch.float64)
    sums = found.sum(-1)
    if not (bool(found.isfinite().all()) and bool((found >= 0).all())):
        raise InvalidValueError(
            f"The {what} holds negative or infinite numbers. Give probabilities, not logits."
        )
    if bool(((sums - 1).abs() > TOLERANCE).any()):
        worst = sums.flatten()[(sums - 1).abs().argmax()]
        raise InvalidValueError(
            f"The {what} has rows that do not sum to 1 (one sums to {float(worst):.3g}). Give "
            "probabilities after the softmax, with all keys of each query."
        )
    return found / sums[..., None]


def causal(attention: Tensor, what: str = "attention map") -> Tensor:
    """Return maps (heads, length, length) as `checked` does, in which no query looks ahead.

    Raises `InvalidValueError` as well for a map that is not square or has weight ahead.
    """
    found = checked(attention, what)
    queries, keys = found.shape[1:]
    if queries != keys:
        raise InvalidValueError(
            f"The {what} has {queries} queries and {keys} keys; distances need a map of a text to "
            "itself, with as many of both."
        )
    if bool(found.triu(1).any()):
        raise InvalidValueError(
            f"In the {what} queries attend to keys behind them. Give the map of a causal model."
        )
    return found


def pair(p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    """Return two maps as `checked` does; raises `InvalidValueError` where they don't fit together.

    The number of heads may differ, queries and keys may not.
    """
    first, second = checked(p, "first map"), checked(q, "second map")
    if first.shape[1:] != second.shape[1:]:
        raise InvalidValueError(
            f"The maps have {tuple(first.shape[1:])} and {tuple(second.shape[1:])} queries and "
            "keys. Compare two models on the same tokens."
        )
    return first, second
