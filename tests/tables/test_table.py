"""What counts as a position table."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from positions.errors import InvalidValueError
from positions.tables import Table
from positions.tables.table import as_rows

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


def table(rows: np.ndarray) -> Table:
    return Table("mine", rows, "Mine", "Made for a test.")


def test_rows_are_kept_and_described() -> None:
    made = table(ROWS)
    assert (made.positions, made.width) == (4, 3)
    assert made.rows.dtype == np.float32
    np.testing.assert_array_equal(made.rows, ROWS)
    assert made.sha256 == hashlib.sha256(ROWS.tobytes()).hexdigest()


def test_rows_cannot_be_changed_from_within_or_without() -> None:
    source = ROWS.copy()
    made = table(source)
    source[0, 0] = 99
    assert made.rows[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        made.rows[0, 0] = 1


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_other_precisions_become_float32(dtype: type) -> None:
    np.testing.assert_array_equal(table(ROWS.astype(dtype)).rows, ROWS)


def test_order_in_memory_does_not_change_the_digest() -> None:
    assert table(np.asfortranarray(ROWS)).sha256 == table(ROWS).sha256


@pytest.mark.parametrize("shape", [(12,), (1, 4, 3), (0, 3), (4, 0), ()])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValueError, match=r"has shape .*\(positions, width\)"):
        as_rows(np.zeros(shape), "it")


@pytest.mark.parametrize("dtype", [np.int64, np.bool_, np.complex64])
def test_other_numbers_are_refused(dtype: type) -> None:
    with pytest.raises(InvalidValueError, match="floating-point"):
        as_rows(ROWS.astype(dtype), "it")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
def test_numbers_that_are_no_finite_float32_are_refused(value: float) -> None:
    rows = ROWS.astype(np.float64)
    rows[2, 1] = value
    with pytest.raises(InvalidValueError, match=r"1 of 4 rows .* row 2 first"):
        as_rows(rows, "it")
