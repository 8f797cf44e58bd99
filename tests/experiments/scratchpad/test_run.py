"""What one run of the scratchpad experiment records."""

from __future__ import annotations

import json

import pytest

from positions.experiments import _checkpoints, get
from positions.experiments.scratchpad import ScratchpadConfig, run, writing
from positions.runs.engine import execute
from positions.tasks import Sizes

EXPERIMENT = get("scratchpad")
SHARES = [
    f"{part}_{name}" for part in ("iid", "ood") for name in ("best", "exact_best", "exact_last")
]


def tiny(**changes) -> ScratchpadConfig:
    first = EXPERIMENT.configs("smoke")[0]
    return first.changed(**{"scratchpad": "full", **changes})


def repeatable(outcome):
    """All that a run found, times left out."""
    metrics = {k: v for k, v in outcome.metrics.items() if k != "steps_per_second"}
    return json.loads(json.dumps([metrics, outcome.series, outcome.data, outcome.status]))


def test_smoke_runs_make_whole_records():
    for each in EXPERIMENT.configs("smoke"):
        if each.seed or each.encoding != "t5":
            continue
        record = execute(EXPERIMENT, each, "smoke")
        metrics, series = record.metrics, record.series
        assert record.status == "ok"
        assert record.experiment == "scratchpad"
        assert series["step"] == [2, 4]
        none = {name for name, value in metrics.items() if value is None}
        assert none == ({"iid_steps", "ood_steps"} if each.scratchpad == "none" else set())
        assert metrics["iid_exact_best"] <= metrics["iid_best"]
        assert metrics["ood_exact_best"] <= metrics["ood_best"]

        sets = each.build_task().dataset(sizes=Sizes(each.train, each.test))
        used = sets.validation_half(each.seed) + sets.test
        lengths = [example.length for example in used]
        counts = dict(zip(series["length"], series["count"], strict=True))
        assert counts == {length: lengths.count(length) for length in lengths}
        n = len(used) - len(sets.test)
        for name, metric in (
            ("accuracy_best", "best"),
            ("exact_best", "exact_best"),
            ("exact_last", "exact_last"),
        ):
            right = sum(c * a for c, a in zip(series["count"], series[name], strict=True))
            expected = metrics[f"iid_{metric}"] * n + metrics[f"ood_{metric}"] * len(sets.test)
            assert right == pytest.approx(expected)
        assert ("category" in series) == (each.task == "addition")

        longest = max((len(each.build_task().steps(one.source)) for one in used), default=0)
        steps = 0 if each.scratchpad == "none" else longest
        assert series["step_number"] == list(range(1, steps + 1))
        for part, size in (("iid", n), ("ood", len(sets.test))):
            reached, wrong = series[f"reached_{part}"], series[f"wrong_{part}"]
            assert len(reached) == len(wrong) == steps
            assert all(w <= r for r, w in zip(reached, wrong, strict=True))
            if steps:
                assert reached[0] == size
            assert len(series[f"fault_{part}"]) == len(series["fault"])
        few = [len(series[f"failure_{name}"]) for name in ("length", "prompt", "text", "reason")]
        assert len(set(few)) == 1
        assert few[0] <= 3


def test_same_config_gives_the_same_numbers():
    first, second, other = run(tiny()), run(tiny()), run(tiny(seed=3))
    assert repeatable(first) == repeatable(second)
    assert repeatable(first) != repeatable(other)
    assert first.data == other.data


def test_a_diverged_run_is_recorded_as_such():
    record = execute(EXPERIMENT, tiny(learning_rate=1e30, dropout=0.0, clip=1e30), "smoke")
    assert record.status == "diverged"
    assert {record.metrics[name] for name in [*SHARES, "iid_steps", "ood_steps"]} == {None}
    assert "failure_text" not in record.series


def test_an_interrupted_run_does_not_train_again(project, monkeypatch):
    """One that was stopped while it wrote goes on from its last weights, to the same numbers."""
    config = tiny(steps=200, evaluate_every=100)
    expected = repeatable(run(config))
    kept = project / "_build" / "checkpoints" / "scratchpad" / EXPERIMENT.key(config)
    assert not kept.exists()

    def stop(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writing, "write", stop)
        with pytest.raises(KeyboardInterrupt):
            run(config)
    assert {int(path.name.split("-")[1]) for path in kept.glob("step-*")} == {200}
    resumed = run(config)
    assert repeatable(resumed) == expected
    assert not kept.exists(), "checkpoints must go when the run is over"


def test_short_runs_keep_nothing(project):
    assert _checkpoints.of_run("scratchpad", "key", 199) is None
    found = _checkpoints.of_run("scratchpad", "key", 200)
    assert found.folder == project / "_build" / "checkpoints" / "scratchpad" / "key"
