"""A position table: one row for each position, and where the rows came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from positions.errors import InvalidValueError

Rows = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Table:
    """A position table.

    `rows` is (positions, width), float32, finite and read-only; row t belongs to position t.
    `title` names the table for readers and `source` says in a sentence where it came from; `note`
    holds what one should know before believing a figure made with it. `sha256` is the digest of
    the rows' bytes.

    Raises `InvalidValueError` where the rows are no table.
    """

    name: str
    rows: NDArray[Any]
    title: str
    source: str
    note: str = ""
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        rows = as_rows(self.rows, self.name)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "sha256", hashlib.sha256(rows.tobytes()).hexdigest())

    @property
    def positions(self) -> int:
        """The number of rows."""
        return int(self.rows.shape[0])

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.rows.shape[1])


def as_rows(array: NDArray[np.generic], name: str) -> Rows:
    """Return a read-only float32 copy of a (positions, width) array of finite numbers.

    Raises `InvalidValueError`, which calls the array `name`, where it is anything else.
    """
    array = np.asarray(array)
    if array.ndim != 2 or array.size == 0:
        raise InvalidValueError(
            f"{name} has shape {array.shape}; a position table is (positions, width), neither zero."
        )
    if not np.issubdtype(array.dtype, np.floating):
        raise InvalidValueError(
            f"{name} holds {array.dtype}; a position table holds floating-point numbers."
        )
    with np.errstate(over="ignore"):  # a float64 too large for float32 is caught just below
        rows = np.array(array, dtype="<f4", order="C")
    finite = np.isfinite(rows)
    if not finite.all():
        bad = np.flatnonzero(~finite.all(axis=1))
        raise InvalidValueError(
            f"{name} has {bad.size} of {len(rows)} rows with a value that is not a finite "
            f"float32, row {bad[0]} first."
        )
    rows.setflags(write=False)
    return rows
