from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from positions import tables
from positions.analysis.geometry.cosine import cosine_map, cosine_slices, thinned, unit_rows
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
TABLE = RNG.standard_normal((30, 8)) + 2.0
TURN = np.linalg.qr(RNG.standard_normal((8, 8)))[0]


@pytest.mark.parametrize("centre", [False, True])
def test_map_agrees_with_scikit_learn(centre: bool) -> None:
    rows = TABLE - TABLE.mean(axis=0) if centre else TABLE
    assert cosine_map(TABLE, centre) == pytest.approx(cosine_similarity(rows), abs=1e-12)


@pytest.mark.parametrize("centre", [False, True])
def test_rotation_and_scale_leave_the_map_alone(centre: bool) -> None:
    turned = 3.0 * TABLE @ TURN
    assert cosine_map(turned, centre) == pytest.approx(cosine_map(TABLE, centre), abs=1e-12)


def test_a_common_offset_lifts_raw_cosines_only() -> None:
    lifted = TABLE + 100.0
    assert cosine_map(lifted).min() > 0.99
    assert cosine_map(lifted, centre=True) == pytest.approx(cosine_map(TABLE, centre=True))


def test_sinusoid_has_the_cosines_of_its_formula() -> None:
    rows = tables.load("sinusoidal", positions=50, width=12).rows
    speeds = 10_000.0 ** (-2 * np.arange(6) / 12)
    gaps = np.arange(50)[:, None] - np.arange(50)
    wanted = np.cos(gaps[..., None] * speeds).mean(axis=-1)
    assert cosine_map(rows) == pytest.approx(wanted, abs=1e-6)


def test_map_keeps_to_its_range_and_diagonal() -> None:
    found = cosine_map(np.repeat(TABLE[:2], 20, axis=0) * 1e-3)
    assert np.abs(found).max() <= 1.0
    assert (np.diagonal(found) == 1.0).all()
    assert found.dtype == np.float64


def test_slices_are_cuts_of_the_map() -> None:
    assert cosine_slices(TABLE, (3, 17)) == pytest.approx(cosine_map(TABLE)[[3, 17]], abs=1e-12)


@pytest.mark.parametrize("position", [-1, 30])
def test_slices_outside_the_table_are_refused(position: int) -> None:
    with pytest.raises(InvalidValueError, match="0 to 29"):
        cosine_slices(TABLE, [2, position])


@pytest.mark.parametrize("size", [1, 4, 7, 30])
def test_thinned_is_the_mean_of_blocks(size: int) -> None:
    whole = RNG.standard_normal((30, 30))
    found = thinned(whole, size)
    edges = [index * 30 // size for index in range(size + 1)]
    for row in range(size):
        for column in range(size):
            block = whole[edges[row] : edges[row + 1], edges[column] : edges[column + 1]]
            assert found[row, column] == pytest.approx(block.mean())


def test_thinned_refuses_what_it_cannot_thin() -> None:
    with pytest.raises(InvalidValueError, match="square"):
        thinned(np.ones((4, 5)), 2)
    for size in (0, 5):
        with pytest.raises(InvalidValueError, match="1 to 4"):
            thinned(np.ones((4, 4)), size)


def test_rows_without_direction_are_named() -> None:
    holed = TABLE.copy()
    holed[5] = 0.0
    with pytest.raises(InvalidValueError, match=r"Row 5 is all zero \(1 of 30"):
        cosine_map(holed)
    assert np.isfinite(cosine_map(holed, centre=True)).all()
    with pytest.raises(InvalidValueError, match=r"Row 0 equals the mean row \(4 of 4"):
        unit_rows(np.full((4, 3), 0.1), centre=True)


@pytest.mark.parametrize(
    "table", [np.ones(5), np.ones((1, 3)), np.full((3, 3), np.nan), [["a", "b"], ["c", "d"]]]
)
def test_what_is_no_table_is_refused(table: object) -> None:
    with pytest.raises(InvalidValueError):
        cosine_map(table)


def test_bert_loses_its_bands_at_128(data_folder: Path) -> None:
    found = cosine_map(tables.load("bert-base-uncased-finetuned-a").rows, centre=True)
    early, late = found[:128, :128], found[128:256, 128:256]
    # Up to 128 the cosine falls smoothly with distance; beyond, distance says far less.
    assert _explained_by_distance(early) > 2 * _explained_by_distance(late)


def _explained_by_distance(square: np.ndarray) -> float:
    means = [np.diagonal(square, m).mean() for m in range(1, 64)]
    spread = [np.diagonal(square, m).std() for m in range(1, 64)]
    return float(np.var(means) / np.mean(np.square(spread)))
