from pathlib import Path

import numpy as np
import pytest
from scipy import linalg, stats

from positions import tables
from positions.analysis.geometry.cosine import cosine_map
from positions.analysis.geometry.invariance import (
    inner_product_map,
    map_invariance,
    monotonicity,
    offset_profile,
    table_invariance,
    toeplitz_r2,
    translation_error,
)
from positions.errors import InvalidValueError, UnknownNameError

RNG = np.random.default_rng(0)
MAP = RNG.standard_normal((25, 25))
WALK = RNG.standard_normal((80, 12)).cumsum(axis=0)
TURN = np.linalg.qr(RNG.standard_normal((12, 12)))[0]


@pytest.mark.parametrize("proximity", ["cosine", "inner product"])
def test_sinusoid_is_translation_invariant(proximity: str) -> None:
    found = table_invariance(tables.load("sinusoidal", positions=200, width=64).rows, proximity)
    assert found.toeplitz_r2 == pytest.approx(1.0, abs=1e-9)
    assert found.translation_error == pytest.approx(0.0, abs=1e-5)


def test_gaussian_rows_know_no_offset() -> None:
    rows = RNG.standard_normal((300, 200))
    for centre in (False, True):
        found = table_invariance(rows, centre=centre)
        # By chance, 299 means explain 299 of 44,850 distinct cosines.
        assert found.toeplitz_r2 == pytest.approx(2 / 300, abs=0.004)
        assert found.translation_error > 0.95
        assert found.local_forward == pytest.approx(0.0, abs=0.05)
        assert found.global_backward == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("proximity", ["cosine", "inner product"])
@pytest.mark.parametrize("centre", [False, True])
def test_rotation_leaves_all_measures_alone(proximity: str, centre: bool) -> None:
    found = table_invariance(WALK, proximity, centre)
    turned = table_invariance(WALK @ TURN, proximity, centre)
    assert list(vars(turned).values()) == pytest.approx(list(vars(found).values()), abs=1e-9)


def test_a_toeplitz_map_is_invariant_and_scores_its_own_order() -> None:
    falling = linalg.toeplitz(np.exp(-np.arange(40) / 10))
    found = map_invariance(falling)
    assert found.toeplitz_r2 == pytest.approx(1.0)
    assert found.translation_error == pytest.approx(0.0, abs=1e-9)
    assert found.local_forward == found.global_backward == 1.0
    rising = map_invariance(-falling)
    assert rising.local_backward == rising.global_forward == -1.0


def test_forward_and_backward_are_told_apart() -> None:
    # Falls ahead, rises behind: only a map that is not symmetric can do this.
    found = map_invariance(linalg.toeplitz(np.arange(30.0), -np.arange(30.0)))
    assert found.local_forward == found.global_forward == 1.0
    assert found.local_backward == found.global_backward == -1.0


def test_measures_agree_with_naive_loops() -> None:
    n = len(MAP)
    diagonals: dict[int, list[float]] = {}
    for i in range(n):
        for j in set(range(n)) - {i}:
            diagonals.setdefault(j - i, []).append(MAP[i, j])
    everything = [v for values in diagonals.values() for v in values]
    within = sum((v - np.mean(values)) ** 2 for values in diagonals.values() for v in values)
    around = sum((v - np.mean(everything)) ** 2 for v in everything)
    assert toeplitz_r2(MAP) == pytest.approx(1 - within / around)
    total = sum(len(values) * np.std(values) for values in diagonals.values()) / (n * n - n)
    assert translation_error(MAP) == pytest.approx(total / np.std(everything))
    profile = offset_profile(MAP)
    assert set(profile.offsets) == set(diagonals)
    for offset, mean, count in zip(profile.offsets, profile.mean, profile.count, strict=True):
        assert mean == pytest.approx(np.mean(diagonals[int(offset)]))
        assert count == len(diagonals[int(offset)])


@pytest.mark.parametrize("reach", [4, 20, None])
def test_monotonicity_is_kendalls_tau(reach: int | None) -> None:
    taus = []
    for x in range(25 - (reach or 20)):
        ahead = MAP[x, x + 1 :][:reach]
        taus.append(stats.kendalltau(-np.arange(len(ahead)), ahead).statistic)
    assert monotonicity(MAP, reach) == pytest.approx(np.mean(taus))


def test_equal_values_are_neither_rising_nor_falling() -> None:
    assert monotonicity(np.eye(30)) == 0.0
    noisy = np.eye(30) + 1e-16 * MAP[0, 0] * np.arange(30)
    assert monotonicity(noisy, reach=None) == 0.0


def test_the_diagonal_says_nothing() -> None:
    other = MAP + np.diag(np.arange(25.0))
    assert toeplitz_r2(other) == pytest.approx(toeplitz_r2(MAP))
    assert translation_error(other) == pytest.approx(translation_error(MAP))


@pytest.mark.parametrize("centre", [False, True])
def test_one_hot_rows_differ_in_nothing_that_could_be_invariant(centre: bool) -> None:
    found = table_invariance(np.eye(40), centre=centre)
    assert np.isnan(found.toeplitz_r2)
    assert np.isnan(found.translation_error)
    assert found.local_forward == found.global_backward == 0.0
    assert map_invariance(np.zeros((30, 30))).global_forward == 0.0


def test_inner_products_agree_with_loops() -> None:
    moved = WALK - WALK.mean(axis=0)
    assert inner_product_map(WALK)[3, 7] == pytest.approx(sum(WALK[3] * WALK[7]))
    assert inner_product_map(WALK, centre=True)[3, 7] == pytest.approx(sum(moved[3] * moved[7]))


def test_bad_input_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="cosine, inner product"):
        table_invariance(WALK, "cosin")
    with pytest.raises(InvalidValueError, match="square"):
        toeplitz_r2(np.ones((25, 24)))
    with pytest.raises(InvalidValueError, match="at least 22 rows"):
        map_invariance(np.eye(21))
    with pytest.raises(InvalidValueError, match="not finite"):
        table_invariance(np.full((30, 3), np.nan))
    with pytest.raises(InvalidValueError, match="two axes"):
        table_invariance(np.ones(30))
    with pytest.raises(InvalidValueError, match="all zero"):
        table_invariance(np.zeros((30, 3)))


@pytest.mark.parametrize("copy", ["a", "b", "c"])
def test_bert_is_more_regular_up_to_128_than_beyond(copy: str, data_folder: Path) -> None:
    rows = tables.load(f"bert-base-uncased-finetuned-{copy}").rows
    stretches = [rows[start : start + 128] for start in (0, 128, 256, 384)]
    early, *late = [table_invariance(stretch) for stretch in stretches]
    assert early.toeplitz_r2 > max(found.toeplitz_r2 for found in late)
    assert early.translation_error < min(found.translation_error for found in late)


def test_gpt2_is_far_more_invariant_than_bert(data_folder: Path) -> None:
    gpt2 = toeplitz_r2(cosine_map(tables.load("gpt2").rows[:512]))
    bert = toeplitz_r2(cosine_map(tables.load("bert-base-uncased-finetuned-a").rows))
    assert gpt2 > 0.7 > 0.4 > bert
