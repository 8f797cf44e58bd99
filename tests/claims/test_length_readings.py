"""The length-generalization records behind a claim: what is compared, left out and told."""

from __future__ import annotations

import pytest

from positions import published
from positions.claims.length_readings import ENOUGH, FITTED, LengthReadings, too_few
from positions.errors import InvalidValueError

FIVE = ("nope", "t5", "alibi", "rotary", "sinusoidal")
TESTED = ("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C9")


@pytest.fixture
def readings(evidence):
    """Give a function that reads made-up runs."""
    return lambda records: LengthReadings(evidence(records))


def test_the_papers_own_means_would_all_be_compared():
    table = published.load("length-generalization/summary_iid_ood")
    within = table[
        (table.split == "iid_valid")
        & (table.scratchpad == "none")
        & ~table.task.str.endswith("noprefix")
    ]
    assert within.overall_accuracy_mean.min() == pytest.approx(0.875, abs=1e-3)
    assert within.overall_accuracy_mean.min() - 0.03 < FITTED < within.overall_accuracy_mean.min()


def test_only_runs_that_learned_are_compared(readings, run):
    found = readings(
        [
            run("scan", "nope", 0, 0.8, within=0.99),
            run("scan", "nope", 1, 0.6, within=0.84),
            run("scan", "nope", 2, None, within=None),
            run("scan", "nope", 3, 0.4, within=0.86),
            run("scan", "t5", 0, 0.5),
            run("scan", "t5", 1, 0.5),
            run("scan", "t5", 3, 0.7),
        ]
    )
    assert found.runs("nope").index.tolist() == [("scan", 0), ("scan", 3)]
    assert len(found.runs("t5")) == 3
    assert found.by_task("nope", "t5").loc["scan"].tolist() == pytest.approx([0.6, 0.6])
    assert found.runs("nope", "alibi").empty
    assert found.missing(*FIVE) == ["alibi", "rotary", "sinusoidal"]
    reason = found.finding([], [], variants=("nope", "t5")).reason
    assert "below 0.85: scan (nope 2 of 4 seeds) (1 of these runs diverged)." in reason


def test_pairs_share_their_seeds(readings, run):
    """A seed that only one side has would make the difference one of seeds."""
    found = readings(
        [
            run("lego", "nope", 0, 0.9),
            run("lego", "nope", 1, 0.1),
            run("lego", "t5", 1, 0.2),
        ]
    )
    (step,), fewest = found.steps([("nope", "t5")], 0.05)
    assert step.difference.mean == pytest.approx(0.1)
    assert (step.difference.n, fewest) == (1, 1)


def test_tasks_come_in_the_papers_order(readings, grid):
    found = readings(grid())
    assert list(found.by_task("nope").index)[:2] == ["copy_v1_repeat", "copy_v1_repeat_2x"]
    assert list(found.by_task("nope", "t5").index)[-2:] == ["scan", "pcfg"]


def test_no_records_have_no_runs(readings):
    found = readings([])
    assert found.runs("nope", "t5").empty
    assert found.missing("nope") == ["nope"]
    assert found.keys(["nope"]) == ()


def test_tasks_beyond_the_papers_are_not_compared(readings, run):
    records = [run("scan", "nope", 0, 0.5), run("scan", "nope", 1, 0.5)]
    assert len(readings(records).table) == 2
    other = records[0].model_copy(update={"config": {**records[0].config, "task": "mine"}})
    assert len(readings([other, records[1]]).table) == 1


@pytest.mark.parametrize("number", TESTED)
def test_shorter_tasks_are_compared_and_named(verdict, grid, number):
    plain = verdict(number, grid())
    assert "shorter inputs" not in plain.reason
    task = "lego"  # one that all of these claims are about
    short = verdict(number, [*grid(tasks=(task,), longest=5), *_others(grid, task)])
    assert f"Trained on shorter inputs than the paper's: {task}." in short.reason
    assert short.status == plain.status


def test_where_most_tasks_are_shorter_the_others_are_named(readings, grid):
    records = [*grid(longest=4), *_others(grid, "nothing")]
    kept = ("parity", "scan")
    mixed = [
        record
        for record in records
        if (record.config["longest"] == 4) != (record.config["task"] in kept)
    ]
    reason = readings(mixed).finding([], []).reason
    assert reason == (
        "All recorded tasks but parity, scan were trained on shorter inputs than the paper's."
    )


def _others(grid, task):
    """The runs that `grid()` makes, without one task's."""
    return [record for record in grid() if record.config["task"] != task]


@pytest.mark.parametrize("number", TESTED)
def test_a_file_that_mixes_settings_gives_no_verdict(verdict, grid, run, number):
    mixed = [*grid(seeds=1), run("scan", "nope", 0, 0.1, steps=99)]
    with pytest.raises(
        InvalidValueError, match=r"Two runs of scan, nope, seed 0.*steps \(4 / 99\)"
    ):
        verdict(number, mixed)


@pytest.mark.parametrize("number", TESTED)
def test_other_encodings_of_the_grid_change_no_verdict(verdict, grid, number):
    plain = verdict(number, grid())
    more = verdict(number, [*grid(), *grid({"learned": 0.99}, variants=("learned",))])
    assert (more.status, more.figures, more.records) == (plain.status, plain.figures, plain.records)


def test_enough_is_half_of_the_tasks():
    assert ENOUGH == 0.5
    assert too_few(9, 17) == too_few(1, 2) == ""
    assert too_few(8, 17) == "Only 8 of 17 tasks can be compared, which is too few to judge by."
