"""Distance by linear regression: how far apart two positions are.

Wang & Chen 2020 (section 4.1.2) report that distance could not be predicted, without figures.
Least squares on two rows can only express f(i) + g(j), and |i - j| is not of that form whatever
the table: `additive_floor`. The signed distance j - i is, and asks no more than Table 1 does.
Probes that can express a distance are in `distance_forms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.probes.absolute import spearman
from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.probes.pairs import by_band, distance, draw, grid, inside
from positions.analysis.probes.splits import FOLDS, rest, shuffled_folds
from positions.analysis.rows import Array, Indices, as_rows

PAIRS = 512
NEAR = 32

Features = Literal["concatenation", "difference"]


@dataclass(frozen=True)
class DistanceReading:
    """What a probe makes of the distances of test pairs, in positions.

    `mae`: mean |prediction - distance|; `guess`: the same for guessing the training pairs' mean;
    `spearman`: rank correlation of prediction and distance (NaN where undefined). `band_error`
    and `band_count` (bands,): summed error and pairs in each of `pairs.BANDS`.
    """

    mae: float
    guess: float
    spearman: float
    band_error: Array
    band_count: Array


def linear(
    table: ArrayLike,
    seed: int,
    features: Features = "concatenation",
    *,
    disjoint: bool = True,
    near: int | None = None,
    count: int = PAIRS,
) -> tuple[DistanceReading, DistanceReading]:
    """Predict |i - j| and j - i by least squares on the two rows; returns both readings.

    `table` (rows, width). `features`: rows concatenated, or second minus first. `disjoint`: no
    position in both train and test, else five folds over pairs that share positions. `near`: only
    pairs at most that far apart. `count`: pairs drawn.
    """
    # In principal axes every fit is the same, and there are fewer columns.
    rows = LeastSquares(as_rows(table, least=2 * FOLDS)).scores
    rng = np.random.default_rng([seed, 2])
    if disjoint:
        splits = inside(shuffled_folds(len(rows), seed), count, rng, near)
    else:
        pairs = draw(len(rows), count, rng, near)
        folds = np.array_split(np.arange(count), FOLDS)
        splits = [(np.delete(pairs, fold, axis=0), pairs[fold]) for fold in folds]
    predicted, guessed = [], []
    for train, test in splits:
        both = np.concatenate([train, test])
        train_side, test_side = np.split(np.arange(len(both)), [len(train)])
        fit = LeastSquares(_features(rows, both, features))
        targets = _targets(both)
        predicted.append(fit.predict(train_side, test_side, targets))
        guessed.append(np.broadcast_to(targets[train_side].mean(axis=0), (len(test), 2)))
    pairs = np.concatenate([test for _, test in splits])
    wanted, found = _targets(pairs), np.concatenate(predicted)
    guess = np.concatenate(guessed)
    absolute, signed = (
        reading(found[:, target], wanted[:, target], guess[:, target], pairs) for target in (0, 1)
    )
    return absolute, signed


def linear_on_all_pairs(table: ArrayLike, seed: int) -> DistanceReading:
    """Predict |i - j| from concatenated rows, trained on all pairs of the training positions.

    On a full grid of pairs the fit falls apart into two equal ones: each row predicts the mean
    distance from its position to all others. So 168,100 pairs cost as little as 410 rows.
    Positions are cut into the five folds of Table 1; all pairs of a fold are tested.
    """
    fit = LeastSquares(as_rows(table, least=2 * FOLDS))
    folds = shuffled_folds(fit.count, seed)
    found, guess = [], []
    for fold in folds:
        train = rest(fit.count, fold)
        mean_distance = np.abs(np.subtract.outer(np.arange(fit.count), train)).mean(axis=1)
        mean = mean_distance[train].mean()
        half = fit.predict(train, fold, mean_distance - mean)
        found.append((half[:, None] + half + mean).ravel())
        guess.append(np.full(len(fold) ** 2, mean))
    pairs = np.concatenate([grid(fold) for fold in folds])
    wanted = distance(pairs).astype(np.float64)
    return reading(np.concatenate(found), wanted, np.concatenate(guess), pairs)


def additive_floor(positions: int) -> float:
    """Return the error of the best f(i) + g(j) for |i - j|, over all pairs of positions.

    No linear probe on concatenated rows can do better in squares, even with a column of its own
    for each position.
    """
    gaps = np.abs(np.subtract.outer(np.arange(positions), np.arange(positions))).astype(np.float64)
    means = gaps.mean(axis=1)
    return float(np.abs(gaps - means - means[:, None] + gaps.mean()).mean())


def reading(predicted: Array, wanted: Array, guess: Array, pairs: Indices) -> DistanceReading:
    """Return the reading of predictions (pairs,) beside the targets and a guess at them."""
    error = np.abs(predicted - wanted)
    sums, counts = by_band(error, pairs)
    return DistanceReading(
        float(error.mean()),
        float(np.abs(guess - wanted).mean()),
        spearman(predicted, wanted),
        sums,
        counts,
    )


def _targets(pairs: Indices) -> Array:
    """Return |i - j| and j - i (pairs, 2)."""
    signed = (pairs[:, 1] - pairs[:, 0]).astype(np.float64)
    return np.stack([np.abs(signed), signed], axis=1)


def _features(rows: Array, pairs: Indices, features: Features) -> Array:
    """Return the features (pairs, width or 2 * width)."""
    first, second = rows[pairs[:, 0]], rows[pairs[:, 1]]
    return second - first if features == "difference" else np.concatenate([first, second], axis=1)
