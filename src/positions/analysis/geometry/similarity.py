"""Proximity of two rows: inner product, cosine, or distance turned round."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.rows import Array, as_rows, centred
from positions.errors import InvalidValueError

Kind = Literal["cosine", "product", "distance"]
KINDS: tuple[Kind, ...] = ("cosine", "product", "distance")


def similarity(table: ArrayLike, kind: Kind = "cosine", *, centre: bool = False) -> Array:
    """Return the proximity of all pairs of rows (positions, positions); larger is nearer.

    `kind`: cosine, inner product, or minus the Euclidean distance. `centre`: subtract the mean
    row first; raw cosines are ruled by what all rows share. The cosine with a row of zeros is 0.
    All three are symmetric for one table, whatever the table: symmetry is a finding only for
    attention, where queries and keys differ. Raises `InvalidValueError` for an unknown kind.
    """
    rows = as_rows(table)
    if centre:
        rows = centred(rows)
    if kind == "product":
        return np.asarray(rows @ rows.T)
    if kind == "cosine":
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return np.asarray(np.clip(unit @ unit.T, -1, 1))
    if kind == "distance":
        squares = np.square(rows).sum(axis=1)
        return np.asarray(-np.sqrt(np.maximum(squares[:, None] + squares - 2 * rows @ rows.T, 0)))
    raise InvalidValueError(f"Unknown proximity {kind!r}. Valid: {', '.join(KINDS)}.")
