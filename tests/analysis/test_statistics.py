import numpy as np
import pytest
from scipy import stats

from positions.analysis import statistics
from positions.analysis.statistics import (
    central_range,
    holm,
    interval,
    intervals,
    paired_difference,
    rank_agreement,
)
from positions.errors import InvalidValueError

VALUES = np.random.default_rng(3).gamma(2.0, size=25)


def test_interval_agrees_with_scipy() -> None:
    found = interval(VALUES)
    independent = stats.bootstrap((VALUES,), np.mean, method="percentile", rng=1)
    assert found.mean == pytest.approx(VALUES.mean())
    assert found.low == pytest.approx(independent.confidence_interval.low, abs=0.05)
    assert found.high == pytest.approx(independent.confidence_interval.high, abs=0.05)
    assert found.n == 25
    assert found.mean in found


def test_interval_covers_the_true_mean_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    hits = [0.0 in interval(rng.standard_normal(30), level=0.9) for _ in range(400)]
    assert 0.84 < np.mean(hits) < 0.94


def test_interval_repeats_and_follows_its_level() -> None:
    assert interval(VALUES) == interval(VALUES)
    wide, narrow = interval(VALUES, level=0.99), interval(VALUES, level=0.5)
    assert wide.low < narrow.low < narrow.mean < narrow.high < wide.high


def test_interval_of_degenerate_values() -> None:
    one = interval([2.5])
    assert (one.mean, one.n) == (2.5, 1)
    assert np.isnan([one.low, one.high]).all()
    equal = interval([0.1, 0.1])
    assert equal.low == equal.high == equal.mean == pytest.approx(0.1)
    assert interval([3.0, 3.0]) == statistics.Interval(3.0, 3.0, 3.0, 2)


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [np.inf], [[1.0, 2.0]], ["a"], None])
def test_values_that_give_no_interval_are_named(values: object) -> None:
    with pytest.raises(InvalidValueError):
        interval(values)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [0, 1, 95, -0.5])
def test_a_level_outside_zero_and_one_is_refused(level: float) -> None:
    with pytest.raises(InvalidValueError, match="level"):
        interval(VALUES, level=level)


def test_intervals_of_columns_are_the_columns_intervals() -> None:
    curves = np.stack([VALUES, VALUES**2], axis=1)
    mean, low, high = intervals(curves)
    for point in range(2):
        alone = interval(curves[:, point])
        assert (mean[point], low[point], high[point]) == pytest.approx(
            (alone.mean, alone.low, alone.high)
        )


def test_central_range_holds_the_central_values() -> None:
    values = np.arange(101.0)
    found = central_range(values)
    assert (found.low, found.high) == pytest.approx((2.5, 97.5))
    assert 50.0 in found
    assert 99.0 not in found
    assert np.isnan(central_range([1.0]).low)


def test_paired_difference_sees_what_an_unpaired_test_would_miss() -> None:
    rng = np.random.default_rng(1)
    shared = rng.normal(scale=10, size=12)
    a, b = shared + 0.5 + rng.normal(scale=0.1, size=12), shared
    found = paired_difference(a, b)
    assert found.low > 0.3
    assert found.p_value < 0.01
    assert stats.ttest_ind(a, b).pvalue > 0.5
    back = paired_difference(b, a)
    assert back.mean == pytest.approx(-found.mean)
    assert back.p_value == pytest.approx(found.p_value)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_paired_p_value_is_exact_for_few_pairs(n: int) -> None:
    found = paired_difference(np.arange(1.0, n + 1), np.zeros(n))
    assert found.p_value == pytest.approx(2.0 ** (1 - n))


def test_paired_p_value_is_uniform_without_an_effect() -> None:
    rng = np.random.default_rng(2)
    p = [paired_difference(*rng.standard_normal((2, 8))).p_value for _ in range(200)]
    assert 0.01 < np.mean(np.array(p) <= 0.05) < 0.1
    assert np.mean(p) == pytest.approx(0.5, abs=0.08)


def test_paired_difference_of_equal_runs_is_no_difference() -> None:
    found = paired_difference(VALUES, VALUES)
    assert (found.mean, found.low, found.high, found.p_value) == (0, 0, 0, 1)


def test_paired_difference_needs_pairs() -> None:
    with pytest.raises(InvalidValueError, match="every run"):
        paired_difference([1.0, 2.0], [1.0])


def test_holm_corrects_as_worked_by_hand() -> None:
    # Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1, never falling: 0.04, 0.06, 0.06, 0.06.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@pytest.mark.parametrize("p", [[-0.1], [1.2], [np.nan]])
def test_holm_refuses_what_is_no_p_value(p: list[float]) -> None:
    with pytest.raises(InvalidValueError, match="P-values"):
        holm(p)


@pytest.mark.parametrize("kind", ["kendall", "spearman"])
def test_rank_agreement_reads_ranks_only(kind: str) -> None:
    same = rank_agreement(VALUES, np.exp(VALUES), kind)  # type: ignore[arg-type]
    assert (same.value, same.low, same.high) == pytest.approx((1, 1, 1))
    opposite = rank_agreement(VALUES, -VALUES, kind)  # type: ignore[arg-type]
    assert opposite.value == pytest.approx(-1)
    noise = rank_agreement(VALUES, np.roll(VALUES, 5), kind)  # type: ignore[arg-type]
    assert noise.low < 0 < noise.high
    assert noise.p_value > 0.05


def test_rank_agreement_of_few_items_has_no_interval() -> None:
    found = rank_agreement([1, 2, 3], [1, 3, 2])
    assert found.value == pytest.approx(1 / 3)
    assert np.isnan(found.low)


def test_rank_agreement_says_what_is_wrong() -> None:
    with pytest.raises(InvalidValueError, match="kendall, spearman"):
        rank_agreement([1, 2], [1, 2], "pearson")  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="equal"):
        rank_agreement([1, 1, 1], [1, 2, 3])
    with pytest.raises(InvalidValueError, match="one length"):
        rank_agreement([1, 2, 3], [1, 2])


def test_resamples_are_enough_to_be_stable() -> None:
    first, second = interval(VALUES, seed=1), interval(VALUES, seed=2)
    assert first.low == pytest.approx(second.low, abs=0.1 * VALUES.std())
    assert statistics.RESAMPLES >= 1_000
