"""Logistic regression on pairs of rows, without writing the pairs' features out.

The score of a pair is w1 . row_i + w2 . row_j + b. So the scores of all pairs follow from two
products with the table, and the cost no longer grows with pairs times width: 65,536 pairs take
hardly longer than 512.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy import optimize, special

from positions.analysis.rows import Array, Indices
from positions.errors import InvalidValueError

Features = Literal["concatenation", "difference"]
# Where scikit-learn's lbfgs stopped when the paper was written: on the summed loss.
GRADIENT_TOLERANCE = 1e-4
ITERATIONS = 1_000


# The table as it enters as first and as second row: (positions, width) each.
Sides: TypeAlias = tuple[Array, Array]


@dataclass(frozen=True)
class PairClassifier:
    """A fitted classifier of ordered pairs: weights (width,) for first and second row, a bias."""

    first: Array
    second: Array
    bias: float

    def scores(self, sides: Sides, pairs: Indices) -> Array:
        """Return the scores (pairs,); positive means "yes"."""
        first, second = sides[0] @ self.first, sides[1] @ self.second
        return np.asarray(first[pairs[:, 0]] + second[pairs[:, 1]] + self.bias)

    def predict(self, sides: Sides, pairs: Indices) -> np.ndarray:
        """Return the decisions (pairs,), bool."""
        return np.asarray(self.scores(sides, pairs) > 0)


def fit(
    sides: Sides,
    pairs: Indices,
    labels: np.ndarray,
    features: Features = "concatenation",
    strength: float = 1.0,
) -> PairClassifier:
    """Fit logistic regression with L2 penalty to pairs of rows.

    `pairs` (pairs, 2), `labels` (pairs,) bool. Minimises `strength` * summed log loss + half the
    squared length of the weights, the bias free: the objective of scikit-learn's
    `LogisticRegression(C=strength)` on the concatenated rows (2 * width weights) or on the
    difference second - first (width weights). Raises `InvalidValueError` where the labels are
    all equal.
    """
    if labels.all() or not labels.any():
        raise InvalidValueError(
            f"All {len(labels)} training pairs have one label: draw more pairs or positions."
        )
    count, width = sides[0].shape
    signs = np.where(labels, 1.0, -1.0)
    tied = features == "difference"

    def unpack(weights: Array) -> PairClassifier:
        first, second = (
            (-weights[:-1], weights[:-1]) if tied else (weights[:width], weights[width:-1])
        )
        return PairClassifier(first, second, float(weights[-1]))

    def objective(weights: Array) -> tuple[float, Array]:
        margins = signs * unpack(weights).scores(sides, pairs)
        pull = -strength * signs * special.expit(-margins)
        first = np.bincount(pairs[:, 0], pull, count) @ sides[0]
        second = np.bincount(pairs[:, 1], pull, count) @ sides[1]
        slopes = [second - first] if tied else [first, second]
        gradient = np.concatenate([*slopes, [pull.sum()]])
        gradient[:-1] += weights[:-1]
        loss = strength * np.logaddexp(0, -margins).sum() + weights[:-1] @ weights[:-1] / 2
        return float(loss), gradient

    found = optimize.minimize(
        objective,
        np.zeros((width if tied else 2 * width) + 1),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": ITERATIONS, "gtol": GRADIENT_TOLERANCE},
    )
    return unpack(found.x)
