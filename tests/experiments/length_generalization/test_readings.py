"""What the recorded runs say: names, one row a run, one row a length."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from positions import published, tasks
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import get
from positions.experiments.length_generalization import readings
from positions.runs import frame
from positions.runs.engine import execute


def row(task="parity", encoding="nope", options="", seed=0, **changes):
    return {
        "task": task,
        "encoding": encoding,
        "encoding_options": options,
        "seed": seed,
        "learning_rate": 0.001,
        "steps": 100,
        "iid_best": 0.99,
        "ood_best": 0.5,
        "iid_last": 0.98,
        "ood_last": 0.4,
        "chance": 0.5,
        "status": "ok",
        **changes,
    }


def table(*rows):
    return pd.DataFrame(rows, index=pd.Index([f"k{n}" for n in range(len(rows))], name="key"))


def recorded(task="parity", encoding="nope", options="", seed=0, longest=2, **changes):
    settings = {"task": task, "encoding": encoding, "encoding_options": options, "seed": seed}
    series = {
        "length": [1, 2, 3, 4],
        "count": [5, 6, 7, 8],
        "accuracy_best": [1.0, 0.9, 0.2, 0.1],
        "accuracy_last": [1.0, 0.8, 0.1, 0.0],
    }
    return SimpleNamespace(config={**settings, "longest": longest, **changes}, series=series)


def test_groups_hold_the_papers_tasks_in_its_order():
    assert list(readings.GROUPS) == tasks.names()
    sizes = pd.Series(readings.GROUPS).value_counts().to_dict()
    assert sizes == {"primitive": 8, "mathematical": 7, "classic": 2}
    summary = published.load("length-generalization/summary_iid_ood")
    plain = summary[(summary.scratchpad == "none") & ~summary.task.str.endswith("noprefix")]
    assert set(plain.task) == set(readings.GROUPS)


@pytest.mark.parametrize("preset", ["smoke", "gpu"])
def test_the_grid_has_the_seven_variants(preset):
    configs = get("length_generalization").configs(preset)
    found = {readings.variant(each.encoding, each.encoding_options) for each in configs}
    assert found == set(readings.VARIANTS)
    assert set(readings.PAPER_VARIANTS) <= found


@pytest.mark.parametrize(
    ("encoding", "options", "name"),
    [
        ("nope", "", "nope"),
        ("sinusoidal", "amplitude=1", "sinusoidal"),
        ("sinusoidal", "amplitude=0.1", "sinusoidal amplitude=0.1"),
        ("learned", "", "learned std=0.02"),
        ("learned", "std=1.0", "learned"),
        ("rotary", "", "rotary, whole"),
        ("rotary", "fraction=0.25", "rotary"),
        ("rotary", "layout=half fraction=0.25", "rotary fraction=0.25 layout=half"),
        ("mine", "", "mine"),
    ],
)
def test_one_name_for_an_encoding_with_its_options(encoding, options, name):
    assert readings.variant(encoding, options) == name


def test_options_that_cannot_be_read_are_refused():
    with pytest.raises(InvalidValueError, match="name=value"):
        readings.variant("rotary", "0.25")


def test_scores_are_one_row_a_run_in_the_papers_order():
    frame = table(
        row("scan", "rotary", "fraction=0.25"),
        row("parity", "t5", seed=1),
        row("parity", "t5", seed=0, ood_best=0.7, ood_last=0.6),
        row("parity", "nope"),
        row("mine"),
    )
    found = readings.scores(frame)
    assert list(found) == ["task", "group", "variant", "seed", "accuracy", "iid", "chance"]
    assert list(found.index) == ["k3", "k2", "k1", "k0", "k4"]
    assert list(found.group) == ["mathematical"] * 3 + ["classic", "other"]
    assert found.loc["k2", ["accuracy", "iid"]].tolist() == [0.7, 0.99]
    last = readings.scores(frame, weights="last")
    assert last.loc["k2", ["accuracy", "iid"]].tolist() == [0.6, 0.98]
    within = readings.scores(frame, within=True)
    assert within.accuracy.tolist() == within.iid.tolist() == found.iid.tolist()


def test_a_diverged_run_has_no_score():
    none = dict.fromkeys(["iid_best", "ood_best", "iid_last", "ood_last"], float("nan"))
    found = readings.scores(table(row(), row(seed=1, status="diverged", **none)))
    assert found.accuracy.isna().tolist() == found.iid.isna().tolist() == [False, True]


def test_mixed_settings_are_refused_by_name():
    frame = table(row(), row(learning_rate=0.01, steps=50), row(seed=1), row(seed=1, steps=9))
    with pytest.raises(InvalidValueError) as caught:
        readings.scores(frame)
    assert "2 runs of parity, nope, seed 0 (1 more like it)" in str(caught.value)
    assert "steps (100 / 50), learning_rate (0.001 / 0.01)" in str(caught.value)
    with pytest.raises(InvalidValueError, match=r"longest \(2 / 3\)"):
        readings.by_length([recorded(), recorded(longest=3)])
    with pytest.raises(InvalidValueError, match="settings are the same"):
        readings.scores(table(row(), row()))


def test_spellings_of_one_encoding_are_not_two_encodings():
    frame = table(row(encoding="rotary"), row(encoding="rotary", options="fraction=1.0"))
    with pytest.raises(InvalidValueError, match=r"rotary, whole, seed 0.*encoding_options"):
        readings.scores(frame)


def test_no_runs_and_other_tables_are_refused():
    for empty in (pd.DataFrame(), table(row()).iloc[:0]):
        with pytest.raises(InvalidValueError, match="positions sweep length_generalization"):
            readings.scores(empty)
    with pytest.raises(InvalidValueError, match="No recorded runs"):
        readings.by_length([])
    with pytest.raises(InvalidValueError, match="lacks encoding, chance, ood_best"):
        readings.scores(table(row()).drop(columns=["encoding", "chance", "ood_best"]))


@pytest.mark.parametrize(
    "read",
    [
        lambda w: readings.scores(table(row()), weights=w),
        lambda w: readings.by_length([recorded()], weights=w),
    ],
)
def test_unknown_weights_are_refused(read):
    with pytest.raises(UnknownNameError, match="Did you mean 'best'"):
        read("bests")


def test_by_length_says_which_lengths_were_trained_on():
    diverged = SimpleNamespace(config=recorded(seed=2).config, series={"step": [1]})
    records = [recorded("scan", seed=1), diverged, recorded("parity", "t5"), recorded("parity")]
    found = readings.by_length(records)
    assert list(found) == ["task", "variant", "seed", "length", "count", "accuracy", "trained"]
    assert len(found) == 12
    assert list(found.task + found.variant)[::4] == ["paritynope", "parityt5", "scannope"]
    assert found.length[:4].tolist() == [1, 2, 3, 4]
    assert found.trained[:4].tolist() == [True, True, False, False]
    assert found.accuracy[:4].tolist() == [1.0, 0.9, 0.2, 0.1]
    assert readings.by_length(records, weights="last").accuracy[3] == 0.0
    assert list(readings.by_length([diverged])) == list(found)


def test_what_a_run_records_is_what_is_read():
    experiment = get("length_generalization")
    settings = {
        "task": "parity",
        "encoding": "rotary",
        "encoding_options": "fraction=0.25",
        "seed": 1,
        "longest": 6,
        "test_longest": 9,
        "train": 200,
        "test": 90,
        "width": 16,
        "heads": 2,
        "layers": 1,
        "hidden": 32,
        "dropout": 0.1,
        "steps": 4,
        "batch_size": 16,
        "learning_rate": 0.01,
        "evaluate_every": 2,
    }
    record = execute(experiment, experiment.config(**settings), "smoke")
    (run,) = readings.scores(frame([record])).itertuples()
    assert (run.Index, run.variant, run.group) == (record.key, "rotary", "mathematical")
    curve = readings.by_length([record])
    assert curve.length.tolist() == [4, 5, 6, 7, 8, 9]
    assert curve.trained.tolist() == [True] * 3 + [False] * 3
    for trained, accuracy in ((True, run.iid), (False, run.accuracy)):
        part = curve[curve.trained == trained]
        assert (part["count"] * part.accuracy).sum() / part["count"].sum() == pytest.approx(
            accuracy
        )
