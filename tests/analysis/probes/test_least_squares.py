import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, Ridge

from positions.analysis.probes.least_squares import LeastSquares, centred_inner_products
from positions.analysis.rows import Array


def sinusoid(positions: int, width: int) -> Array:
    angles = np.arange(positions)[:, None] * 10_000.0 ** (-np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(positions, width)


RNG = np.random.default_rng(0)
TABLES = {
    "more columns than rows": RNG.standard_normal((60, 90)) + 3,
    "smooth": RNG.standard_normal((60, 90)).cumsum(axis=0),
    "fewer columns than rows": RNG.standard_normal((60, 7)),
    "one column": np.arange(60.0)[:, None],
    "low rank": RNG.standard_normal((60, 5)) @ RNG.standard_normal((5, 90)),
    "sinusoid": sinusoid(60, 90),
    "float32 sinusoid": sinusoid(60, 90).astype(np.float32).astype(np.float64),
    "one-hot": np.eye(60),
    "a row twice": np.concatenate([np.ones((2, 90)), RNG.standard_normal((58, 90))]),
    "all rows equal": np.ones((60, 4)),
}
TRAIN, TEST = np.split(np.random.default_rng(1).permutation(60), [48])


@pytest.mark.parametrize("name", TABLES)
def test_fits_equal_scikit_learn(name: str) -> None:
    table, targets = TABLES[name], np.arange(60.0)
    independent = LinearRegression().fit(table[TRAIN], targets[TRAIN]).predict(table[TEST])
    assert LeastSquares(table).predict(TRAIN, TEST, targets) == pytest.approx(independent, abs=1e-5)


def test_both_ways_to_solve_are_exercised() -> None:
    assert LeastSquares(TABLES["smooth"]).fits_inner_products
    for name in ("sinusoid", "low rank", "one column", "a row twice", "all rows equal"):
        assert not LeastSquares(TABLES[name]).fits_inner_products


def test_several_targets_share_a_fit() -> None:
    probe = LeastSquares(TABLES["smooth"])
    targets = RNG.standard_normal((60, 3))
    together = probe.predict(TRAIN, TEST, targets)
    for task in range(3):
        assert together[:, task] == pytest.approx(probe.predict(TRAIN, TEST, targets[:, task]))


@pytest.mark.parametrize("name", ["smooth", "sinusoid", "one-hot"])
def test_rotation_scale_and_offset_change_nothing(name: str) -> None:
    table, targets = TABLES[name], np.arange(60.0)
    turn = np.linalg.qr(RNG.standard_normal((table.shape[1],) * 2))[0]
    moved = 7.0 * table @ turn + RNG.standard_normal(table.shape[1])
    assert LeastSquares(moved).predict(TRAIN, TEST, targets) == pytest.approx(
        LeastSquares(table).predict(TRAIN, TEST, targets), abs=1e-4
    )


@pytest.mark.parametrize("name", ["more columns than rows", "fewer columns than rows"])
def test_ridge_equals_scikit_learn(name: str) -> None:
    table, targets = TABLES[name], np.arange(60.0)
    unit = np.square(table - table.mean(axis=0)).sum(axis=1).mean()
    found = LeastSquares(table).ridge_path(TRAIN, TEST, targets, [1e-3, 0.1, 10])
    for predicted, penalty in zip(found, [1e-3, 0.1, 10], strict=True):
        model = Ridge(alpha=penalty * unit).fit(table[TRAIN], targets[TRAIN])
        assert predicted == pytest.approx(model.predict(table[TEST]), abs=1e-6)


@pytest.mark.parametrize("name", ["more columns than rows", "smooth"])
def test_components_equal_scikit_learn(name: str) -> None:
    table, targets = TABLES[name], np.arange(60.0)
    found = LeastSquares(table).component_path(TRAIN, TEST, targets, [2, 10, 1_000])
    for predicted, count in zip(found, [2, 10], strict=False):
        pca = PCA(count).fit(table[TRAIN])
        model = LinearRegression().fit(pca.transform(table[TRAIN]), targets[TRAIN])
        assert predicted == pytest.approx(model.predict(pca.transform(table[TEST])), abs=1e-6)
    everything = LeastSquares(table).predict(TRAIN, TEST, targets)
    assert found[-1] == pytest.approx(everything, abs=1e-5)


def test_inner_products_are_those_of_centred_rows() -> None:
    table = TABLES["more columns than rows"]
    inner, across = centred_inner_products(table @ table.T, TRAIN, TEST)
    train, test = (table[part] - table[TRAIN].mean(axis=0) for part in (TRAIN, TEST))
    assert inner == pytest.approx(train @ train.T)
    assert across == pytest.approx(test @ train.T)
