"""Is one step along a table always the same linear map? The shift operator.

For the sinusoid, row t + m is row t times a matrix M_m of rotations that does not depend on t.
Here one M_m is fitted to any table by ridge regression, t_{i+m} = t_i M_m, and tried on rows that
the fit has not seen. A table is wider than it is long more often than not, which leaves the fit
without a unique answer; so it is made in the leading singular directions of the training rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.probes.splits import blocks, rest
from positions.analysis.rows import Array, Indices, as_rows, centred
from positions.errors import InvalidValueError

COMPONENTS = 64
PENALTY = 1e-6
STEPS = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class ShiftOperator:
    """The map M_1 of one step, fitted to all rows of a table.

    `matrix` (components, components) in the leading singular directions, `basis` (components,
    width). `moduli` and `angles` (components,): of its eigenvalues, largest modulus first, angles
    in radians per position; a rotation has moduli 1. `energy`: the share of the rows' squared
    length that the basis holds.
    """

    matrix: Array
    basis: Array
    moduli: Array
    angles: Array
    energy: float


@dataclass(frozen=True)
class ShiftReading:
    """How well shifts carry over to unseen rows, by offset; every array is (offsets,).

    R^2 on the held-out rows, in the full width, against guessing the mean of the training
    targets: `r2` of M_m, `composed_r2` of M_1 to the power m, `copy_r2` of no map at all
    (t_{i+m} = t_i). A smooth table scores high at copying; only what M_m adds speaks of a shift.
    """

    offsets: Indices
    r2: Array
    composed_r2: Array
    copy_r2: Array


def shift_operator(
    table: ArrayLike,
    offset: int = 1,
    components: int = COMPONENTS,
    penalty: float = PENALTY,
    centre: bool = False,
) -> ShiftOperator:
    """Fit one matrix to all pairs of rows `offset` apart, and return its eigenvalues.

    `components`: singular directions kept, or all the table has. `penalty`: that of the ridge, as
    a multiple of the mean squared score. Raises `InvalidValueError` for values out of range.
    """
    rows = _rows(table, centre)
    _check(len(rows), [offset], components, penalty)
    basis = _basis(rows, components)
    scores = rows @ basis.T
    matrix = _ridge(scores[:-offset], scores[offset:], penalty)
    eigenvalues = np.linalg.eigvals(matrix)
    eigenvalues = eigenvalues[np.argsort(-np.abs(eigenvalues), kind="stable")]
    return ShiftOperator(
        matrix=matrix,
        basis=basis,
        moduli=np.abs(eigenvalues),
        angles=np.angle(eigenvalues),
        energy=float((scores**2).sum() / (rows**2).sum()),
    )


def shift_reading(
    table: ArrayLike,
    offsets: Sequence[int] = STEPS,
    components: int = COMPONENTS,
    penalty: float = PENALTY,
    centre: bool = False,
) -> ShiftReading:
    """Fit shifts to four fifths of the rows and try them on the rest, five times.

    A fifth is a block of consecutive rows. Both rows of a training pair lie outside it and both
    of a test pair inside, so offsets must be shorter than the block. The basis comes from the
    training rows. With `centre` the mean row of the whole table is subtracted first. Raises
    `InvalidValueError` for values out of range.
    """
    rows = _rows(table, centre)
    steps = np.asarray(list(offsets), dtype=np.int64)
    _check(len(rows) // 5, [int(step) for step in steps], components, penalty)
    errors = np.zeros((4, len(steps)))
    for fold in blocks(len(rows)):
        errors += _fold_errors(rows, fold, steps, components, penalty)
    fitted, composed, copied, guessed = errors
    return ShiftReading(
        offsets=steps,
        r2=1 - fitted / guessed,
        composed_r2=1 - composed / guessed,
        copy_r2=1 - copied / guessed,
    )


def _fold_errors(
    rows: Array, fold: Indices, steps: Indices, components: int, penalty: float
) -> Array:
    """Return squared errors (4, offsets) on a fold: fitted, composed, copied, guessed."""
    seen = rest(len(rows), fold)
    basis = _basis(rows[seen], components)
    scores = rows @ basis.T
    single = _fit(scores, seen, 1, penalty)
    errors = np.zeros((4, len(steps)))
    for column, step in enumerate(int(step) for step in steps):
        source = _sources(fold, step)
        wanted = rows[source + step]
        ahead = scores[source] @ _fit(scores, seen, step, penalty) @ basis
        composed = scores[source] @ np.linalg.matrix_power(single, step) @ basis
        guess = rows[_sources(seen, step) + step].mean(axis=0)
        for line, predicted in enumerate((ahead, composed, rows[source], guess)):
            errors[line, column] = ((wanted - predicted) ** 2).sum()
    return errors


def _fit(scores: Array, seen: Indices, step: int, penalty: float) -> Array:
    """Fit the matrix of a step to pairs of which both rows are seen."""
    source = _sources(seen, step)
    return _ridge(scores[source], scores[source + step], penalty)


def _sources(rows: Indices, step: int) -> Indices:
    """Return the rows among the given ones whose row `step` further on is among them too."""
    return np.intersect1d(rows, rows - step)


def _ridge(source: Array, target: Array, penalty: float) -> Array:
    """Return the matrix that takes source to target (pairs, components) with least squares.

    The penalty is a multiple of the mean squared score of the sources.
    """
    gram = source.T @ source
    weight = penalty * np.trace(gram) / len(gram)
    return np.asarray(np.linalg.solve(gram + weight * np.eye(len(gram)), source.T @ target))


def _basis(rows: Array, components: int) -> Array:
    """Return the leading right singular vectors (components, width) that carry anything."""
    _, values, right = np.linalg.svd(rows, full_matrices=False)
    carried = int((values > values[0] * max(rows.shape) * np.finfo(np.float64).eps).sum())
    return np.asarray(right[: min(components, carried)])


def _rows(table: ArrayLike, centre: bool) -> Array:
    """Return the rows of a table that is not all zero, else raise."""
    rows = as_rows(table, least=10)
    rows = centred(rows) if centre else rows
    if not rows.any():
        raise InvalidValueError("The table is all zero: nothing can be shifted.")
    return rows


def _check(room: int, offsets: Sequence[int], components: int, penalty: float) -> None:
    """Raise where an option lies out of range."""
    wrong = [offset for offset in offsets if not 1 <= offset < room]
    if wrong or not offsets:
        raise InvalidValueError(
            f"The table allows offsets of 1 to {room - 1} positions, not {wrong or 'none'}."
        )
    if components < 1 or penalty < 0:
        raise InvalidValueError(
            f"A shift needs at least 1 component and a penalty of at least 0, not {components} "
            f"and {penalty}."
        )
