"""Any function of the position as one hidden layer of ReLUs that reads u = 1/t."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array
from positions.checks import check_choice
from positions.errors import InvalidValueError

Facing = Literal["rising", "falling"]
FACINGS: tuple[Facing, ...] = ("rising", "falling")


@dataclass(frozen=True)
class Hinges:
    """Hidden units relu(slope · u + offset), each (units,), and what they add up to.

    `out` (functions, units): row f times the units is function f of the position. The first two
    units are the constant 1 and u itself.
    """

    slope: Array
    offset: Array
    out: Array

    def evaluate(self, u: ArrayLike) -> Array:
        """Return the functions at u (points,), as (functions, points), in float64."""
        points = np.asarray(u, dtype=np.float64)
        units = np.maximum(np.outer(self.slope, points) + self.offset[:, None], 0)
        return np.asarray(self.out @ units)


def hinges(values: ArrayLike, facing: Facing = "rising") -> Hinges:
    """Return N + 1 units that make `values` (functions, N) of u = 1, 1/2, ..., 1/N.

    Between these points the functions are straight. Rising hinges relu(u - 1/k), for k from 2 to
    N, start from the value at N: beyond N, where u is smaller, that value stays. Falling hinges
    relu(1/k - u), for k from 1 to N - 1, start from the value at 1, and beyond N the last piece
    goes on. Raises `InvalidValueError` unless `values` are finite and (functions, N), N at least
    1, and `UnknownNameError` for another way to face.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape or not np.isfinite(table).all():
        raise InvalidValueError(
            f"The values have shape {table.shape}; they must be finite numbers, one row a function "
            "and one column a position, at least one of each."
        )
    rising = check_choice("facing", facing, FACINGS) == "rising"
    functions, longest = table.shape
    k = np.arange(1, longest)
    # of the piece between 1/(k + 1) and 1/k
    slopes = -(table[:, 1:] - table[:, :-1]) * (k * (k + 1.0))
    if rising:
        bends = slopes - np.hstack([slopes[:, 1:], np.zeros((functions, min(longest - 1, 1)))])
        start, knots, sign = table[:, -1:], 1 / (k + 1.0), 1.0
    else:
        bends = np.hstack([np.zeros((functions, min(longest - 1, 1))), slopes[:, :-1]]) - slopes
        start, knots, sign = table[:, :1], 1.0 / k, -1.0
    return Hinges(
        slope=np.concatenate([[0.0, 1.0], np.full(longest - 1, sign)]),
        offset=np.concatenate([[1.0, 0.0], -sign * knots]),
        out=np.hstack([start, np.zeros((functions, 1)), bends]),
    )
