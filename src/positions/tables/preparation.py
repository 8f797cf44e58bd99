"""Fit a position table to a host of another width: Wang & Chen (2020), section 5, as in their code.

They reduce the columns by principal components, keep the first rows, and bring what is left to one
mean and one standard deviation. All functions compute in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from positions.errors import InvalidValueError
from positions.tables.controls import orthonormal

Matrix = NDArray[np.float64]

FLAT = 1e-6
"""A column whose standard deviation is this share of the largest, or less, doesn't vary."""


def principal(rows: NDArray[Any], width: int, name: str = "The table") -> Matrix:
    """Return the scores of the rows on their first `width` principal components, (rows, width).

    Of the rows minus their mean, in the order of the variance that they hold. The sign of a
    component is that which makes its largest loading positive. Raises `InvalidValueError`, which
    calls the table `name`, where it has fewer rows or columns than components are asked for.
    """
    table = np.asarray(rows, dtype=np.float64)
    most = min(table.shape)
    if not 1 <= width <= most:
        raise InvalidValueError(
            f"{name} has {table.shape[0]} rows and {table.shape[1]} columns, so that its principal "
            f"components are 1 to {most}: width = {width} can't be had. Choose a width of at most "
            f"{most}, or another table."
        )
    centred = table - table.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    directions = directions[:width]
    largest = np.abs(directions).argmax(axis=1)
    directions = directions * np.sign(directions[np.arange(width), largest])[:, None]
    scores: Matrix = centred @ directions.T
    return scores


def first_rows(rows: NDArray[Any], count: int, name: str = "The table") -> Matrix:
    """Return the first `count` rows; raises `InvalidValueError` where there are fewer."""
    table = np.asarray(rows, dtype=np.float64)
    if count > len(table):
        raise InvalidValueError(
            f"{name} has {len(table)} rows, and {count} are asked for. Ask for fewer, or take a "
            "longer table."
        )
    return table[:count]


def first_columns(rows: NDArray[Any], count: int, name: str = "The table") -> Matrix:
    """Return the first `count` columns; raises `InvalidValueError` where there are fewer."""
    table = np.asarray(rows, dtype=np.float64)
    if count > table.shape[1]:
        raise InvalidValueError(
            f"{name} has {table.shape[1]} columns, and a width of {count} is asked for. Choose a "
            f"width of at most {table.shape[1]}, or another table."
        )
    return table[:, :count]


def standardised(rows: NDArray[Any], std: float = 1.0) -> Matrix:
    """Return the rows with mean 0 and standard deviation `std` over all of their entries.

    Raises `InvalidValueError` for a table whose entries are all equal.
    """
    table = np.asarray(rows, dtype=np.float64)
    spread = table.std()
    if spread == 0:
        raise InvalidValueError("A table whose entries are all equal can't be brought to a scale.")
    scaled: Matrix = (table - table.mean()) / spread * std
    return scaled


def whitened(rows: NDArray[Any]) -> Matrix:
    """Return the rows with mean 0 and standard deviation 1 in each column.

    A column that doesn't vary (see `FLAT`) becomes 0: what it holds is rounding.
    """
    table = np.asarray(rows, dtype=np.float64)
    spread = table.std(axis=0)
    flat = spread <= FLAT * spread.max()
    scaled: Matrix = np.where(flat, 0.0, (table - table.mean(axis=0)) / np.where(flat, 1.0, spread))
    return scaled


def turned(rows: NDArray[Any], seed: int) -> Matrix:
    """Return the rows times a random orthogonal matrix: distances stay, columns become alike."""
    table = np.asarray(rows, dtype=np.float64)
    chance = np.random.default_rng([seed, *b"turned"])
    product: Matrix = table @ orthonormal(chance, table.shape[1], table.shape[1])
    return product
