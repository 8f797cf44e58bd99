"""Checks of what a task is given, each with one message that says what is valid."""

from __future__ import annotations

from numbers import Integral

from positions.errors import InvalidValueError


def check_whole(name: str, value: object, minimum: int, maximum: int | None = None) -> int:
    """Return `value` as an int, or raise `InvalidValueError`."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= minimum and (maximum is None or number <= maximum):
            return number
    valid = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    raise InvalidValueError(f"{name} is {value!r}; it must be a whole number {valid}.")


def check_flag(name: str, value: object) -> bool:
    """Return `value` if it is a bool, or raise `InvalidValueError`."""
    if not isinstance(value, bool):
        raise InvalidValueError(f"{name} is {value!r}; it must be True or False.")
    return value
