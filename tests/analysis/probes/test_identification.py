import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

from positions import tables
from positions.analysis.probes import identification
from positions.analysis.probes.splits import rest, shuffled_folds
from positions.errors import InvalidValueError

NOISE_TABLE = np.random.default_rng(0).standard_normal((50, 20))


def test_nearest_row_is_the_nearest_neighbour() -> None:
    errors = []
    for fold in shuffled_folds(50, 1):
        train = rest(50, fold)
        model = KNeighborsRegressor(1).fit(NOISE_TABLE[train], train)
        errors.append(np.abs(model.predict(NOISE_TABLE[fold]) - fold).mean())
    assert identification.nearest_row(NOISE_TABLE, 1) == pytest.approx(np.mean(errors))


def test_nearest_row_of_sinusoid_and_noise() -> None:
    sinusoid = identification.nearest_row(tables.load("sinusoidal").rows, 0)
    assert sinusoid == pytest.approx(1.05, abs=0.04)
    noise = [identification.nearest_row(tables.load("gaussian").rows, seed) for seed in range(3)]
    assert np.mean(noise) == pytest.approx(168, abs=12)


def test_separation_of_known_rows() -> None:
    rows = np.array([[3.0, 0.0], [3.0, 4.0], [3.0, 4.0], [0.0, 4.0]])
    found = identification.separation(rows)
    assert found.nearest == pytest.approx([4, 0, 0, 3])
    assert (found.smallest, found.collisions) == (0, 2)
    assert identification.separation(rows[:2]).relative == pytest.approx(4 / 4)


def test_identification_falls_with_noise_from_perfect_to_chance() -> None:
    accuracy, error = identification.under_noise(NOISE_TABLE, 0, (0, 0.5, 2, 1e4))
    assert (accuracy[0], error[0]) == (1, 0)
    assert (np.diff(accuracy) <= 0).all()
    assert accuracy[-1] == pytest.approx(1 / 50, abs=0.05)


def test_the_scale_of_a_table_does_not_matter() -> None:
    first, _ = identification.under_noise(NOISE_TABLE, 0, (1.0, 2.0))
    second, _ = identification.under_noise(1e-3 * NOISE_TABLE, 0, (1.0, 2.0))
    assert first == pytest.approx(second)


def test_negative_noise_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="Noise"):
        identification.under_noise(NOISE_TABLE, 0, (-1.0,))
