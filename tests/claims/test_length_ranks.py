"""C1 and C6: ranks over tasks."""

from __future__ import annotations

import pytest

FIVE = ("nope", "t5", "alibi", "rotary", "sinusoidal")
CLAIMED = (1, 2, 3, 4, 5)
# Ranks of the five in eight queries, whose mean reciprocals are the paper's to 0.005.
LIKE_FIGURE_1 = [(1, 2, 4, 3, 5)] * 4 + [(2, 5, 1, 3, 4)] * 2 + [(4, 1, 2, 3, 5)] * 2


@pytest.fixture
def ranked(run):
    """Give a function that makes runs of given ranks: for each task, those of each seed."""

    def build(by_task, within=1.0):
        return [
            run(task, name, seed, (6 - rank) / 10, within)
            for task, seeds in by_task.items()
            for seed, ranks in enumerate(seeds)
            for name, rank in zip(FIVE, ranks, strict=True)
        ]

    return build


@pytest.fixture
def everywhere(ranked):
    """Give a function that makes runs of the same ranks in all 17 tasks."""
    from positions.tasks import names

    return lambda seeds: ranked(dict.fromkeys(names(), seeds))


# C1: the order over all tasks.


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        (LIKE_FIGURE_1, "reproduced"),
        ([CLAIMED] * 3, "same direction"),
        ([CLAIMED, CLAIMED, (1, 2, 3, 5, 4)], "not reproduced"),  # by less than what counts
        ([(2, 1, 3, 4, 5)] * 3, "not reproduced"),
        ([CLAIMED[::-1]] * 3, "not reproduced"),
    ],
)
def test_order_of_ranks(verdict, everywhere, seeds, expected):
    found = verdict("C1", everywhere(seeds))
    assert found.status == expected
    assert len(found.records) == 17 * 5 * len(seeds)
    assert f"{17 * len(seeds)} queries are ranked (51 in the paper)" in found.reason


def test_tasks_that_disagree_leave_the_order_undecided(verdict, ranked):
    from positions.tasks import names

    mixed = {
        task: [(1, 2, 3, 4, 5) if n % 2 else (2, 1, 4, 3, 5)] * 3 for n, task in enumerate(names())
    }
    found = verdict("C1", ranked(mixed))
    assert found.status == "undecided"
    assert "paired by task" in found.reason
    assert "nope minus t5" in found.reason


def test_seeds_of_a_task_are_no_independent_witnesses(verdict, ranked):
    """Nine tasks of 17 for NoPE decide nothing, however many seeds say so."""
    from positions.tasks import names

    mixed = {task: [CLAIMED if n < 9 else (2, 1, 3, 4, 5)] * 10 for n, task in enumerate(names())}
    found = verdict("C1", ranked(mixed))
    assert found.status == "undecided"


def test_figure_of_the_order_is_over_tasks(verdict, everywhere):
    found = {figure.name: figure for figure in verdict("C1", everywhere(LIKE_FIGURE_1)).figures}
    assert list(found) == list(FIVE)
    assert found["nope"].ours == pytest.approx(0.6875)
    assert found["nope"].published == pytest.approx(0.687, abs=5e-4)
    assert found["nope"].n == 17


def test_ties_are_shared_and_favour_nobody(verdict, grid):
    """Where all do alike, the paper's rule by rows would put Rotary first and NoPE last."""
    found = verdict("C1", grid(dict.fromkeys(FIVE, 0.5), dict.fromkeys(FIVE, 1.0), noise=0.0))
    assert found.status == "not reproduced"
    assert [figure.ours for figure in found.figures] == pytest.approx([1 / 3] * 5)


@pytest.mark.parametrize("number", ["C1", "C6"])
def test_a_task_on_which_nobody_is_beyond_chance_ranks_nobody(verdict, run, everywhere, number):
    """Four right answers in a hundred more than none are no lead."""
    guessed = [
        run("addition", name, seed, beyond)
        for name, beyond in zip(FIVE, (0.04, 0.03, 0.02, 0.01, 0.0), strict=True)
        for seed in range(3)
    ]
    others = [each for each in everywhere(LED) if each.config["task"] != "addition"]
    found = verdict(number, [*others, *guessed])
    assert "48 queries are ranked (51 in the paper)" in found.reason
    assert "Not ranked, nobody being 0.05 beyond chance: addition." in found.reason
    assert "Not ranked" not in verdict(number, everywhere(LED)).reason


