"""What the caller's evaluation may return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import nn

from positions.errors import InvalidValueError

Evaluate = Callable[[nn.Module, int], Mapping[str, float | None]]

OWN_SERIES = ("step", "learning_rate", "training_loss")


def checked_metrics(
    found: Mapping[str, float | None], series: Mapping[str, list[Any]]
) -> dict[str, float | None]:
    """Return what `evaluate` gave as plain numbers, or say what is wrong with it."""
    if not isinstance(found, Mapping) or "score" not in found:
        raise InvalidValueError(
            "evaluate must return a dict of numbers with one called 'score', the higher the "
            f"better; it returned {found!r}."
        )
    if taken := sorted(set(found) & set(OWN_SERIES)):
        raise InvalidValueError(f"evaluate may not use the name {taken[0]!r}: fit records it.")
    if series and set(found) != set(series) - set(OWN_SERIES):
        raise InvalidValueError(
            f"evaluate returned {sorted(found)}, and before {sorted(set(series) - set(OWN_SERIES))}"
            ". It must return the same names every time."
        )
    try:
        return {name: None if value is None else float(value) for name, value in found.items()}
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"evaluate must return numbers: {error}.") from error
