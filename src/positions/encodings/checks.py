"""Checks of what an encoding is given, each with one message that says what is valid."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real

from torch import Tensor

from positions.errors import InvalidValueError, unknown_name


def check_whole(name: str, value: object, minimum: int) -> int:
    """Return `value` as an int, or raise `InvalidValueError`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise InvalidValueError(
            f"{name} is {value!r}; it must be a whole number of at least {minimum}."
        )
    return int(value)


def check_number(
    name: str, value: object, above: float = -math.inf, at_least: float = -math.inf
) -> float:
    """Return `value` as a finite float, or raise `InvalidValueError`."""
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    if not (math.isfinite(number) and number > above and number >= at_least):
        limits = [f" above {above:g}"] if above > -math.inf else []
        limits += [f" of at least {at_least:g}"] if at_least > -math.inf else []
        raise InvalidValueError(f"{name} is {value!r}; it must be a number{''.join(limits)}.")
    return number


def check_flag(name: str, value: object) -> bool:
    """Return `value` if it is a bool, or raise `InvalidValueError`."""
    if not isinstance(value, bool):
        raise InvalidValueError(f"{name} is {value!r}; it must be True or False.")
    return value


def check_choice(name: str, value: object, valid: Iterable[str]) -> str:
    """Return `value` if it is one of the names in `valid`, or raise `UnknownNameError`."""
    names = list(valid)
    if not isinstance(value, str) or value not in names:
        raise unknown_name(name, value, names)
    return value


def check_width(x: Tensor, width: int) -> None:
    """Raise `InvalidValueError` where x is not (batch, length, width)."""
    if x.dim() != 3 or x.shape[-1] != width:
        raise InvalidValueError(
            f"The embeddings have shape {tuple(x.shape)}; this encoding was built for "
            f"(batch, length, {width}). Build it with the model's width."
        )


def check_whole_ids(ids: Tensor) -> None:
    """Raise `InvalidValueError` where ids are not whole numbers, for encodings that look up."""
    if ids.is_floating_point() or ids.is_complex():
        raise InvalidValueError(
            f"The position ids are {ids.dtype}; this encoding looks them up in a table and needs "
            "whole numbers (torch.int64)."
        )
