"""Which rows are held out: shuffled folds as published, blocks, halves."""

from __future__ import annotations

import numpy as np

from positions.analysis.rows import Indices
from positions.errors import InvalidValueError

FOLDS = 5
# BERT saw sequences of 128 tokens in nine steps out of ten: rows from here on are rarely trained.
RARELY_TRAINED = 128


def shuffled_folds(count: int, seed: int, folds: int = FOLDS) -> list[Indices]:
    """Return the held-out rows of each fold, consecutive in a random order of the rows.

    Wang & Chen 2020, Table 1: rows 0 .. count-1 in random order, cut into five folds.
    """
    _check(count, folds)
    order = np.random.default_rng(seed).permutation(count)
    return list(np.array_split(order, folds))


def blocks(count: int, folds: int = FOLDS) -> list[Indices]:
    """Return the held-out rows of each fold, consecutive in the table: no row has neighbours."""
    _check(count, folds)
    return list(np.array_split(np.arange(count), folds))


def rest(count: int, held_out: Indices) -> Indices:
    """Return the rows that are not held out, in order."""
    return np.setdiff1d(np.arange(count), held_out)


def single_splits(count: int) -> dict[str, tuple[Indices, Indices]]:
    """Return (train, test) rows of the splits that hold out one part, by name.

    The last is left out for tables that end before row 129.
    """
    _check(count, 2)
    rows = np.arange(count)
    splits = {
        "even_to_odd": (rows[0::2], rows[1::2]),
        "first_half_to_second": (rows[: count // 2], rows[count // 2 :]),
    }
    if count > RARELY_TRAINED:
        splits["first_128_to_rest"] = (rows[:RARELY_TRAINED], rows[RARELY_TRAINED:])
    return splits


def _check(count: int, folds: int) -> None:
    """Raise where there are too few rows for the folds."""
    if folds < 2 or count < folds:
        raise InvalidValueError(
            f"{count} rows can't be cut into {folds} folds: use at least 2 folds and no more "
            "folds than rows."
        )
