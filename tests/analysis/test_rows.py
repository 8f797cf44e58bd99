import numpy as np
import pytest

from positions.analysis.rows import as_rows, centred
from positions.errors import InvalidValueError


def test_rows_are_float64_and_keep_their_values() -> None:
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    rows = as_rows(table)
    assert rows.dtype == np.float64
    assert (rows == table).all()
    assert centred(rows).mean(axis=0) == pytest.approx([0, 0])


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (np.zeros(4), "two axes"),
        (np.zeros((1, 4)), "at least 2 rows"),
        (np.zeros((4, 0)), "1 column"),
        ([[0.0, 1.0], [np.nan, 1.0]], "row 1"),
        ([[0.0, 1.0], [2.0]], "2-D array"),
        ([["a"], ["b"]], "2-D array"),
    ],
)
def test_what_is_no_table_is_named(table: object, says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        as_rows(table)  # type: ignore[arg-type]
