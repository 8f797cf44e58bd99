"""What a run found, in the form in which it is recorded."""

from __future__ import annotations

import math
from typing import Any

from positions.experiments.base import Outcome
from positions.training import Fitted

DIGITS = 6


def of_training(
    fitted: Fitted,
    metrics: dict[str, float | None],
    series: dict[str, list[Any]],
    data: dict[str, str],
) -> Outcome:
    """Return the outcome of a run that trained a model: how and where is read off the training."""
    return Outcome(
        metrics=metrics,
        series=series,
        data=data,
        status=fitted.status,
        device=fitted.device.device,
        dtype=fitted.precision,
        earlier_seconds=fitted.earlier_seconds,
    )


def short(value: float | None, digits: int = DIGITS) -> float | None:
    """Round to digits that count; whole numbers stay as they are, None is for what isn't finite."""
    if value is None or not math.isfinite(value):
        return None
    return value if value == int(value) else float(f"{value:.{digits}g}")
