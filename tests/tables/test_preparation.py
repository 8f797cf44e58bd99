"""Fitting a table to a host, against scikit-learn and by what must hold."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from positions.errors import InvalidValueError
from positions.tables.preparation import (
    first_columns,
    first_rows,
    principal,
    standardised,
    turned,
    whitened,
)

ROWS = np.random.default_rng(0).normal(size=(40, 12)) * np.arange(1, 13) + 5


def test_components_are_scikit_learns_but_for_signs() -> None:
    ours, theirs = principal(ROWS, 6), PCA(6).fit_transform(ROWS)
    signs = np.sign((ours * theirs).sum(axis=0))
    assert ours == pytest.approx(theirs * signs, abs=1e-9)


def test_all_components_keep_every_distance() -> None:
    ours = principal(ROWS, 12)
    gaps = [np.linalg.norm(x[:, None] - x[None], axis=-1) for x in (ROWS, ours)]
    assert gaps[0] == pytest.approx(gaps[1])


def test_components_do_not_depend_on_the_rows_order() -> None:
    order = np.random.default_rng(1).permutation(40)
    assert principal(ROWS[order], 5) == pytest.approx(principal(ROWS, 5)[order])


def test_scales() -> None:
    whole, columns = standardised(ROWS, 0.5), whitened(ROWS)
    assert (whole.mean(), whole.std()) == pytest.approx((0, 0.5))
    assert np.corrcoef(whole.flat, ROWS.flat)[0, 1] == pytest.approx(1)
    assert columns.mean(axis=0) == pytest.approx(np.zeros(12))
    assert columns.std(axis=0) == pytest.approx(np.ones(12))


def test_a_column_of_rounding_is_not_blown_up() -> None:
    flat = np.column_stack([ROWS, 7 + 1e-9 * ROWS[:, 0]])
    assert not whitened(flat)[:, -1].any()
    assert np.isfinite(whitened(np.ones((3, 2)))).all()


def test_turning_keeps_distances_and_spreads_the_variance() -> None:
    steep = principal(ROWS, 12)
    found = turned(steep, 3)
    assert found @ found.T == pytest.approx(steep @ steep.T)
    assert found.std(axis=0).max() < steep.std(axis=0).max()
    assert not np.allclose(found, turned(steep, 4))


def test_what_a_table_does_not_have_is_said() -> None:
    with pytest.raises(InvalidValueError, match=r"gpt2 has 40 rows and 12 columns.*width = 13"):
        principal(ROWS, 13, "gpt2")
    with pytest.raises(InvalidValueError, match="at most 5"):
        principal(ROWS[:5], 6)
    with pytest.raises(InvalidValueError, match="40 rows, and 41 are asked for"):
        first_rows(ROWS, 41)
    with pytest.raises(InvalidValueError, match="12 columns, and a width of 13"):
        first_columns(ROWS, 13)
    with pytest.raises(InvalidValueError, match="all equal"):
        standardised(np.ones((3, 2)))
