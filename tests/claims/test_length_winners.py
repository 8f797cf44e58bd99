"""C3 and C9: which encoding wins in which task."""

from __future__ import annotations

import pytest

from positions.experiments.length_generalization.readings import GROUPS

FIVE = ("nope", "t5", "alibi", "rotary", "sinusoidal")
EVEN = tuple(GROUPS)[::2]  # 9 of 17


def learned(value=1.0):
    return dict.fromkeys(FIVE, value)


# C3: T5 the best explicit encoding in most tasks.


def test_t5_is_best_in_11_of_17_as_published(verdict, grid):
    found = verdict("C3", grid(noise=0.0))
    assert found.status == "reproduced"
    assert "T5's bias is best in 11 of 17 tasks (11 to 11 over resampled seeds)" in found.reason
    counts = {figure.name: figure.ours for figure in found.figures}
    assert counts == {"t5": 11, "alibi": 5, "rotary": 1, "sinusoidal": 0}


@pytest.mark.parametrize(
    ("t5", "expected"),
    [
        (0.9, "same direction"),
        (lambda task: 0.9 if task in EVEN else 0.1, "same direction"),
        (lambda task: 0.1 if task in EVEN else 0.9, "not reproduced"),
        (0.0, "not reproduced"),
    ],
)
def test_most_tasks_are_more_than_half(verdict, grid, t5, expected):
    beyond = {"t5": t5, "alibi": 0.5, "rotary": 0.4, "sinusoidal": 0.3}
    assert verdict("C3", grid(beyond, learned())).status == expected


def test_a_majority_that_hangs_on_seeds_is_undecided(verdict, grid):
    close = lambda task: 0.5 if task in tuple(GROUPS)[:6] else 0.9 if task in EVEN else 0.1  # noqa: E731
    beyond = {"t5": close, "alibi": 0.5, "rotary": 0.4, "sinusoidal": 0.3}
    found = verdict("C3", grid(beyond, learned(), noise=0.1))
    assert found.status == "undecided"
    assert "Chance among seeds decides" in found.reason


def test_one_seed_is_undecided(verdict, grid):
    found = verdict("C3", grid(seeds=1))
    assert found.status == "undecided"
    assert "Only 0 of 17 tasks can be compared" in found.reason
    assert "Left out, having one seed to compare: copy_v1_repeat, " in found.reason


def test_a_task_with_one_seed_left_is_not_counted(verdict, grid, run):
    records = [
        record
        for record in grid(noise=0.0)
        if (record.config["task"], record.config["seed"]) not in {("scan", 0), ("scan", 1)}
    ]
    found = verdict("C3", records)
    assert found.status == "same direction"
    assert "best in 10 of 16 tasks" in found.reason
    assert "having one seed to compare: scan." in found.reason


def test_tasks_in_which_all_fail_have_no_winner(verdict, grid):
    """T5 shares the first place wherever all explicit encodings get nothing."""
    some = tuple(GROUPS)[:9]
    beyond = {
        name: lambda task, name=name: 0.0 if task not in some else 0.8 if name == "alibi" else 0.1
        for name in FIVE
    }
    found = verdict("C3", grid(beyond, learned(), noise=0.0))
    assert found.status == "not reproduced"
    assert "best in 0 of 9 tasks" in found.reason
    assert "within 0.01: summation, parity, sort_single, sort_multi, poly" in found.reason


def test_counts_over_fewer_tasks_are_not_held_against_the_published_ones(verdict, grid):
    within = learned() | {"alibi": lambda task: 0.2 if task == "addition" else 1.0}
    found = verdict("C3", grid(within=within, noise=0.0))
    assert found.status == "same direction"
    assert "11 of 16 tasks" in found.reason
    assert {figure.low for figure in found.figures} == {None}


# C9: winners by task.


def test_winners_are_as_published_where_there_are_seeds_enough(verdict, grid):
    assert verdict("C9", grid(seeds=12)).status == "reproduced"
    three = verdict("C9", grid(seeds=3))
    assert three.status == "undecided"
    assert "3 seeds cannot tell a difference from chance: p is never below 0.25" in three.reason


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"sinusoidal": 0.05}, "reproduced"),  # of no figure of the claim
        ({"nope": 0.2}, "same direction"),
        ({"nope": 0.95}, "not reproduced"),
        ({"sinusoidal": 0.95}, "not reproduced"),
        ({"t5": lambda task: 0.73 if task == "sort_multi" else 0.3}, "not reproduced"),
    ],
)
def test_each_winner_is_ahead(verdict, grid, changes, expected):
    assert verdict("C9", grid(changes, learned(), seeds=12)).status == expected


def test_a_task_that_is_not_learned_leaves_it_undecided(verdict, grid):
    within = learned() | {"alibi": lambda task: 0.6 if task == "lego" else 1.0}
    found = verdict("C9", grid(within=within, seeds=12))
    assert found.status == "undecided"
    assert "On lego no seed has runs of all five to compare." in found.reason
    assert "6 of 6 comparisons come out as claimed" in found.reason
    assert "lego (alibi)" in found.reason


def test_other_tasks_do_not_bear_on_winners(verdict, grid):
    others = verdict("C9", grid(seeds=12))
    alone = verdict("C9", grid(seeds=12, tasks=("sort_multi", "polynomial", "lego")))
    assert alone.status == "reproduced"
    assert len(alone.records) == len(others.records) == 3 * 5 * 12
    failed = {"alibi": lambda task: 0.1 if task == "scan" else 1.0}
    assert "scan" not in verdict("C9", grid(within=learned() | failed, seeds=12)).reason


def test_whole_rotation_is_told_where_rotary_wins(verdict, grid):
    beyond = {"rotary, whole": 0.25}
    found = verdict(
        "C9",
        grid(
            beyond, learned() | {"rotary, whole": 1.0}, seeds=12, variants=(*FIVE, "rotary, whole")
        ),
    )
    assert "Rotating the whole head, Rotary reaches 0.2" in found.reason


@pytest.mark.parametrize("number", ["C3", "C9"])
def test_nothing_recorded_is_not_tested(verdict, grid, number):
    assert verdict(number, []).status == "not tested at this scale"
    missing = verdict(number, grid(variants=("nope", "t5", "alibi", "sinusoidal")))
    assert missing.status == "not tested at this scale"
    assert "No recorded runs of rotary" in missing.reason
