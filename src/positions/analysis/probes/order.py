"""Order: does the second position come after the first? Wang & Chen 2020, 4.1.2, Table 2.

512 ordered pairs of positions, their rows concatenated, logistic regression, five folds over
pairs: `table_2`. There the rows of a test pair were seen in training, in other pairs; `disjoint`
and `in_blocks` hold positions out, not pairs. Errors are in percent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import StratifiedKFold

from positions.analysis.probes import logistic
from positions.analysis.probes.pairs import draw, inside
from positions.analysis.probes.splits import FOLDS, blocks, shuffled_folds
from positions.analysis.rows import Array, Indices, as_rows
from positions.errors import InvalidValueError

PAIRS = 512
PAIR_COUNTS = (128, 256, 512, 1_024, 2_048, 4_096, 8_192, 65_536)


@dataclass(frozen=True)
class OrderReading:
    """What the order probe makes of held-out pairs.

    `error`: percent wrong, averaged over folds; `fold_errors` (folds,). `pairs` (pairs, 2) and
    `wrong` (pairs,) bool: every test pair, and whether the probe got it wrong.
    """

    error: float
    fold_errors: Array
    pairs: Indices
    wrong: np.ndarray


def table_2(
    table: ArrayLike,
    seed: int,
    count: int = PAIRS,
    *,
    features: logistic.Features = "concatenation",
    standardise: bool = False,
    ranks: ArrayLike | None = None,
) -> OrderReading:
    """Probe a table (rows, width) as Table 2 does; the seed draws the pairs.

    `count`: pairs drawn. `features`: the rows concatenated, or second minus first.
    `standardise`: scale every column to mean 0, s.d. 1 over the training pairs. `ranks` (rows,):
    another order of the positions, for control tasks. Folds are stratified and not shuffled, the
    pairs being in random order already.
    """
    rows = as_rows(table, least=FOLDS)
    pairs = draw(len(rows), count, np.random.default_rng(seed))
    labels = comes_after(pairs, ranks)
    if min(labels.sum(), (~labels).sum()) < FOLDS:
        raise InvalidValueError(
            f"{count} pairs are too few for {FOLDS} folds with both answers in each: draw more."
        )
    folds = StratifiedKFold(FOLDS).split(pairs, labels)
    splits = [(pairs[train], pairs[test]) for train, test in folds]
    return _read(rows, splits, features, standardise, ranks)


def disjoint(
    table: ArrayLike, seed: int, count: int = PAIRS, *, ranks: ArrayLike | None = None
) -> OrderReading:
    """Probe order with no position in both train and test.

    The positions are cut into five random folds. For each, four fifths of `count` pairs are drawn
    inside the other positions (410 of 512) and one fifth inside the held-out ones (102).
    """
    rows = as_rows(table, least=2 * FOLDS)
    splits = inside(shuffled_folds(len(rows), seed), count, np.random.default_rng([seed, 1]))
    return _read(rows, splits, ranks=ranks)


def in_blocks(table: ArrayLike, seed: int, count: int = PAIRS) -> OrderReading:
    """Probe order with one block of consecutive positions held out at a time, as `disjoint`."""
    rows = as_rows(table, least=2 * FOLDS)
    return _read(rows, inside(blocks(len(rows)), count, np.random.default_rng([seed, 1])))


def comes_after(pairs: Indices, ranks: ArrayLike | None = None) -> np.ndarray:
    """Return for each pair (pairs,) whether the second position ranks after the first."""
    if ranks is None:
        return np.asarray(pairs[:, 1] > pairs[:, 0])
    order = np.asarray(ranks)
    return np.asarray(order[pairs[:, 1]] > order[pairs[:, 0]])


def _read(
    rows: Array,
    splits: list[tuple[Indices, Indices]],
    features: logistic.Features = "concatenation",
    standardise: bool = False,
    ranks: ArrayLike | None = None,
) -> OrderReading:
    """Fit and test on each (train, test) split of pairs."""
    wrong = []
    for train, test in splits:
        sides = _standardised(rows, train, features) if standardise else (rows, rows)
        model = logistic.fit(sides, train, comes_after(train, ranks), features)
        wrong.append(model.predict(sides, test) != comes_after(test, ranks))
    errors = 100 * np.array([fold.mean() for fold in wrong])
    return OrderReading(
        float(errors.mean()),
        errors,
        np.concatenate([test for _, test in splits]),
        np.concatenate(wrong),
    )


def _standardised(rows: Array, pairs: Indices, features: logistic.Features) -> logistic.Sides:
    """Return the table as first and as second row, columns scaled over the training pairs."""
    first, second = rows[pairs[:, 0]], rows[pairs[:, 1]]
    if features == "difference":
        scaled = rows / _scale(second - first)
        return scaled, scaled  # the mean difference would only move the bias, which is free
    return (
        (rows - first.mean(axis=0)) / _scale(first),
        (rows - second.mean(axis=0)) / _scale(second),
    )


def _scale(values: Array) -> Array:
    """Return the s.d. of each column, 1 for constant ones."""
    scale = values.std(axis=0)
    return np.where(scale > 0, scale, 1.0)
