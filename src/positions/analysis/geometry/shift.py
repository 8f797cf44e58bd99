"""Is one step along a table always the same linear map? The shift operator.

For the sinusoid, row t + m is row t times a matrix M_m of rotations that does not depend on t.
Here one M_m is fitted to any table by ridge regression, t_{i+m} = t_i M_m, and tried on rows that
the fit has not seen. A table is often wider than it is long, so that many matrices fit its rows
exactly and most of them follow noise. The penalty picks one: that of `PENALTIES` which foretells
pairs of neighbours best when each is left out of the fit in turn. It is chosen once for a table,
on all of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from positions.analysis.probes.splits import FOLDS, blocks, rest
from positions.analysis.rows import Array, Indices, as_rows, centred
from positions.errors import InvalidValueError

# Multiples of the mean squared length of the rows.
PENALTIES = tuple(10.0**power for power in range(-10, 3, 2))
STEPS = (1, 2, 4, 8, 16, 32)
ENERGY = 0.99

HeldOut = Literal["scattered", "blocks"]


@dataclass(frozen=True)
class ShiftOperator:
    """The map M_m fitted to all pairs of rows m apart, in a table's leading directions.

    `matrix` (directions, directions) acts on rows from the right, in the orthonormal `basis`
    (directions, width). `moduli` and `angles` (directions,): of its eigenvalues, largest modulus
    first, angles in radians; a rotation has moduli 1.
    """

    matrix: Array
    basis: Array
    moduli: Array
    angles: Array
    penalty: float


@dataclass(frozen=True)
class ShiftReading:
    """How well shifts carry over to unseen rows, by offset; the arrays are (offsets,).

    R^2 on the held-out pairs, against guessing the mean of the training targets: `r2` of M_m,
    `composed_r2` of M_1 to the power m, `copy_r2` of no map at all (t_{i+m} = t_i). Neighbours in
    a smooth table are nearly equal: only what M_m adds to copying speaks of a shift.
    """

    offsets: Indices
    r2: Array
    composed_r2: Array
    copy_r2: Array
    penalty: float


def shift_operator(
    table: ArrayLike, offset: int = 1, energy: float = ENERGY, centre: bool = False
) -> ShiftOperator:
    """Fit one matrix to all pairs of rows `offset` apart in a table (positions, width).

    It acts on the leading singular directions that hold the share `energy` of the rows' squared
    length: the others would only add eigenvalues of noise. With `centre` the mean row is
    subtracted first. Raises `InvalidValueError` for fewer than 10 rows, a table that is all zero,
    an offset past its end, and a share outside (0, 1].
    """
    rows = _rows(table, centre)
    _check_offsets([offset], len(rows) - 1)
    if not 0 < energy <= 1:
        raise InvalidValueError(f"The share of energy lies in (0, 1], unlike {energy}.")
    scores, basis = _scores(rows)
    held = np.cumsum((scores**2).sum(axis=0)) / (scores**2).sum()
    kept = min(int((held < energy).sum()) + 1, len(basis))
    scores, basis = scores[:, :kept], basis[:kept]
    penalty = _choose_penalty(scores @ scores.T)
    matrix = _ridge(scores[:-offset], scores[offset:], penalty)
    eigenvalues = np.linalg.eigvals(matrix)
    eigenvalues = eigenvalues[np.argsort(-np.abs(eigenvalues), kind="stable")]
    return ShiftOperator(
        matrix=matrix,
        basis=basis,
        moduli=np.abs(eigenvalues),
        angles=np.asarray(np.angle(eigenvalues), dtype=np.float64),
        penalty=penalty,
    )


def shift_reading(
    table: ArrayLike,
    offsets: Sequence[int] = STEPS,
    held_out: HeldOut = "scattered",
    seed: int = 0,
    centre: bool = False,
) -> ShiftReading:
    """Fit shifts to most rows of a table (positions, width), try them on the rest, five times.

    Test pairs lie `scattered` over the table (drawn with the seed), which asks for one map that
    holds all along it; or in a fifth of consecutive rows, `blocks`, which asks to carry the map
    to a stretch that the fit has not seen at all. No row of a test pair is in a training pair.
    With `centre` the whole table's mean row is subtracted first. Raises as `shift_operator` does,
    and for a way of holding out that is neither.
    """
    if held_out not in ("scattered", "blocks"):
        raise InvalidValueError(f"Held out is 'scattered' or 'blocks', not {held_out!r}.")
    rows = _rows(table, centre)
    steps = [int(step) for step in offsets]
    _check_offsets(steps, len(rows) // FOLDS - 1)
    gram = rows @ rows.T
    penalty = _choose_penalty(gram)
    errors = np.zeros((4, len(steps)))
    for column, step in enumerate(steps):
        if held_out == "scattered":
            tests = _scattered(len(rows), step, seed)
            folds = [np.union1d(source, source + step) for source in tests]
        else:
            folds = blocks(len(rows))
            tests = [_sources(fold, step) for fold in folds]
        for fold, source in zip(folds, tests, strict=True):
            seen = rest(len(rows), fold)
            errors[:, column] += _errors(rows, gram, seen, source, step, penalty)
    fitted, composed, copied, guessed = errors
    return ShiftReading(
        offsets=np.asarray(steps, dtype=np.int64),
        r2=1 - fitted / guessed,
        composed_r2=1 - composed / guessed,
        copy_r2=1 - copied / guessed,
        penalty=penalty,
    )


def _errors(
    rows: Array, gram: Array, seen: Indices, source: Indices, step: int, penalty: float
) -> Array:
    """Return squared errors on test pairs: of M_m, of M_1^m, of copying, of the mean."""
    start, wanted = rows[source], rows[source + step]
    pairs = _sources(seen, step)
    predictions = (
        _predict(rows, gram, pairs, step, source, penalty),
        _predict(rows, gram, _sources(seen, 1), 1, source, penalty, times=step),
        start,
        rows[pairs + step].mean(axis=0),
    )
    return np.array([((wanted - predicted) ** 2).sum() for predicted in predictions])


def _predict(
    rows: Array,
    gram: Array,
    pairs: Indices,
    step: int,
    source: Indices,
    penalty: float,
    times: int = 1,
) -> Array:
    """Return the rows that M of a step, fitted to the pairs, makes of the source rows.

    M = X' (X X' + w I)^-1 Y, with X the pairs' first rows and Y their second: the ridge by way of
    the rows' inner products, which is small however wide the table is. Whatever M makes is a sum
    of the rows of Y, so M is applied again to the weights of that sum.
    """
    target = pairs + step
    kernel = gram[np.ix_(pairs, pairs)]
    kernel[np.diag_indices_from(kernel)] += penalty * np.trace(kernel) / len(kernel)
    weights = linalg.solve(kernel, gram[np.ix_(pairs, source)], assume_a="pos").T
    if times > 1:
        again = linalg.solve(kernel, gram[np.ix_(pairs, target)], assume_a="pos").T
        for _ in range(times - 1):
            weights = weights @ again
    return np.asarray(weights @ rows[target])


def _sources(rows: Indices, step: int) -> Indices:
    """Return the rows among the given ones whose row `step` further on is among them too."""
    return np.intersect1d(rows, rows - step)


def _scattered(count: int, step: int, seed: int) -> list[Indices]:
    """Return by fold the first rows of test pairs; no row is in two pairs of all folds."""
    first = np.arange(count - step)
    first = first[first // step % 2 == 0]
    return list(np.array_split(np.random.default_rng(seed).permutation(first), FOLDS))


def _ridge(source: Array, target: Array, penalty: float) -> Array:
    """Return the matrix that takes source to target, both (pairs, directions)."""
    gram = source.T @ source
    gram[np.diag_indices_from(gram)] += penalty * np.trace(gram) / len(source)
    return np.asarray(linalg.solve(gram, source.T @ target, assume_a="pos"))


def _choose_penalty(gram: Array) -> float:
    """Return the penalty with the least squared error on pairs of neighbours left out singly.

    `gram` (positions, positions): the rows' inner products. With K those of the pairs' first rows
    and w the weight of the penalty, the error on a pair left out is its row of (K + w I)^-1 Y
    divided by its diagonal entry of (K + w I)^-1.
    """
    values, vectors = np.linalg.eigh(gram[:-1, :-1])
    values = np.clip(values, 0.0, None)
    along = vectors.T @ gram[1:, 1:] @ vectors
    errors = []
    for penalty in PENALTIES:
        inverse = vectors / (values + penalty * values.mean())
        squares = ((inverse @ along) * inverse).sum(axis=1)
        diagonal = (inverse * vectors).sum(axis=1)
        errors.append(float((squares / diagonal**2).sum()))
    return PENALTIES[int(np.argmin(errors))]


def _scores(rows: Array) -> tuple[Array, Array]:
    """Return rows in their own directions (positions, directions), and these, largest first.

    A rotation, exact up to rounding; directions that hold nothing but rounding are left out.
    """
    left, values, right = np.linalg.svd(rows, full_matrices=False)
    kept = int((values > values[0] * max(rows.shape) * np.finfo(np.float64).eps).sum())
    return np.asarray(left[:, :kept] * values[:kept]), np.asarray(right[:kept])


def _rows(table: ArrayLike, centre: bool) -> Array:
    """Return the rows of a table that is not all zero, else raise."""
    rows = as_rows(table, least=10)
    scale = np.abs(rows).max()
    rows = centred(rows) if centre else rows
    if np.abs(rows).max() <= 1e-12 * scale:
        what = "All rows of the table are equal" if centre else "The table is all zero"
        raise InvalidValueError(f"{what}: there is nothing to shift.")
    return rows


def _check_offsets(offsets: Sequence[int], most: int) -> None:
    """Raise where there is no offset, or one that the table has no room for."""
    wrong = [offset for offset in offsets if not 1 <= offset <= most]
    if wrong or not offsets:
        raise InvalidValueError(
            f"This table allows offsets of 1 to {most} positions, not {wrong or 'none'}."
        )
