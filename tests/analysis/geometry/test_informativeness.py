import numpy as np
import pytest
from scipy import stats

from positions import tables
from positions.analysis.geometry.informativeness import informativeness
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
TABLE = RNG.standard_normal((40, 12)) * np.arange(1, 13) + 1.0
TURN = np.linalg.qr(RNG.standard_normal((12, 12)))[0]


def sinusoid(positions: int, width: int) -> np.ndarray:
    """The sinusoid in float64."""
    angles = np.arange(positions)[:, None] * 10_000.0 ** (-np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(positions, width)


def test_rank_of_the_sinusoid_hangs_on_precision_and_tolerance() -> None:
    double = informativeness(sinusoid(512, 768))
    rounded = sinusoid(512, 768).astype(np.float32)
    single = informativeness(rounded)
    assert double.numerical_rank == np.linalg.matrix_rank(sinusoid(512, 768)) == 156
    assert single.numerical_rank == np.linalg.matrix_rank(rounded) == 145
    assert informativeness(tables.load("sinusoidal").rows).numerical_rank == 145
    # Judged as if it were exact, the rounded table spends its rounding errors on every row.
    assert informativeness(rounded.astype(np.float64)).numerical_rank == 512
    # What lies that low is next to nothing: measures without a tolerance agree.
    assert single.effective_rank == pytest.approx(double.effective_rank, rel=1e-3)


@pytest.mark.parametrize("centre", [False, True])
def test_singular_values_are_those_of_the_covariance(centre: bool) -> None:
    found = informativeness(TABLE, centre)
    rows = TABLE - TABLE.mean(axis=0) if centre else TABLE
    squares = np.linalg.eigvalsh(rows.T @ rows)[::-1]
    assert found.singular_values**2 == pytest.approx(squares)
    assert found.energy_share == pytest.approx(np.cumsum(squares) / squares.sum())
    assert found.stable_rank == pytest.approx((rows**2).sum() / squares[0])
    assert found.participation_ratio == pytest.approx(squares.sum() ** 2 / (squares**2).sum())
    assert found.effective_rank == pytest.approx(np.exp(stats.entropy(np.sqrt(squares))))


def test_rotation_leaves_everything_alone() -> None:
    found, turned = informativeness(TABLE), informativeness(TABLE @ TURN)
    assert turned.singular_values == pytest.approx(found.singular_values)
    assert turned.components == found.components
    assert turned.energy_components == found.energy_components


def test_equal_singular_values_count_their_number() -> None:
    found = informativeness(3.0 * np.eye(20, 30))
    assert found.effective_rank == pytest.approx(20)
    assert found.participation_ratio == pytest.approx(20)
    assert found.stable_rank == pytest.approx(20)
    assert found.numerical_rank == 20
    assert found.components == found.energy_components == {0.5: 10, 0.9: 18, 0.99: 20}


def test_one_direction_counts_as_one() -> None:
    found = informativeness(tables.load("ramp", positions=30, width=5).rows)
    assert found.effective_rank == pytest.approx(1.0)
    assert found.numerical_rank == 1
    assert found.components == {0.5: 1, 0.9: 1, 0.99: 1}


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_components_are_the_fewest_that_reach_the_level(level: float) -> None:
    found = informativeness(TABLE)
    values = sorted(found.singular_values, reverse=True)
    count = found.components[level]
    assert sum(values[:count]) >= level * sum(values) > sum(values[: count - 1])


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="all zero"):
        informativeness(np.zeros((5, 3)))
    with pytest.raises(InvalidValueError, match="all equal"):
        informativeness(np.full((5, 3), 0.1), centre=True)
    with pytest.raises(InvalidValueError, match="not finite"):
        informativeness([[1.0, np.inf], [0.0, 1.0]])
    with pytest.raises(InvalidValueError, match="two axes"):
        informativeness(np.ones(4))
    with pytest.raises(InvalidValueError, match="at least 2 rows"):
        informativeness(np.ones((1, 4)))
