"""The table that a language model is given, brought to the host's width and scale."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from positions import tables
from positions.experiments.classification.start import (
    MADE_HERE,
    RANDOM,
    SHUFFLED,
    SINUSOID,
    ZEROS,
    source,
)
from positions.experiments.language_modelling.placed import Rows
from positions.tables import Table
from positions.tables.preparation import Matrix, first_rows, principal

__all__ = ["MADE_HERE", "RANDOM", "SCALE", "SHUFFLED", "SINUSOID", "ZEROS", "source", "table_of"]

SCALE = 0.02
"""The standard deviation of a table, which is also that of the hosts' first word embeddings."""


def table_of(
    name: str, used: Rows, length: int, rows: int, width: int, seed: int
) -> tuple[Matrix, dict[str, str]]:
    """Return a table (rows, width), and the sha256 of the one it comes from, by name.

    Wang & Chen (2020), section 5.2, as in their code: the rows that are `used` for the tokens of a
    block have mean 0 and standard deviation `SCALE` over all their entries. The other rows, up to
    `rows`, are moved and scaled with them. A table wider than the host is first reduced to its
    principal components, as in their section 5.1; one as wide is left as it is. RoBERTa's two
    unused rows serve the first two tokens. "random" is drawn from N(0, `SCALE`²), as the host draws
    its own, and "zeros" is all zero. The control `shuffled:<table>` has the rows that are used in
    an order drawn from the seed.

    Raises `InvalidValueError` where the table has fewer rows or columns than are needed, and as
    `tables.load`.
    """
    if name == RANDOM:
        chance = np.random.default_rng([seed, *b"random table"])
        return SCALE * chance.standard_normal((rows, width)), {}
    if name == ZEROS:
        return np.zeros((rows, width)), {}
    kind, _, base = name.partition(":")
    if kind == SHUFFLED:
        table, digests = table_of(base, used, length, rows, width, seed)
        places = _places(used, length)
        chance = np.random.default_rng([seed, *b"shuffled rows"])
        table[places] = table[chance.permutation(places)]
        return table, digests
    whole = _sinusoid(rows, width) if name == SINUSOID else _load(name, seed)
    fitted = whole.rows if whole.width == width else principal(whole.rows, width, name)
    table = first_rows(fitted, rows, name)
    served = table[_places(used, length)]
    return (table - served.mean()) / served.std() * SCALE, {f"table {name}": whole.sha256}


def _places(used: Rows, length: int) -> list[int]:
    return list(range(used.first, used.last(length) + 1, used.stride))


@lru_cache(maxsize=4)
def _sinusoid(rows: int, width: int) -> Table:
    return tables.load(SINUSOID, positions=rows, width=width)


def _load(name: str, seed: int) -> Table:
    """Load a table with those of the options that it has."""
    known = tables.options(name)
    return _kept(name, **({"seed": seed} if "seed" in known else {}), **_unused(known))


def _unused(options: list[str]) -> dict[str, bool]:
    return {"unused_rows": True} if "unused_rows" in options else {}


@lru_cache(maxsize=4)
def _kept(name: str, **given: int | bool) -> Table:
    return tables.load(name, **given)
