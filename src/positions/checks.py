"""Checks of single values, each with one message that says what is valid."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real

from positions.errors import InvalidValueError, unknown_name


def check_whole(name: str, value: object, minimum: int, maximum: int | None = None) -> int:
    """Return `value` as an int, or raise `InvalidValueError`."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= minimum and (maximum is None or number <= maximum):
            return number
    valid = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    raise InvalidValueError(f"{name} is {value!r}; it must be a whole number {valid}.")


def check_number(
    name: str,
    value: object,
    above: float = -math.inf,
    at_least: float = -math.inf,
    at_most: float = math.inf,
) -> float:
    """Return `value` as a finite float, or raise `InvalidValueError`."""
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    if not (math.isfinite(number) and above < number and at_least <= number <= at_most):
        limits = [f"above {above:g}"] if above > -math.inf else []
        limits += [f"of at least {at_least:g}"] if at_least > -math.inf else []
        limits += [f"at most {at_most:g}"] if at_most < math.inf else []
        finite = "finite " if isinstance(value, float) and not math.isfinite(value) else ""
        valid = f"a {finite}number {' and '.join(limits)}".strip()
        raise InvalidValueError(f"{name} is {value!r}; it must be {valid}.")
    return number


def check_text(name: str, value: object) -> str:
    """Return `value` if it is text, or raise `InvalidValueError`."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} is {value!r}; it must be text.")
    return value


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
