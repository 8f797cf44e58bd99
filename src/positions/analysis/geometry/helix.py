"""Is a table a helix? Its rows in three principal components, as a curve along the index.

GPT-2's table is said to wind like a helix in its leading components: round in two of them, and
steadily forward in the third.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array, as_rows, centred
from positions.errors import InvalidValueError

PLANES = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Circle:
    """A circle fitted to a curve in the plane, and how the curve runs around it.

    `centre` (2,) and `radius` in units of the table. `roundness`: 1 - s.d. of the points'
    distance from the centre by its mean; 1 = on a circle. `angle` (positions,): the unwrapped
    angle around the centre in radians. `angle_r2`: how straight it grows with the index.
    `turns`: full turns over the table by the straight line through the angles, without sign.
    """

    centre: Array
    radius: float
    roundness: float
    angle: Array
    angle_r2: float
    turns: float


@dataclass(frozen=True)
class Helix:
    """A table in its first three principal components.

    `scores` (positions, 3); `explained` (3,): their shares of the variance. `plane`: the two
    components (from 0) in which the circle lies, and `circle` in them. `pitch_r2`: how straight
    the remaining component grows or falls with the index. `norms` (positions,): the length of
    each row before centring.
    """

    scores: Array
    explained: Array
    plane: tuple[int, int]
    circle: Circle
    pitch_r2: float
    norms: Array


def helix(table: ArrayLike, plane: tuple[int, int] | None = None) -> Helix:
    """Read a table (positions, width) as a curve in three principal components.

    `plane` names the two components of the circle; without it, the pair of the three whose
    points lie most nearly on a circle. Raises `InvalidValueError` for a table without three
    components that vary, and for another plane than (0, 1), (0, 2) or (1, 2).
    """
    rows = as_rows(table, least=4)
    if plane is not None and plane not in PLANES:
        raise InvalidValueError(f"The plane is one of (0, 1), (0, 2) and (1, 2), not {plane}.")
    left, values, _ = np.linalg.svd(centred(rows), full_matrices=False)
    noise = np.abs(rows).max() * max(rows.shape) * np.finfo(np.float64).eps
    if len(values) < 3 or values[2] <= noise:
        raise InvalidValueError(
            f"The table of the shape {rows.shape} does not vary in three directions, so it is no "
            "curve in space."
        )
    scores = left[:, :3] * values[:3]
    circles = {pair: fit_circle(scores[:, pair]) for pair in PLANES}
    chosen = plane or max(PLANES, key=lambda pair: circles[pair].roundness)
    (remaining,) = {0, 1, 2} - set(chosen)
    return Helix(
        scores=scores,
        explained=values[:3] ** 2 / (values**2).sum(),
        plane=chosen,
        circle=circles[chosen],
        pitch_r2=_line(scores[:, remaining])[1],
        norms=np.linalg.norm(rows, axis=1),
    )


def fit_circle(points: ArrayLike) -> Circle:
    """Fit a circle to points (positions, 2) in order along a curve.

    Least squares of x^2 + y^2 = 2 a x + 2 b y + c, which is linear in a, b and c and exact for
    points on a circle. Raises `InvalidValueError` where the points are not in a plane, are
    fewer than 4 or lie on a line.
    """
    xy = as_rows(points, least=4)
    if xy.shape[1] != 2:
        raise InvalidValueError(f"A circle needs points (positions, 2), not the shape {xy.shape}.")
    middle = xy.mean(axis=0)
    moved = xy - middle
    terms = np.column_stack([2 * moved, np.ones(len(xy))])
    solution, _, rank, _ = np.linalg.lstsq(terms, (moved**2).sum(axis=1), rcond=1e-10)
    if rank < 3:
        raise InvalidValueError("The points lie on a line: no circle fits them.")
    around = moved - solution[:2]
    distance = np.hypot(around[:, 0], around[:, 1])
    angle = np.unwrap(np.arctan2(around[:, 1], around[:, 0]))
    slope, angle_r2 = _line(angle)
    return Circle(
        centre=middle + solution[:2],
        radius=float(np.sqrt(solution[2] + (solution[:2] ** 2).sum())),
        roundness=float(1 - distance.std() / distance.mean()),
        angle=angle,
        angle_r2=angle_r2,
        turns=float(abs(slope) * (len(xy) - 1) / (2 * np.pi)),
    )


def _line(values: Array) -> tuple[float, float]:
    """Return slope and R^2 of the straight line through values against their index."""
    index = np.arange(len(values)) - (len(values) - 1) / 2
    off_mean = values - values.mean()
    slope = float(index @ off_mean / (index @ index))
    return slope, float(slope**2 * (index @ index) / (off_mean @ off_mean))