def test_chance_alone_is_undecided(verdict, grid):
    found = verdict("C1", grid(dict.fromkeys(FIVE, 0.0), dict.fromkeys(FIVE, 1.0), noise=0.0))
    assert found.status == "undecided"
    assert "Only 0 of 17 tasks can be compared" in found.reason


def test_whole_rotation_is_told_in_rotarys_place(verdict, grid):
    found = verdict("C1", grid({"rotary, whole": 1.0}, variants=(*FIVE, "rotary, whole")))
    assert "rotates the whole head, as the paper writes, ranks at 0.9" in found.reason
    assert "(51 queries)" in found.reason
    assert "whole head" not in verdict("C1", grid()).reason
    assert len(found.records) == 17 * 5 * 3  # it bears on nothing


def test_too_few_tasks_that_are_learned_decide_nothing(verdict, grid):
    learned = ("parity", "scan", "pcfg", "lego", "sort_single", "summation", "reverse_v1")
    constant = dict(zip(FIVE, (0.9, 0.7, 0.5, 0.3, 0.1), strict=True))
    records = grid(constant, {"t5": lambda task: 1.0 if task in learned else 0.5})
    found = verdict("C1", records)
    assert found.status == "undecided"
    assert "Only 7 of 17 tasks can be compared" in found.reason
    assert "addition (t5)" in found.reason
    assert "parity (t5)" not in found.reason
    assert found.records


def test_nothing_learned_is_undecided_and_no_loss(verdict, grid):
    found = verdict("C1", grid(within=dict.fromkeys(FIVE, 0.2)))
    assert found.status == "undecided"
    assert "Only 0 of 17" in found.reason
    assert "addition (all)" in found.reason
    assert found.ours == ""


# C6: each group.


def groups(primitive, mathematical, classic):
    from positions.experiments.length_generalization.readings import GROUPS

    of_group = {"primitive": primitive, "mathematical": mathematical, "classic": classic}
    return {task: of_group[group] for task, group in GROUPS.items()}


LED = [(1, 2, 3, 4, 5), (2, 1, 4, 3, 5), (1, 2, 5, 4, 3)]


def test_leading_in_each_group_is_at_most_the_same_direction(verdict, ranked):
    """The published figures contradict the claim, so that runs for it cannot be like them."""
    found = verdict("C6", ranked(groups(LED, LED, LED)))
    assert found.status == "same direction"
    assert "3 of 3 comparisons come out as claimed (paired by task and seed" in found.reason
    assert len(found.figures) == 15


def test_one_group_against_it_is_enough(verdict, ranked):
    beaten = [(1, 4, 2, 3, 5)] * 3
    found = verdict("C6", ranked(groups(LED, beaten, LED)))
    assert found.status == "not reproduced"
    assert "mathematical: t5 minus mathematical: alibi" in found.reason


def test_the_weaker_of_the_two_leaders_is_compared(verdict, ranked):
    found = verdict("C6", ranked(groups([(5, 1, 2, 3, 4)] * 3, LED, LED)))
    assert "primitive: nope minus primitive: alibi" in found.reason
    assert found.status == "not reproduced"


def test_the_papers_own_figures_leave_the_groups_open_at_best(verdict, grid):
    found = verdict("C6", grid())
    assert found.status in ("undecided", "not reproduced")


def test_a_group_that_is_not_learned_leaves_the_claim_undecided(verdict, ranked, run):
    kept = groups(LED, LED, LED)
    classic = {task: kept.pop(task) for task in ("scan", "pcfg")}
    found = verdict("C6", [*ranked(kept), *ranked(classic, within=0.1)])
    assert found.status == "undecided"
    assert "Only 0 of 2 classic tasks" in found.reason
    assert "2 of 2 comparisons come out as claimed" in found.reason


def test_a_refuted_group_stays_refuted_where_another_is_not_learned(verdict, ranked):
    kept = groups(LED, [(1, 4, 2, 3, 5)] * 3, LED)
    classic = {task: kept.pop(task) for task in ("scan", "pcfg")}
    found = verdict("C6", [*ranked(kept), *ranked(classic, within=0.1)])
    assert found.status == "not reproduced"


@pytest.mark.parametrize("number", ["C1", "C6"])
def test_a_missing_encoding_is_named(verdict, grid, number):
    found = verdict(number, grid(variants=("nope", "t5", "rotary", "sinusoidal")))
    assert found.status == "not tested at this scale"
    assert "No recorded runs of alibi" in found.reason
    assert "positions sweep length_generalization --preset gpu" in found.reason
    assert found.ours == ""
