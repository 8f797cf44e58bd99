from pathlib import Path

import numpy as np
import pytest

from positions import tables
from positions.analysis.geometry.cosine import cosine_map
from positions.analysis.geometry.nearby import nearby, nearby_by_band
from positions.errors import InvalidValueError

TABLE = np.random.default_rng(0).standard_normal((60, 6)).cumsum(axis=0)


@pytest.mark.parametrize("centre", [False, True])
def test_nearby_reads_the_diagonals_of_the_cosine_map(centre: bool) -> None:
    found = nearby(TABLE, reach=9, centre=centre)
    cosines = cosine_map(TABLE, centre)
    assert list(found.offsets) == list(range(1, 10))
    for k in range(1, 10):
        assert found.mean[k - 1] == pytest.approx(np.diagonal(cosines, k).mean())
        assert found.deviation[k - 1] == pytest.approx(np.diagonal(cosines, k).std())


def test_bands_compare_rows_within_themselves() -> None:
    bands = nearby_by_band(TABLE, reach=5, band=20)
    assert [(found.first, found.last) for found in bands] == [(0, 19), (20, 39), (40, 59)]
    for found in bands:
        alone = nearby(TABLE[found.first : found.last + 1], reach=5)
        assert found.mean == pytest.approx(alone.mean)
        assert found.deviation == pytest.approx(alone.deviation)


def test_bands_are_centred_by_the_whole_table() -> None:
    moved = TABLE - TABLE.mean(axis=0)
    centred = nearby_by_band(TABLE, reach=5, band=20, centre=True)
    for found, wanted in zip(centred, nearby_by_band(moved, reach=5, band=20), strict=True):
        assert found.mean == pytest.approx(wanted.mean)


@pytest.mark.parametrize(("rows", "last"), [(512, 511), (514, 511), (300, 299), (40, 39)])
def test_a_last_band_too_short_to_compare_is_left_out(rows: int, last: int) -> None:
    table = np.random.default_rng(1).standard_normal((rows, 4))
    assert nearby_by_band(table)[-1].last == last


def test_sinusoid_is_alike_everywhere() -> None:
    rows = tables.load("sinusoidal", positions=256, width=32).rows
    found = nearby(rows)
    assert found.deviation == pytest.approx(np.zeros(32), abs=1e-6)
    speeds = 10_000.0 ** (-np.arange(16) / 16)
    assert found.mean[6] == pytest.approx(np.cos(7 * speeds).mean(), abs=1e-6)


def test_bad_input_is_refused() -> None:
    for reach in (0, 60):
        with pytest.raises(InvalidValueError, match="1 to 59 positions"):
            nearby(TABLE, reach=reach)
    with pytest.raises(InvalidValueError, match="longer than the reach"):
        nearby_by_band(TABLE, reach=20, band=20)
    with pytest.raises(InvalidValueError, match="all zero"):
        nearby(np.zeros((50, 3)))
    with pytest.raises(InvalidValueError, match="two axes"):
        nearby(np.ones(50))


def test_gpt2_neighbours_are_nearly_equal_and_berts_are_not(data_folder: Path) -> None:
    gpt2 = nearby(tables.load("gpt2").rows[:512], centre=True)
    bert = nearby(tables.load("bert-base-uncased-finetuned-a").rows, centre=True)
    assert gpt2.mean[0] > 0.99 > 0.8 > bert.mean[0]
    assert gpt2.mean[31] > 0.7 > 0.2 > abs(bert.mean[31])
