"""What the pictures of the theorems share: sizes, colours, axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

import altair as alt
import numpy as np
from numpy.typing import NDArray

from positions.analysis.theory.decoder import Precision

WIDTH = 560
HEIGHT = 260
LINES = ("#0797ff", "#f85e13", "#919a06")
"""Colours that belong to no encoding and no table."""
PRECISIONS: tuple[Precision, ...] = ("float64", "float32", "bfloat16")
LEAST = 1e-16
"""What an error of 0 is drawn as, on a logarithmic axis."""
STEPS = 40
POWERS = alt.Axis(format=".0e", values=[10.0**power for power in range(-16, 5, 2)])


def colours(field: str, names: Iterable[str]) -> alt.Color:
    """Give each name a colour, in this order."""
    domain = list(names)
    scale = alt.Scale(domain=domain, range=list(LINES[: len(domain)]))
    return alt.Color(f"{field}:N").scale(scale).title(None)


def spaced(longest: int) -> NDArray[np.int64]:
    """Return positions from 1 to `longest`, evenly spaced on a logarithmic axis, some twice."""
    return np.array(
        [math.floor(longest ** (step / (STEPS - 1)) + 0.5) for step in range(STEPS)], dtype=np.int64
    )
