import pytest

from positions import tasks
from positions.book.pictures.length import paper

MEANS = {"nope": 0.541, "t5": 0.510, "alibi": 0.363, "rotary": 0.235, "sinusoidal": 0.130}
"""Mean exact match beyond the training lengths over the 17 task variants."""


def test_means_over_tasks_are_the_published_ones():
    scores = paper.scores(tasks.names())
    by_task = scores.groupby(["variant", "task"])["accuracy"].mean()
    found = by_task.groupby(level="variant").mean().round(3).to_dict()
    assert found == MEANS
    assert scores.groupby(["task", "variant"]).size().eq(3).all()


def test_curves_give_the_same_means_where_lengths_weigh_the_same():
    names = ["copy_v1_repeat", "sort_single", "parity"]
    curves, scores = paper.curves(names), paper.scores(names)
    longest = {name: tasks.build(name).longest for name in names}
    beyond = curves[curves["length"] > curves["task"].map(longest)]
    found = beyond.groupby(["task", "variant"])["mean"].mean()
    expected = scores.groupby(["task", "variant"])["accuracy"].mean()
    assert found.to_dict() == pytest.approx(expected.to_dict(), abs=2e-3)
    assert (curves["low"] <= curves["mean"]).all() and (curves["mean"] <= curves["high"]).all()


def test_runs_without_prefix_and_with_scratchpads_stay_out():
    curves = paper.curves(tasks.names())
    assert set(curves["task"]) == set(tasks.names())
    assert not curves.duplicated(["task", "variant", "length"]).any()
