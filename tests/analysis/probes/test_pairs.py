import numpy as np
import pytest

from positions.analysis.probes import pairs
from positions.analysis.probes.splits import shuffled_folds
from positions.errors import InvalidValueError


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_pairs_are_drawn_without_replacement_from_all_cells() -> None:
    every = pairs.draw(12, 144, rng())
    assert {tuple(pair) for pair in every} == {(i, j) for i in range(12) for j in range(12)}
    assert (pairs.draw(12, 50, rng()) == pairs.draw(12, 50, rng())).all()


def test_pairs_of_given_positions_stay_near_where_asked() -> None:
    positions = np.array([3, 40, 41, 44, 90])
    drawn = pairs.draw(positions, pairs.cell_count(positions, 4), rng(), near=4)
    assert {tuple(pair) for pair in drawn} == {
        (i, j) for i in positions for j in positions if abs(i - j) <= 4
    }


@pytest.mark.parametrize("count", [0, 10])
def test_more_pairs_than_cells_are_refused(count: int) -> None:
    with pytest.raises(InvalidValueError, match="1 to 9"):
        pairs.draw(3, count, rng())


def test_no_position_is_on_both_sides() -> None:
    for train, test in pairs.inside(shuffled_folds(60, 1), 100, rng()):
        assert not set(train.ravel()) & set(test.ravel())
        assert (len(train), len(test)) == (80, 20)


def test_bands_hold_every_pair_once() -> None:
    grid = pairs.grid(np.arange(512))
    sums, counts = pairs.by_band(pairs.distance(grid).astype(float), grid)
    assert counts.sum() == 512**2
    assert counts[:2].tolist() == [512, 2 * 511]
    assert sums.sum() == pytest.approx(np.abs(grid[:, 0] - grid[:, 1]).sum())
