"""How alike are neighbours? The cosine of rows a few positions apart, along the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.geometry.cosine import unit_rows
from positions.analysis.rows import Array, Indices
from positions.errors import InvalidValueError

REACH = 32
BAND = 128


@dataclass(frozen=True)
class Nearby:
    """Cosines of t_i and t_{i+k}: `offsets` (k,) = 1 .. reach, their `mean` and `deviation` (k,).

    The rows `first` to `last` were compared with each other, both ends included.
    """

    first: int
    last: int
    offsets: Indices
    mean: Array
    deviation: Array


def nearby(table: ArrayLike, reach: int = REACH, centre: bool = False) -> Nearby:
    """Compare the rows of a whole table (positions, width) with those up to `reach` after them.

    Raises `InvalidValueError` where the table does not hold more than `reach` rows, and for rows
    without a direction as `cosine_map` does.
    """
    unit = unit_rows(table, centre)
    return _compare(unit, 0, len(unit), reach)


def nearby_by_band(
    table: ArrayLike, reach: int = REACH, band: int = BAND, centre: bool = False
) -> list[Nearby]:
    """Compare rows within bands of indices: 0-127, 128-255, and so on.

    Both rows of a pair lie in the band, so that no band answers for the next one's rows. A last
    band of `reach` rows or fewer is left out. With `centre` the whole table's mean row is
    subtracted. Raises as `nearby` does.
    """
    unit = unit_rows(table, centre)
    if band <= reach:
        raise InvalidValueError(f"A band of {band} rows must be longer than the reach, {reach}.")
    starts = range(0, max(1, len(unit) - reach), band)
    return [_compare(unit, start, min(start + band, len(unit)), reach) for start in starts]


def _compare(unit: Array, start: int, end: int, reach: int) -> Nearby:
    """Compare the rows start .. end-1 of a table of unit rows with each other."""
    rows = unit[start:end]
    if not 1 <= reach < len(rows):
        raise InvalidValueError(
            f"{len(rows)} rows allow a reach of 1 to {len(rows) - 1} positions, not {reach}."
        )
    offsets = np.arange(1, reach + 1)
    cosines = [(rows[:-k] * rows[k:]).sum(axis=1) for k in offsets]
    return Nearby(
        first=start,
        last=end - 1,
        offsets=offsets,
        mean=np.array([values.mean() for values in cosines]),
        deviation=np.array([values.std() for values in cosines]),
    )
