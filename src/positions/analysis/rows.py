"""The one form in which analyses take a table: finite float64 rows."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from positions.errors import InvalidValueError

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]


def as_rows(table: ArrayLike, least: int = 2) -> Array:
    """Return a table as float64 rows (positions, width), checked.

    Raises `InvalidValueError` where it is not a finite 2-D table of numbers with at least
    `least` rows and one column.
    """
    try:
        rows = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"A table must be a 2-D array of numbers: {error}.") from None
    if rows.ndim != 2:
        raise InvalidValueError(
            f"A table must have two axes (positions, width), not the shape {rows.shape}."
        )
    if rows.shape[0] < least or rows.shape[1] < 1:
        raise InvalidValueError(
            f"The table has the shape {rows.shape}: at least {least} rows and 1 column are needed."
        )
    if not np.isfinite(rows).all():
        bad = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise InvalidValueError(
            f"The table holds values that are not finite (first in row {bad}). Use finite rows."
        )
    return rows


def centred(rows: Array) -> Array:
    """Return the rows minus their mean row."""
    return np.asarray(rows - rows.mean(axis=0))
