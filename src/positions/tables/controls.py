"""The zoo of controls: tables that no model learned.

A claim that a table "learned positions" should tell it from these. Some are made up from nothing,
others take a table apart and keep one of its properties. All are drawn from a seed: the same seed
gives the same bytes, and no two kinds share their random numbers.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from positions.checks import check_whole
from positions.errors import InvalidValueError
from positions.tables.sizes import POSITIONS, WIDTH, check_size
from positions.tables.table import Table

COSINES = 12

Matrix = NDArray[np.float64]


def gaussian(positions: int = POSITIONS, width: int = WIDTH, seed: int = 0) -> Table:
    """Return independent draws from N(0, 1): no order at all."""
    check_size(positions, width)
    rows = _generator("gaussian", seed).standard_normal((positions, width))
    return Table("gaussian", rows, "Gaussian noise", f"Drawn from N(0, 1), seed {seed}.")


def random_walk(positions: int = POSITIONS, width: int = WIDTH, seed: int = 0) -> Table:
    """Return cumulated N(0, 1) steps: neighbours are alike, and nothing else was put in."""
    check_size(positions, width)
    steps = _generator("random-walk", seed).standard_normal((positions, width))
    source = f"Each row is the one before plus a step drawn from N(0, 1), seed {seed}."
    return Table("random-walk", steps.cumsum(axis=0), "Random walk", source)


def smooth_random(positions: int = POSITIONS, width: int = WIDTH, seed: int = 0) -> Table:
    """Return columns that are each a sum of 12 slow cosines with random phases, of variance 1.

    The k-th cosine makes k / 2 turns over the table, so that its ends don't meet.
    """
    check_size(positions, width)
    turns = np.arange(1, COSINES + 1) / 2
    phases = _generator("smooth-random", seed).uniform(0, 2 * np.pi, (COSINES, width))
    rows = np.zeros((positions, width))
    for turn, phase in zip(turns, phases, strict=True):
        angles = 2 * np.pi * turn * np.arange(positions) / positions
        rows += np.cos(angles[:, None] + phase) * np.sqrt(2 / COSINES)
    source = f"Each column sums {COSINES} cosines of up to 6 turns, phases drawn with seed {seed}."
    return Table("smooth-random", rows, "Smooth random", source)


def one_hot(positions: int = POSITIONS, width: int = WIDTH) -> Table:
    """Return the identity: all rows equally far apart. Needs a column for each position."""
    check_size(positions, width)
    if width < positions:
        raise InvalidValueError(
            f"width is {width}; one-hot rows for {positions} positions need a width of at least "
            f"{positions}."
        )
    return Table("one-hot", np.eye(positions, width), "One-hot", "Row t is 1 in column t, else 0.")


def ramp(positions: int = POSITIONS, width: int = WIDTH) -> Table:
    """Return rows that grow linearly from 0 to 1, the same in every column: the index itself."""
    check_size(positions, width)
    rows = np.repeat(np.linspace(0, 1, positions)[:, None], width, axis=1)
    return Table("ramp", rows, "Linear ramp", "Every column rises evenly from 0 to 1.")


def shuffled(base: Table, seed: int = 0) -> Table:
    """Return the same rows in random order: every distance stays, the order is gone."""
    order = _generator("shuffled", seed).permutation(base.positions)
    return _derived("shuffled", base, base.rows[order], "rows shuffled", seed)


def rotated(base: Table, seed: int = 0) -> Table:
    """Return the rows times a random orthogonal matrix: a linear probe must not notice."""
    turn = orthonormal(_generator("rotated", seed), base.width, base.width)
    return _derived("rotated", base, base.rows.astype(np.float64) @ turn, "rotated", seed)


def spectrum_matched(base: Table, seed: int = 0) -> Table:
    """Return random rows with the base's singular values: its variance profile, nothing else."""
    values = np.linalg.svd(base.rows.astype(np.float64), compute_uv=False)
    generator = _generator("spectrum-matched", seed)
    left = orthonormal(generator, base.positions, len(values))
    right = orthonormal(generator, base.width, len(values))
    return _derived("spectrum-matched", base, (left * values) @ right.T, "same spectrum", seed)


def orthonormal(generator: np.random.Generator, rows: int, columns: int) -> Matrix:
    """Return `columns` orthonormal columns of length `rows`, uniform over all such (Haar).

    The QR decomposition of a Gaussian matrix, each column's sign set by R's diagonal: without
    that the result is not uniform (Mezzadri 2007, section 5).
    """
    q, r = np.linalg.qr(generator.standard_normal((rows, columns)))
    return np.asarray(q * np.sign(np.diagonal(r)))


SYNTHETIC: dict[str, Callable[..., Table]] = {
    "gaussian": gaussian,
    "random-walk": random_walk,
    "smooth-random": smooth_random,
    "one-hot": one_hot,
    "ramp": ramp,
}
DERIVED: dict[str, Callable[..., Table]] = {
    "shuffled": shuffled,
    "rotated": rotated,
    "spectrum-matched": spectrum_matched,
}


def _derived(kind: str, base: Table, rows: NDArray[np.floating], change: str, seed: int) -> Table:
    return Table(
        f"{kind}:{base.name}",
        rows,
        title=f"{base.title}, {change}",
        source=f"{base.source} Then {change}, seed {seed}.",
        note=base.note,
    )


def _generator(kind: str, seed: int) -> np.random.Generator:
    """Return a stream of random numbers that only this kind of control with this seed uses."""
    return np.random.default_rng([check_whole("seed", seed, minimum=0), *kind.encode()])
