from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.decomposition import PCA

from positions import tables
from positions.analysis.geometry.helix import fit_circle, helix
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
BASIS = np.linalg.qr(RNG.standard_normal((10, 10)))[0]


def coil(turns: float, count: int = 400, radius: float = 1.0, height: float = 6.0) -> np.ndarray:
    """A helix in three directions of ten, with an offset."""
    along = np.linspace(0, 1, count)
    angle = 2 * np.pi * turns * along + 0.5
    curve = np.stack([radius * np.cos(angle), radius * np.sin(angle), height * along], axis=1)
    return curve @ BASIS[:3] + 4.0


def test_a_helix_is_found_with_its_turns() -> None:
    found = helix(coil(turns=12))
    assert found.plane == (1, 2)
    assert found.circle.turns == pytest.approx(12, rel=0.01)
    assert found.circle.radius == pytest.approx(1.0, rel=0.02)
    assert found.circle.roundness > 0.95
    assert found.circle.angle_r2 > 0.999
    assert found.pitch_r2 > 0.99
    assert found.explained.sum() == pytest.approx(1.0)


def test_a_flat_helix_has_its_circle_in_the_leading_components() -> None:
    assert helix(coil(turns=12, height=0.5)).plane == (0, 1)


def test_scores_are_scikit_learns() -> None:
    rows = RNG.standard_normal((50, 10)) * np.arange(1, 11)
    found, independent = helix(rows), PCA(3).fit(rows)
    assert np.abs(found.scores) == pytest.approx(np.abs(independent.transform(rows)))
    assert found.explained == pytest.approx(independent.explained_variance_ratio_)
    assert found.norms == pytest.approx(np.linalg.norm(rows, axis=1))


def test_rotation_leaves_the_curve_alone() -> None:
    found, turned = helix(coil(turns=3)), helix(coil(turns=3) @ BASIS)
    assert turned.circle.turns == pytest.approx(found.circle.turns)
    assert turned.circle.angle_r2 == pytest.approx(found.circle.angle_r2)
    assert turned.pitch_r2 == pytest.approx(found.pitch_r2)
    assert np.abs(turned.scores) == pytest.approx(np.abs(found.scores))


def test_r2_is_that_of_a_regression_on_the_index() -> None:
    found = helix(RNG.standard_normal((40, 10)).cumsum(axis=0), plane=(0, 2))
    index = np.arange(40)
    angle = stats.linregress(index, found.circle.angle)
    assert found.circle.angle_r2 == pytest.approx(angle.rvalue**2)
    assert found.circle.turns == pytest.approx(abs(angle.slope) * 39 / (2 * np.pi))
    assert found.pitch_r2 == pytest.approx(stats.linregress(index, found.scores[:, 1]).rvalue ** 2)


@pytest.mark.parametrize("arc", [0.2, 1.0, 2.5])
def test_a_circle_is_fitted_exactly_even_to_an_arc(arc: float) -> None:
    angle = np.linspace(1.0, 1.0 - 2 * np.pi * arc, 60)
    found = fit_circle(np.stack([3 + 2 * np.cos(angle), 2 * np.sin(angle) - 7], axis=1))
    assert found.centre == pytest.approx([3, -7])
    assert found.radius == pytest.approx(2)
    assert found.roundness == pytest.approx(1)
    assert found.turns == pytest.approx(arc)
    assert found.angle_r2 == pytest.approx(1)


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="three directions"):
        helix(tables.load("ramp", positions=20, width=5).rows)
    with pytest.raises(InvalidValueError, match="three directions"):
        helix(np.full((20, 5), 0.1))
    with pytest.raises(InvalidValueError, match=r"\(0, 1\), \(0, 2\) and \(1, 2\)"):
        helix(coil(3), plane=(1, 0))
    with pytest.raises(InvalidValueError, match="line"):
        fit_circle(np.outer(np.arange(9.0), [1.0, 2.0]))
    with pytest.raises(InvalidValueError, match="positions, 2"):
        fit_circle(np.ones((9, 3)))
    for table in (np.ones(9), np.eye(3), np.full((9, 4), np.nan)):
        with pytest.raises(InvalidValueError):
            helix(table)


def test_gpt2_is_a_helix_of_two_turns(data_folder: Path) -> None:
    found = helix(tables.load("gpt2").rows)
    assert found.plane == (0, 1)
    assert found.circle.turns == pytest.approx(2, abs=0.1)
    assert found.circle.angle_r2 > 0.95
    assert found.pitch_r2 > 0.9
    noise = helix(tables.load("gaussian", positions=1024).rows)
    assert noise.circle.angle_r2 < 0.95
    assert noise.pitch_r2 < 0.1
