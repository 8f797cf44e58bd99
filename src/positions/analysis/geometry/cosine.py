"""Which positions are alike? Maps of the cosine between rows (Wang & Chen 2020, section 4).

The paper draws cosines of the raw rows. A vector that all rows share lifts every cosine, so the
same map of the centred rows (mean row subtracted) belongs beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array, as_rows, centred
from positions.errors import InvalidValueError

# A row that centring leaves with less than this share of the longest row is rounding error.
ROUNDING = 1e-12


def cosine_map(table: ArrayLike, centre: bool = False) -> Array:
    """Return the cosine of every pair of rows (positions, positions) of a table.

    With `centre` the mean row is subtracted first. Raises `InvalidValueError` for a row without
    a direction: all zero, or equal to the mean row where that is subtracted.
    """
    unit = unit_rows(table, centre)
    cosines = np.clip(unit @ unit.T, -1.0, 1.0)
    np.fill_diagonal(cosines, 1.0)
    return np.asarray(cosines)


def cosine_slices(table: ArrayLike, positions: Sequence[int], centre: bool = False) -> Array:
    """Return the cosines of given rows with all rows (given rows, positions): cuts of the map.

    Raises `InvalidValueError` for a position that the table does not have.
    """
    unit = unit_rows(table, centre)
    outside = [position for position in positions if not 0 <= position < len(unit)]
    if outside:
        raise InvalidValueError(
            f"The table has the rows 0 to {len(unit) - 1}; there is no row {outside[0]} to cut at."
        )
    return np.clip(unit[list(positions)] @ unit.T, -1.0, 1.0)


def thinned(square: ArrayLike, size: int) -> Array:
    """Return a square map as `size` x `size` means of blocks, small enough to draw.

    Where `size` does not divide the map, blocks differ by one row or column. Raises
    `InvalidValueError` where the map is not square or has fewer rows than `size`.
    """
    whole = as_rows(square, least=1)
    count = len(whole)
    if whole.shape[1] != count:
        raise InvalidValueError(f"Only a square map can be thinned, not the shape {whole.shape}.")
    if not 1 <= size <= count:
        raise InvalidValueError(
            f"A map of {count} rows can be thinned to 1 to {count} rows, not to {size}."
        )
    edges = np.arange(size + 1) * count // size
    heights = np.diff(edges)
    sums = np.add.reduceat(np.add.reduceat(whole, edges[:-1], axis=0), edges[:-1], axis=1)
    return np.asarray(sums / np.outer(heights, heights))


def unit_rows(table: ArrayLike, centre: bool = False) -> Array:
    """Return the rows scaled to length 1; raises as `cosine_map` does."""
    rows = as_rows(table)
    lengths = np.linalg.norm(rows, axis=1)
    floor = 0.0
    if centre:
        floor = ROUNDING * float(lengths.max())
        rows = centred(rows)
        lengths = np.linalg.norm(rows, axis=1)
    without = np.flatnonzero(lengths <= floor)
    if without.size:
        what = "equals the mean row" if centre else "is all zero"
        raise InvalidValueError(
            f"Row {without[0]} {what} ({without.size} of {len(rows)} rows do), so it has no "
            "cosine. Leave such rows out, or compare inner products."
        )
    return np.asarray(rows / lengths[:, None])
