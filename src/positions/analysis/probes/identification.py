"""Identification: whether each position can be told from all others by looking rows up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.probes.absolute import fold_mean
from positions.analysis.probes.splits import rest, shuffled_folds
from positions.analysis.rows import Array, Indices, as_rows
from positions.errors import InvalidValueError

# Length of the noise over the mean length of the rows.
NOISE = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)


@dataclass(frozen=True)
class Separation:
    """How far apart the rows of a table lie.

    `nearest` (rows,): distance from each row to the nearest other one. `smallest`: the least of
    them; `relative`: that over the mean length of the rows. `collisions`: rows equal to another.
    """

    nearest: Array
    smallest: float
    relative: float
    collisions: int


def separation(table: ArrayLike) -> Separation:
    """Measure how far apart the rows (rows, width) of a table lie."""
    rows = as_rows(table)
    squares = _squared_distances(rows, rows)
    np.fill_diagonal(squares, np.inf)
    closest = squares.argmin(axis=1)
    # Differences are exact where the expanded squares above round.
    nearest = np.linalg.norm(rows - rows[closest], axis=1)
    size = float(np.linalg.norm(rows, axis=1).mean())
    smallest = float(nearest.min())
    groups = np.unique(rows, axis=0, return_counts=True)[1]
    collisions = int(groups[groups > 1].sum())
    return Separation(nearest, smallest, smallest / size if size > 0 else 0.0, collisions)


def nearest_row(table: ArrayLike, seed: int) -> float:
    """Return the mean error of taking the index of the nearest training row, on Table 1's folds."""
    rows = as_rows(table)
    folds = shuffled_folds(len(rows), seed)
    error = np.empty(len(rows))
    for fold in folds:
        train = rest(len(rows), fold)
        error[fold] = np.abs(train[_nearest(rows[fold], rows[train])] - fold)
    return fold_mean(error, folds)


def under_noise(
    table: ArrayLike, seed: int, noise: Sequence[float] = NOISE, trials: int = 4
) -> tuple[Array, Array]:
    """Return the share of rows found again under noise, and the mean distance from the right one.

    To every row Gaussian noise is added, `trials` times; the nearest row of the table is taken.
    `noise`: expected length of the noise, sigma * sqrt(width), over the mean length of the rows.
    Both results (noise,): a share between 0 and 1, and positions. Raises `InvalidValueError` for
    noise below zero.
    """
    rows = as_rows(table)
    if min(noise) < 0 or trials < 1:
        raise InvalidValueError("Noise is at least 0, and drawn at least once.")
    rng = np.random.default_rng([seed, 4])
    size = float(np.linalg.norm(rows, axis=1).mean())
    indices = np.arange(len(rows))
    errors = np.empty((len(noise), trials, len(rows)))
    for trial in range(trials):
        drawn = rng.standard_normal(rows.shape) * size / np.sqrt(rows.shape[1])
        for level, amount in enumerate(noise):
            errors[level, trial] = np.abs(_nearest(rows + amount * drawn, rows) - indices)
    return (errors == 0).mean(axis=(1, 2)), errors.mean(axis=(1, 2))


def _nearest(points: Array, rows: Array) -> Indices:
    """Return for each point the number of the nearest row; the first among equals."""
    return np.asarray(_squared_distances(points, rows).argmin(axis=1))


def _squared_distances(points: Array, rows: Array) -> Array:
    """Return squared distances (points, rows), up to rounding."""
    return np.asarray(
        np.square(points).sum(axis=1)[:, None] + np.square(rows).sum(axis=1) - 2 * points @ rows.T
    )
