"""Absolute position: which row is this? Wang & Chen 2020, section 4.1.1, Table 1.

One row of the table in, its index out, by least squares with intercept. Table 1 cuts a random
order of the rows into five folds, rounds the predictions, does not clip them to the table, and
takes the mean distance from the index over folds: `table_1`. The other functions change one
thing at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.probes.splits import blocks, rest, shuffled_folds, single_splits
from positions.analysis.rows import Array, Indices

PENALTIES = tuple(10.0**power for power in range(-8, 3))
COMPONENTS = (2, 4, 8, 16, 32, 64, 128, 256)

# (train rows, test rows, targets) -> predictions (models, test rows)
Predict: TypeAlias = Callable[[Indices, Indices, Array], Array]


@dataclass(frozen=True)
class IndexReading:
    """What the index probe makes of held-out rows.

    `predicted` (rows,): the unrounded prediction for each row while it was held out. `error`
    (rows,): |round(predicted) - index|. `mae`: its mean in each fold, averaged over the folds;
    `mae_unrounded` without rounding, `mae_clipped` with predictions clipped to the table, all in
    positions. `spearman`: rank correlation of prediction and index (NaN where predictions are
    all equal).
    """

    mae: float
    mae_unrounded: float
    mae_clipped: float
    spearman: float
    error: Array
    predicted: Array


def table_1(table: ArrayLike | LeastSquares, seed: int) -> IndexReading:
    """Probe a table (rows, width) as Table 1 does; the seed shuffles the rows into folds."""
    probe = _probe(table)
    return read(probe, shuffled_folds(probe.count, seed))


def read(
    table: ArrayLike | LeastSquares, folds: Sequence[Indices], targets: ArrayLike | None = None
) -> IndexReading:
    """Probe a table with given folds (held-out rows of each); targets are the indices by default.

    `targets` (rows,): another integer target for each row, for control tasks.
    """
    probe = _probe(table)
    wanted = np.asarray(range(probe.count) if targets is None else targets, dtype=np.float64)
    predicted = held_out(probe, folds, wanted)
    error = np.abs(np.rint(predicted) - wanted)
    clipped = np.clip(np.rint(predicted), wanted.min(), wanted.max())
    return IndexReading(
        mae=fold_mean(error, folds),
        mae_unrounded=fold_mean(np.abs(predicted - wanted), folds),
        mae_clipped=fold_mean(np.abs(clipped - wanted), folds),
        spearman=spearman(predicted, wanted),
        error=error,
        predicted=predicted,
    )


def held_out(probe: LeastSquares, folds: Sequence[Indices], targets: Array) -> Array:
    """Return the prediction for each row (rows,) from the fit on the other folds."""
    predicted = np.full(probe.count, np.nan)
    for fold in folds:
        predicted[fold] = probe.predict(rest(probe.count, fold), fold, targets)
    return predicted


def read_blocks(table: ArrayLike | LeastSquares) -> tuple[IndexReading, Array, Array]:
    """Hold out one block of consecutive rows at a time.

    Returns the reading, the mean error of each block, and the mean error of guessing the mean
    index of the training rows, block by block.
    """
    probe = _probe(table)
    folds = blocks(probe.count)
    reading = read(probe, folds)
    guess = [mean_guess(rest(probe.count, fold), fold) for fold in folds]
    return reading, np.array([reading.error[fold].mean() for fold in folds]), np.array(guess)


@dataclass(frozen=True)
class SplitReading:
    """One split: `mae` of the probe, of guessing the mean training index, `predicted` (test,)."""

    mae: float
    guess: float
    predicted: Array


def read_single_splits(table: ArrayLike | LeastSquares) -> dict[str, SplitReading]:
    """Train on one part of the rows, test on another; by split, see `splits.single_splits`."""
    probe = _probe(table)
    indices = np.arange(probe.count, dtype=np.float64)
    found = {}
    for name, (train, test) in single_splits(probe.count).items():
        predicted = probe.predict(train, test, indices)
        mae = float(np.abs(np.rint(predicted) - test).mean())
        found[name] = SplitReading(mae, mean_guess(train, test), predicted)
    return found


def mean_guess(train: Indices, test: Indices) -> float:
    """Return the mean error of always guessing the mean index of the training rows."""
    return float(np.abs(np.rint(train.mean()) - test).mean())


def ridge_path(
    table: ArrayLike | LeastSquares, seed: int, penalties: Sequence[float] = PENALTIES
) -> Array:
    """Return the mean error (penalties,) of ridge regression on Table 1's folds.

    A penalty is a multiple of the mean squared length of the centred rows.
    """
    probe = _probe(table)
    return _path(probe, seed, partial(probe.ridge_path, penalties=penalties))


def component_path(
    table: ArrayLike | LeastSquares, seed: int, counts: Sequence[int] = COMPONENTS
) -> Array:
    """Return the mean error (counts,) with rows cut to principal components of the training rows.

    With fewer components than training rows the fit is no longer exact.
    """
    probe = _probe(table)
    return _path(probe, seed, partial(probe.component_path, counts=counts))


def fold_mean(values: Array, folds: Sequence[Indices]) -> float:
    """Return the mean over folds of the mean of each fold, as cross-validation reports it."""
    return float(np.mean([values[fold].mean() for fold in folds]))


def spearman(predicted: Array, wanted: Array) -> float:
    """Return the rank correlation, NaN where one side is constant."""
    if np.ptp(predicted) == 0 or np.ptp(wanted) == 0:
        return float("nan")
    return float(stats.spearmanr(predicted, wanted).statistic)


def _path(probe: LeastSquares, seed: int, predict: Predict) -> Array:
    """Return the mean error along a path of models on Table 1's folds."""
    indices = np.arange(probe.count, dtype=np.float64)
    errors = []
    for fold in shuffled_folds(probe.count, seed):
        predicted = predict(rest(probe.count, fold), fold, indices)
        errors.append(np.abs(np.rint(predicted) - fold).mean(axis=1))
    return np.asarray(np.mean(errors, axis=0))


def _probe(table: ArrayLike | LeastSquares) -> LeastSquares:
    """Return the fits of a table, made here where the caller has not."""
    return table if isinstance(table, LeastSquares) else LeastSquares(table)
