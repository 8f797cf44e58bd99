"""Selectivity: is it the table that knows, or the probe that learns? Hewitt & Liang 2019.

A control task keeps rows, folds and probe, and replaces the order of positions by a random one
that is fixed for the run. What the probe can do there it does by memory. Selectivity is the
error on the control task minus the error on the real one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.probes import order
from positions.analysis.probes.absolute import read
from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.probes.splits import shuffled_folds
from positions.analysis.rows import Indices, as_rows


@dataclass(frozen=True)
class Selectivity:
    """Errors on the real and on the control task, in the probe's unit."""

    real: float
    control: float

    @property
    def selectivity(self) -> float:
        """How much worse the probe does on the control task."""
        return self.control - self.real


def permutation(count: int, seed: int) -> Indices:
    """Return the control task's order of positions."""
    return np.random.default_rng([seed, 5]).permutation(count)


def of_index(table: ArrayLike | LeastSquares, seed: int) -> Selectivity:
    """Compare Table 1's probe of a table (rows, width) with its control; in positions."""
    probe = table if isinstance(table, LeastSquares) else LeastSquares(table)
    folds = shuffled_folds(probe.count, seed)
    control = read(probe, folds, permutation(probe.count, seed))
    return Selectivity(read(probe, folds).mae, control.mae)


def of_order(table: ArrayLike, seed: int, *, disjoint: bool = False) -> Selectivity:
    """Compare Table 2's probe with its control; in percent.

    `disjoint`: hold out positions, so that memory of single rows can't help.
    """
    rows = as_rows(table)
    probe = order.disjoint if disjoint else order.table_2
    ranks = permutation(len(rows), seed)
    return Selectivity(probe(rows, seed).error, probe(rows, seed, ranks=ranks).error)
