"""The two tables that a translator is given, brought to the host's width and to a scale."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from positions import tables
from positions.experiments.classification.start import (
    MADE_HERE,
    RANDOM,
    SINUSOID,
    ZEROS,
    source,
)
from positions.tables import Table
from positions.tables.preparation import Matrix, first_rows, principal, standardised

__all__ = [
    "MADE_HERE",
    "MATCHED",
    "PAPER",
    "RANDOM",
    "SIDES",
    "SINUSOID",
    "ZEROS",
    "Preparation",
    "Side",
    "source",
    "table_of",
]

Preparation = Literal["matched", "paper"]
MATCHED: Preparation = "matched"
PAPER: Preparation = "paper"
Side = Literal["encoder", "decoder"]
SIDES: tuple[Side, Side] = ("encoder", "decoder")

PAPER_OFFSET = 2
"""In the authors' library the first token has row 2, and their tables are written from row 0."""


def table_of(
    name: str, preparation: Preparation, side: Side, rows: int, width: int, seed: int
) -> tuple[Matrix, dict[str, str]]:
    """Return the table of one side (rows, width), and the sha256 of its origin, by name.

    Wang & Chen (2020), section 5.3, as in their code, for "paper": principal components of the
    whole table, all entries of it brought to mean 0 and standard deviation 1. Token 0 is given row
    2. The sinusoid is computed at the host's width and left as it is, and "random" is drawn as the
    host draws its own, N(0, 1 / width), a scale far below that of the others.

    "matched": token 0 is given row 0, and the rows that tokens can have get mean 0 and standard
    deviation 1, those of the sinusoid and of "random" too. A table as wide as the host is left
    whole. "zeros" is all zero in both. A random table is another one on each side.

    Raises `InvalidValueError` where the table has fewer rows or columns than are needed, and as
    `tables.load`.
    """
    if name == ZEROS:
        return np.zeros((rows, width)), {}
    if name == RANDOM:
        drawn = np.random.default_rng([seed, *side.encode()]).standard_normal((rows, width))
        return (standardised(drawn) if preparation == MATCHED else drawn * width**-0.5), {}
    offset = PAPER_OFFSET if preparation == PAPER else 0
    whole = _sinusoid(rows + offset, width) if name == SINUSOID else _load(name, seed)
    fitted = whole.rows if whole.width == width else principal(whole.rows, width, name)
    if preparation == MATCHED:
        found = standardised(first_rows(fitted, rows, name))
    elif name == SINUSOID:
        found = first_rows(fitted, rows + offset, name)[offset:]
    else:
        found = first_rows(standardised(fitted), rows + offset, name)[offset:]
    return found, {f"table {name}": whole.sha256}


def first_row(preparation: Preparation) -> int:
    """Return which row of its source token 0 is given."""
    return PAPER_OFFSET if preparation == PAPER else 0


@lru_cache(maxsize=4)
def _sinusoid(rows: int, width: int) -> Table:
    return tables.load(SINUSOID, positions=rows, width=width)


def _load(name: str, seed: int) -> Table:
    """Load a table; a control is drawn from the seed."""
    return _kept(name, **({"seed": seed} if "seed" in tables.options(name) else {}))


@lru_cache(maxsize=4)
def _kept(name: str, **given: int) -> Table:
    return tables.load(name, **given)
