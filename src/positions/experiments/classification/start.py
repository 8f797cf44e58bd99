"""The rows that a position table starts from, fitted to the host."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from positions import tables
from positions.errors import InvalidValueError
from positions.tables import Table
from positions.tables.preparation import (
    Matrix,
    first_columns,
    first_rows,
    principal,
    standardised,
    turned,
    whitened,
)

Preparation = Literal["paper", "matched", "whitened", "turned", "cut"]

RANDOM, ZEROS, SINUSOID, ROBERTA = "random", "zeros", "sinusoidal", "roberta-base"
SHUFFLED = "shuffled"
MADE_HERE = (RANDOM, ZEROS)
"""Tables that no file holds: drawn as the host draws its own, and all zero."""


def source(table: str) -> str | None:
    """Return the table to be loaded, None where nothing is."""
    return None if table in MADE_HERE else table


def rows_of(
    table: str, preparation: Preparation, rows: int, width: int, seed: int
) -> tuple[Matrix, dict[str, str]]:
    """Return the starting rows (rows, width), and the sha256 of the table they come from, by name.

    Wang & Chen (2020), section 5.1, as in their code. "paper": principal components of the whole
    table, its first rows, all entries brought to mean 0 and standard deviation 1 together. The
    sinusoid is computed at the host's width and left as it is (standard deviation about 0.6), and
    RoBERTa's two unused rows serve the first two words. "random" is N(0, 1), as the host would draw
    it, and "zeros" all zero.

    Others change one thing. "matched": the sinusoid is brought to the scale of the others, and
    RoBERTa's unused rows are left out. "whitened": every column is brought to standard deviation 1
    by itself. "turned": after the paper's preparation a random rotation, drawn from the seed, so
    that no column holds more than another. "cut": the first columns in place of the components.
    The control `shuffled:<table>` has the same rows as its table, in an order drawn from the seed.

    Raises `InvalidValueError` where the table has fewer rows or columns than the host needs, and
    as `tables.load`.
    """
    if table == RANDOM:
        chance = np.random.default_rng([seed, *b"random table"])
        return chance.standard_normal((rows, width)), {}
    if table == ZEROS:
        return np.zeros((rows, width)), {}
    kind, _, base = table.partition(":")
    if kind == SHUFFLED:
        ordered, digests = rows_of(base, preparation, rows, width, seed)
        chance = np.random.default_rng([seed, *b"shuffled rows"])
        return ordered[chance.permutation(rows)], digests
    if table == SINUSOID and preparation not in ("cut", "whitened"):
        whole = _load(table, seed, unused_rows=False, positions=rows, width=width)
        plain = whole.rows.astype(np.float64)
        found = plain if preparation == "paper" else standardised(plain)
    else:
        whole = _load(table, seed, unused_rows=preparation == "paper")
        found = _fitted(whole, preparation, rows, width)
    return turned(found, seed) if preparation == "turned" else found, {
        f"table {table}": whole.sha256
    }


def _fitted(table: Table, preparation: Preparation, rows: int, width: int) -> Matrix:
    reduce = first_columns if preparation == "cut" else principal
    reduced = first_rows(reduce(table.rows, width, table.name), rows, table.name)
    return whitened(reduced) if preparation == "whitened" else standardised(reduced)


def _load(name: str, seed: int, unused_rows: bool, **size: int) -> Table:
    """Load a table with those of the options that it has."""
    given: dict[str, int | bool] = dict(size)
    if "seed" in tables.options(name):
        given["seed"] = seed
    if name == ROBERTA and unused_rows:
        given["unused_rows"] = True
    return _kept(name, **given)


@lru_cache(maxsize=4)
def _kept(name: str, **given: int | bool) -> Table:
    return tables.load(name, **given)


def check_reach(longest: int, rows: int, task: str) -> None:
    """Raise `InvalidValueError` where a text is longer than the table."""
    if longest > rows:
        raise InvalidValueError(
            f"A text of {task} has {longest} words, and the position table {rows} rows. Choose "
            f"rows = {longest} or more."
        )
