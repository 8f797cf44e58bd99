"""Paired comparisons on texts, against other ways to the same numbers."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from positions.analysis.statistics import interval
from positions.analysis.texts import FEWEST, interaction, mcnemar, paired_bootstrap
from positions.errors import InvalidValueError


def test_mcnemar_counts_the_texts_that_only_one_gets_right() -> None:
    one = [1] * 30 + [1] * 9 + [0] * 2 + [0] * 5
    other = [1] * 30 + [0] * 9 + [1] * 2 + [0] * 5
    found = mcnemar(one, other)
    assert (found.first, found.second) == (9, 2)
    by_hand = 2 * sum(stats.binom.pmf(k, 11, 0.5) for k in range(3))
    assert found.p_value == pytest.approx(by_hand)


def test_mcnemar_of_shares_goes_by_the_greater() -> None:
    found = mcnemar([0.2, 0.6, 1.0, 0.5], [0.4, 0.2, 0.8, 0.5])
    assert (found.first, found.second) == (2, 1)


def test_equal_models_do_not_differ() -> None:
    assert mcnemar([1, 0, 1], [1, 0, 1]).p_value == 1
    assert paired_bootstrap([1, 0, 1], [1, 0, 1]) == paired_bootstrap([0, 0, 0], [0, 0, 0])


def test_bootstrap_of_counts_is_the_bootstrap_of_texts() -> None:
    chance = np.random.default_rng(0)
    one, other = chance.random(400) < 0.8, chance.random(400) < 0.7
    found = paired_bootstrap(one, other)
    plain = interval(one.astype(float) - other)
    assert found.mean == pytest.approx(plain.mean)
    assert found.low == pytest.approx(plain.low, abs=0.006)
    assert found.high == pytest.approx(plain.high, abs=0.006)
    assert np.isnan(paired_bootstrap([1], [0]).low)


def made_up(texts: int, seeds: int, slope: float, spread: float = 2.0, lead: float = 0.3):
    """Draw answers from the mixed model: text and seed effects, a lead that grows with x."""
    chance = np.random.default_rng(7)
    x = chance.normal(size=texts)
    text = spread * chance.normal(size=texts) + 0.5 * x
    rows = []
    for _ in range(seeds):
        seed = 0.5 * chance.normal()
        one = chance.random(texts) < expit(text + seed + lead + slope * x)
        other = chance.random(texts) < expit(text + seed)
        rows.append((one, other, x, np.arange(texts)))
    return [np.concatenate(part) for part in zip(*rows, strict=True)]


@pytest.mark.parametrize("slope", [0.0, 0.5, -0.5])
def test_interaction_finds_the_slope_of_the_mixed_model(slope: float) -> None:
    found = interaction(*made_up(3_000, 5, slope))
    assert found.low < slope < found.high
    assert found.high - found.low < 0.25
    assert (found.p_value < 0.01) == (slope != 0)


def test_interaction_is_logistic_regression_on_the_pairs_that_tell() -> None:
    one, other, x, text = made_up(2_000, 1, 0.4)
    found = interaction(one, other, x, text)
    tells = one != other
    plain = LogisticRegression(C=np.inf, tol=1e-10).fit(x[tells, None], one[tells])
    assert found.value == pytest.approx(plain.coef_[0, 0], abs=1e-4)
    assert found.pairs == tells.sum() == found.texts


def test_pairs_of_one_text_count_as_one() -> None:
    """Answers copied ten times must not make us surer."""
    once = made_up(1_000, 1, 0.3)
    often = [np.tile(part, 10) for part in once]
    one, ten = interaction(*once), interaction(*often)
    assert ten.value == pytest.approx(one.value)
    assert (ten.low, ten.high) == pytest.approx((one.low, one.high))
    assert ten.pairs == 10 * one.pairs and ten.texts == one.texts


def test_swapping_the_models_turns_the_sign() -> None:
    one, other, x, text = made_up(1_000, 2, 0.3)
    there, back = interaction(one, other, x, text), interaction(other, one, x, text)
    assert back.value == pytest.approx(-there.value)


def test_too_little_to_tell_gives_no_slope() -> None:
    one = np.array([1] * (FEWEST - 1) + [0] * 50)
    other = 1 - one
    few = interaction(one, other, np.arange(len(one)), np.arange(len(one)))
    assert np.isnan(few.value) and few.pairs == len(one)
    flat = interaction([1, 0] * 30, [0, 1] * 30, np.ones(60), np.arange(60))
    assert np.isnan(flat.p_value)
    apart = np.repeat([0, 1], 30)  # the covariate alone says who is right
    assert np.isnan(interaction(apart, 1 - apart, apart * 2.0, np.arange(60)).value)


def test_lists_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="one value of each model"):
        mcnemar([1, 0], [1])
    with pytest.raises(InvalidValueError, match="one value of each model"):
        paired_bootstrap([], [])
    with pytest.raises(InvalidValueError, match="one finite covariate"):
        interaction([1, 0], [0, 1], [1.0], [0, 1])
    with pytest.raises(InvalidValueError, match="one finite covariate"):
        interaction([1, 0], [0, 1], [1.0, np.nan], [0, 1])


def test_several_runs_of_equal_models_seldom_differ() -> None:
    """Shares of as many runs of either: one in twenty falls below 0.05, at most."""
    chance = np.random.default_rng(5)
    p = []
    for _ in range(300):
        rate = chance.beta(3, 2, size=200)
        one, other = ((chance.random((3, 200)) < rate).mean(axis=0) for _ in range(2))
        p.append(mcnemar(one, other).p_value)
    assert np.mean(np.array(p) < 0.05) < 0.08
