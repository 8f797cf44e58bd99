import numpy as np
import pytest

from positions.claims import Figure
from positions.claims.rules import (
    agrees,
    certain,
    compare,
    correct,
    decide,
    explain_figures,
    explain_steps,
    figure,
    mean_figure,
)


def runs(mean, spread, seed, count=20):
    noise = np.random.default_rng(seed).normal(size=count)
    return {run: float(mean + spread * value) for run, value in enumerate(noise)}


def order(pairs, values, effect=1.0):
    return correct(compare(pairs, values, effect, "points"))


def steps(low, middle, high, spread=1.0, effect=1.0):
    values = {
        name: runs(mean, spread, seed)
        for seed, (name, mean) in enumerate([("a", low), ("b", middle), ("c", high)])
    }
    return order([("a", "b"), ("b", "c")], values, effect)


def test_clear_order_holds():
    assert decide(steps(0, 10, 20)) == "same direction"


def test_reversed_order_fails():
    assert decide(steps(0, 20, 10)) == "not reproduced"


def test_noise_decides_nothing():
    found = steps(0, 0.3, 20, spread=3.0, effect=0.5)
    assert decide(found) == "undecided"
    assert "1 of 2 comparisons come out as claimed" in explain_steps(found)
    assert "b minus a:" in explain_steps(found)


def test_difference_that_is_surely_too_small_to_count_fails():
    assert decide(steps(0, 0.1, 20, spread=0.05)) == "not reproduced"


def test_few_seeds_decide_nothing_however_clear():
    values = {"a": runs(0, 1, 0, count=3), "b": runs(100, 1, 1, count=3)}
    assert decide(order([("a", "b")], values)) == "undecided"


def test_more_comparisons_ask_for_more_seeds():
    values = {"a": runs(0, 1, 0, count=6), "b": runs(100, 1, 1, count=6)}
    assert decide(order([("a", "b")], values)) == "same direction"
    values |= {"c": runs(200, 1, 2, count=6), "d": runs(300, 1, 3, count=6)}
    three = order([("a", "b"), ("b", "c"), ("c", "d")], values)
    assert decide(three) == "undecided"  # 3 x 2 / 2**6 is above 0.05


def test_only_shared_seeds_are_compared():
    values = {"a": {0: 1.0, 1: 5.0}, "b": {1: 6.0, 2: 100.0}}
    (step,) = order([("a", "b")], values)
    assert (step.difference.mean, step.difference.n) == (1.0, 1)
    assert order([("a", "b")], {"a": {0: 1.0}, "b": {1: 1.0}}) == []


@pytest.mark.parametrize(
    ("gap", "expected"),
    [(0.3, "same direction"), (0.05, "not reproduced"), (-0.3, "not reproduced")],
)
def test_fixed_rows_leave_nothing_to_chance(gap, expected):
    found = correct([certain("late rows", "early rows", gap, 0.1, "in tau")])
    assert decide(found) == expected
    assert " p " not in explain_steps(found)


def test_certain_steps_do_not_make_others_harder_to_pass():
    values = {"a": runs(0, 1, 0, count=6), "b": runs(100, 1, 1, count=6)}
    some = compare([("a", "b")], values, 1.0, "points")
    fixed = [certain("c", "d", 1.0, 0.1, "in tau")] * 9
    assert decide(correct([*some, *fixed])) == "same direction"


@pytest.mark.parametrize(
    ("published", "expected"),
    [(10.0, "reproduced"), (13.5, "same direction"), (None, "same direction")],
)
def test_figures_part_reproduced_from_same_direction(published, expected):
    values = runs(10, 1, 0, count=200)
    ours = figure("b", list(values.values()), published)
    clear = order([("a", "b")], {"a": runs(0, 1, 1, count=200), "b": values})
    assert decide(clear, [ours]) == expected


def test_one_figure_outside_is_enough_to_lose_reproduced():
    inside = Figure("x", published=1.0, ours=1.0, low=0.9, high=1.1, n=9)
    outside = Figure("y", published=2.0, ours=1.0, low=0.9, high=1.1, n=9)
    assert decide(steps(0, 10, 20), [inside, outside]) == "same direction"
    assert explain_figures([inside, outside]) == (
        "The published figures of x lie in our 95 % range of single runs, those of y outside it."
    )


def test_agreement_allows_for_two_printed_decimals():
    exact = Figure("sinusoidal", published=0.0, ours=0.004, low=0.004, high=0.004, n=20)
    assert agrees(exact)
    assert not agrees(Figure("x", published=0.0, ours=0.02, low=0.02, high=0.02, n=20))
    assert agrees(Figure("x", published=0.0, ours=0.02)) is None


def test_range_is_that_of_single_runs_and_not_of_their_mean():
    values = np.random.default_rng(0).normal(size=4000)
    found = figure("x", list(values))
    assert found.low == pytest.approx(-1.96, abs=0.1)
    assert found.high == pytest.approx(1.96, abs=0.1)
    assert figure("x", []).ours is None
    assert figure("x", [3.0]).low is None


def test_a_published_mean_is_compared_with_the_interval_of_our_mean():
    values = list(np.random.default_rng(0).normal(size=400))
    single, mean = figure("x", values, 0.5), mean_figure("x", values, 0.5)
    assert (single.ours, single.n) == (mean.ours, mean.n)
    assert mean.high - mean.low == pytest.approx(4 * 0.98 / 20, rel=0.15)
    assert (agrees(single), agrees(mean)) == (True, False)
    assert mean_figure("x", []).ours is None
    assert (mean_figure("x", [3.0]).ours, mean_figure("x", [3.0]).low) == (3.0, None)


def test_reasons_say_what_is_paired_and_no_interval_of_a_single_pair():
    values = {"a": runs(0, 1, 0, count=8), "b": runs(100, 1, 1, count=8)}
    assert "(paired by task, largest" in explain_steps(order([("a", "b")], values), "task")
    (single,) = order([("a", "b")], {"a": {0: 1.0}, "b": {0: 3.0}})
    assert explain_steps([single], "task") == (
        "0 of 1 comparison comes out as claimed (paired by task). b minus a: 2.00 points."
    )


def test_no_difference_is_written_as_minus_zero():
    (step,) = order([("a", "b")], {"a": {0: 0.001}, "b": {0: 0.0}})
    assert "b minus a: 0.00 points." in explain_steps([step])


def test_many_figures_are_counted_and_few_are_named():
    inside = [Figure(f"x{n}", published=1.0, ours=1.0, low=0.9, high=1.1, n=9) for n in range(9)]
    outside = Figure("y", published=2.0, ours=1.0, low=0.9, high=1.1, n=9)
    assert explain_figures([*inside, outside], "95 % interval") == (
        "9 published figures lie in our 95 % interval, those of y outside it."
    )
    assert "x0, x1 and x2 lie in" in explain_figures(inside[:3])
