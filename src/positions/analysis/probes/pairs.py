"""Pairs of positions: how they are drawn and split."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from positions.analysis.rows import Array, Indices
from positions.errors import InvalidValueError

# Distance bands (first, last) in which errors are told apart.
BANDS = ((0, 0), (1, 1), (2, 4), (5, 16), (17, 64), (65, 256), (257, 511))


def draw(
    positions: int | Indices, count: int, rng: np.random.Generator, near: int | None = None
) -> Indices:
    """Return (count, 2) ordered pairs of positions, drawn without replacement from all cells.

    `positions`: how many, or which. `near`: only pairs at most that far apart. A position may be
    paired with itself, as in Wang & Chen 2020. Raises `InvalidValueError` for more pairs than
    there are.
    """
    pool = np.arange(positions) if isinstance(positions, int) else positions
    available = cell_count(pool, near)
    if not 0 < count <= available:
        raise InvalidValueError(
            f"{count} pairs of {len(pool)} positions: there are {available}. "
            f"Ask for 1 to {available}."
        )
    cells = len(pool) ** 2 if near is None else np.flatnonzero(_close(pool, near))
    first, second = np.divmod(rng.choice(cells, size=count, replace=False), len(pool))
    return np.stack([pool[first], pool[second]], axis=1)


def cell_count(positions: Indices, near: int | None = None) -> int:
    """Return how many ordered pairs there are, at most `near` apart where that is given."""
    return len(positions) ** 2 if near is None else int(_close(positions, near).sum())


def inside(
    folds: Sequence[Indices], count: int, rng: np.random.Generator, near: int | None = None
) -> list[tuple[Indices, Indices]]:
    """Return (train, test) pairs for each fold of positions, with no position on both sides.

    With five folds, four fifths of `count` pairs are drawn inside the other folds' positions and
    one fifth inside the fold's; a fold with fewer cells gives them all.
    """
    test = count // len(folds)
    splits = []
    for index, fold in enumerate(folds):
        others = np.concatenate([*folds[:index], *folds[index + 1 :]])
        train = draw(others, count - test, rng, near)
        splits.append((train, draw(fold, min(test, cell_count(fold, near)), rng, near)))
    return splits


def grid(positions: Indices) -> Indices:
    """Return all ordered pairs (positions ** 2, 2)."""
    first, second = np.meshgrid(positions, positions, indexing="ij")
    return np.stack([first.ravel(), second.ravel()], axis=1)


def distance(pairs: Indices) -> Indices:
    """Return |i - j| of each pair (pairs,)."""
    return np.abs(pairs[:, 1] - pairs[:, 0])


def by_band(values: np.ndarray, pairs: Indices) -> tuple[Array, Array]:
    """Return the sum of the values (pairs,) in each distance band, and the number of pairs."""
    gaps = distance(pairs)
    member = np.array([(gaps >= first) & (gaps <= last) for first, last in BANDS], dtype=np.float64)
    return member @ values, member.sum(axis=1)


def _close(positions: Indices, near: int) -> np.ndarray:
    """Return which cells (positions, positions) lie at most `near` apart."""
    return np.asarray(np.abs(np.subtract.outer(positions, positions)) <= near)
