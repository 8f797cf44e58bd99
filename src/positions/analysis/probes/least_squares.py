"""Linear regression with more columns than rows: of all exact fits, the shortest.

A table of 512 rows and 768 columns leaves about 410 rows to fit 768 weights, so the training
error is zero whatever the table, and ordinary least squares picks the solution of least norm.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from positions.analysis.rows import Array, Indices, as_rows, centred

# Singular values below this share of the largest count as zero, as in scikit-learn. It is about the
# precision of float32, in which tables come: below it lies rounding, and a fit to rounding
# predicts noise (the sinusoid has 512 such values, of which about 150 are its own).
CUT = 1e-6
# Squared condition number up to which inner products keep about seven digits of the solution.
WELL_CONDITIONED = 1e9


class LeastSquares:
    """Ordinary least squares with intercept on one table, to be fitted on any of its rows.

    `table` (rows, width). Equal to scikit-learn's `LinearRegression` on float64 rows; the work
    that all fits share is done once.
    """

    def __init__(self, table: ArrayLike) -> None:
        rows = centred(as_rows(table))
        self.count = len(rows)
        self.gram = rows @ rows.T
        spectrum = linalg.eigvalsh(self.gram)
        # One eigenvalue is zero by centring. A fit on some rows is never worse conditioned.
        self.fits_inner_products = bool(spectrum[1] * WELL_CONDITIONED > spectrum[-1] > 0)
        self._rows = rows
        self._scores: Array | None = None

    @property
    def scores(self) -> Array:
        """The rows in their principal axes (rows, rank): the same inner products, fewer columns."""
        if self._scores is None:
            left, values, _ = linalg.svd(self._rows, full_matrices=False)
            kept = values > 1e-3 * CUT * values[0]
            kept[0] = True  # so that a table of equal rows keeps a column
            self._scores = np.asarray(left[:, kept] * values[kept])
        return self._scores

    def predict(self, train: Indices, test: Indices, targets: Array) -> Array:
        """Fit on the rows `train` and return the predictions for the rows `test`.

        `targets` (rows,) or (rows, tasks): one target, or several that share the fit.
        """
        mean = targets[train].mean(axis=0)
        gaps = targets[train] - mean
        if self.fits_inner_products:
            inner, across = centred_inner_products(self.gram, train, test)
            # The fit ignores the direction of equal weights; lifting it makes the system regular.
            inner += np.trace(inner) / len(train) ** 2
            weights = linalg.solve(inner, gaps, assume_a="pos")
            return np.asarray(mean + across @ weights)
        offset = self.scores[train].mean(axis=0)
        solution = linalg.lstsq(self.scores[train] - offset, gaps, cond=CUT)[0]
        return np.asarray(mean + (self.scores[test] - offset) @ solution)

    def ridge_path(
        self, train: Indices, test: Indices, targets: Array, penalties: Sequence[float]
    ) -> Array:
        """Return predictions (penalties, test rows) of ridge regression, one row a penalty.

        A penalty is a multiple of the mean squared length of the centred rows, so that one path
        suits tables of any scale.
        """
        left, values, across = self._factor(train, test)
        unit = np.trace(self.gram) / self.count
        shrink = values / (values**2 + unit * np.asarray(penalties)[:, None])
        mean = targets[train].mean()
        return np.asarray(mean + (shrink * (left.T @ (targets[train] - mean))) @ across.T)

    def component_path(
        self, train: Indices, test: Indices, targets: Array, counts: Sequence[int]
    ) -> Array:
        """Return predictions (counts, test rows) of least squares on the first components.

        The principal components are those of the training rows; a count beyond their number
        means all of them.
        """
        left, values, across = self._factor(train, test)
        kept = np.arange(len(values)) < np.asarray(counts)[:, None]
        mean = targets[train].mean()
        return np.asarray(mean + (kept / values * (left.T @ (targets[train] - mean))) @ across.T)

    def _factor(self, train: Indices, test: Indices) -> tuple[Array, Array, Array]:
        """Return left vectors, singular values, and the test rows in the training rows' axes."""
        offset = self.scores[train].mean(axis=0)
        left, values, right = linalg.svd(self.scores[train] - offset, full_matrices=False)
        kept = values > CUT * values[0]
        across = (self.scores[test] - offset) @ right[kept].T
        return left[:, kept], values[kept], across


def centred_inner_products(gram: Array, train: Indices, test: Indices) -> tuple[Array, Array]:
    """Return inner products (train, train) and (test, train) after centring on the train rows."""
    inner = gram[np.ix_(train, train)]
    across = gram[np.ix_(test, train)]
    means = inner.mean(axis=0)
    return (
        inner - means - means[:, None] + means.mean(),
        across - across.mean(axis=1, keepdims=True) - means + means.mean(),
    )
