"""What the recorded runs say: one row a run, formats in order, ranks, and honest choices."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from positions import published
from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.scratchpad import readings
from positions.experiments.scratchpad.config import TASKS
from positions.experiments.scratchpad.presets import formats_of
from positions.runs import frame
from positions.runs.engine import execute

EXPERIMENT = get("scratchpad")
IDENTITY = ["task", "format", "variant", "seed"]


def row(task="parity", form="full", encoding="nope", seed=0, **changes):
    return {
        "task": task,
        "scratchpad": form,
        "encoding": encoding,
        "encoding_options": "amplitude=1.0" if encoding == "sinusoidal" else "",
        "seed": seed,
        "longest": 5,
        "learning_rate": 0.002,
        "paper_lengths": False,
        "iid_best": 0.99,
        "ood_best": 0.5,
        "ood_exact_best": 0.3,
        "ood_steps": 0.6,
        "chance": 0.5,
        "status": "ok",
        **changes,
    }


def table(*rows):
    return pd.DataFrame(rows, index=pd.Index([f"k{n}" for n in range(len(rows))], name="key"))


def accuracies(values, task="parity", variant="nope"):
    """Make scores from {format: [one accuracy a seed]}."""
    rows = [
        {"task": task, "format": form, "variant": variant, "seed": seed, "accuracy": value}
        for form, every in values.items()
        for seed, value in enumerate(every)
    ]
    return pd.DataFrame(rows).assign(iid=1.0)


def test_scores_are_one_row_a_run_in_the_papers_order():
    frame = table(
        row("lego", "full-R"),
        row("parity", "full-C"),
        row("parity", "i1_c0_o1_v0_r0"),
        row("parity", "none", "t5", ood_steps=None),
        row("parity", "none", "sinusoidal", seed=1),
        row("parity", "none", "sinusoidal", seed=0),
        row("parity", "minimal", ood_best=0.7, iid_best=0.9),
        row("addition", "full"),
    )
    found = readings.scores(frame)
    assert list(found)[:4] == IDENTITY
    assert list(found.index) == ["k7", "k5", "k4", "k3", "k6", "k1", "k2", "k0"]
    assert found.loc["k6", ["accuracy", "iid", "exact", "steps"]].tolist() == [0.7, 0.9, 0.3, 0.6]
    assert np.isnan(found.loc["k3", "steps"])


def test_formats_have_names_to_read():
    assert [readings.label(name) for name in ("none", "minimal", "full", "full-V")] == [
        "no scratchpad",
        "minimal",
        "full",
        "without variable",
    ]
    assert readings.label("i1_c0_o1_v0_r0") == "i1_c0_o1_v0_r0"
    assert len({readings.label(name) for name in (*readings.FORMATS, readings.MERGED)}) == 9
    assert readings.order(["full-R", "mine", "none", readings.MERGED, "full-C"]) == [
        "none",
        "full-C",
        readings.MERGED,
        "full-R",
        "mine",
    ]


def test_tasks_whose_formats_the_paper_merges_are_those_without_a_variable():
    assert readings.MERGING == ("sort_single", "sort_multi", "lego")
    rows = published.load("length-generalization/scratchpad_ood_accuracy")
    without = {task for task in TASKS if "full-C" not in set(rows[rows.task == task].scratchpad)}
    assert without == set(readings.MERGING)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"learning_rate": 0.01}, r"runs of parity differ in learning_rate \(0.002 / 0.01\)"),
        ({"longest": 6, "seed": 1}, r"differ in longest \(5 / 6\), so their formats"),
        ({}, r"2 runs of parity, nope, seed 0. Their settings are the same"),
        ({"paper_lengths": True}, r"They differ in paper_lengths \(False / True\)"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(changes, words):
    with pytest.raises(InvalidValueError, match=words):
        readings.scores(table(row(), row(**changes)))


def test_other_lengths_on_another_task_are_no_mixture():
    assert len(readings.scores(table(row(), row("lego", longest=4)))) == 2


def test_nothing_to_read_and_foreign_tables_are_said():
    with pytest.raises(InvalidValueError, match=r"No recorded runs.*sweep scratchpad"):
        readings.scores(table())
    with pytest.raises(InvalidValueError, match=r"lacks scratchpad, ood_exact_best"):
        readings.scores(table(row()).drop(columns=["scratchpad", "ood_exact_best"]))
    with pytest.raises(InvalidValueError, match=r"lacks chance"):
        readings.scores(table(row()).drop(columns="chance"))


def test_a_diverged_run_has_no_score():
    nothing = dict.fromkeys(("ood_best", "iid_best", "ood_exact_best", "ood_steps"))
    found = readings.scores(table(row(**nothing, status="diverged"), row("lego")))
    assert found.loc["k0", ["accuracy", "iid", "exact", "steps"]].isna().all()


def test_reads_what_a_run_records():
    configs = EXPERIMENT.configs("smoke")
    chosen = [each for each in configs if (each.encoding, each.seed) == ("alibi", 0)][:3]
    records = [execute(EXPERIMENT, each, "smoke") for each in chosen]
    found = readings.scores(frame(records))
    assert list(found["format"]) == ["none", "minimal", "full"]
    assert list(found["accuracy"]) == [each.metrics["ood_best"] for each in records]


# Formats that the paper does not tell apart.


def test_merged_formats_are_means_run_by_run():
    values = {"full": [0.9, 0.9], "full-I": [0.2, 0.4], "full-C": [0.4, 1.0], "full-R": [0, 0]}
    lego = accuracies(values, "lego")
    found = readings.merged(lego)
    assert list(found["format"].drop_duplicates()) == ["full", readings.MERGED, "full-R"]
    assert list(found[found["format"] == readings.MERGED]["accuracy"]) == pytest.approx([0.3, 0.7])
    pd.testing.assert_frame_equal(readings.merged(accuracies(values)), accuracies(values))


def test_where_one_of_the_merged_formats_does_not_count_neither_does():
    lego = accuracies({"full": [1, 1], "full-I": [0.2, 0.4], "full-C": [np.nan, 0.6]}, "lego")
    found = readings.merged(lego)
    assert found[found["format"] == readings.MERGED][["seed", "accuracy"]].to_numpy().tolist() == [
        [1, 0.5]
    ]


# Ranks.


def test_ranks_are_within_a_task_an_encoding_and_a_seed():
    values = {form: [0.1 * place, 0.8] for place, form in enumerate(formats_of("parity"))}
    found = readings.ranks(accuracies(values))
    assert list(found.index) == [("parity", "nope", 0), ("parity", "nope", 1)]
    assert found.iloc[0].tolist() == pytest.approx([1 / n for n in range(8, 0, -1)])
    assert found.iloc[1].tolist() == pytest.approx([1 / 4.5] * 8)  # equals share a rank


def test_only_whole_rows_of_whole_tasks_are_ranked():
    parity = accuracies({form: [0.5, 0.5] for form in formats_of("parity")})
    parity.loc[0, "accuracy"] = np.nan
    lego = accuracies({"none": [0.2], "full": [0.4]}, "lego")
    both = pd.concat([parity, lego])
    assert list(readings.ranks(both).index) == [("parity", "nope", 1)]
    every = readings.ranks(both, whole=False)
    assert every.loc[("lego", "nope", 0), ["none", "full"]].tolist() == [0.5, 1]
    assert np.isnan(every.loc[("lego", "nope", 0), "minimal"])
    assert readings.ranks(lego).empty


def test_merged_formats_make_a_whole_task():
    lego = accuracies({form: [0.1 * n] for n, form in enumerate(formats_of("lego"))}, "lego")
    found = readings.ranks(readings.merged(lego))
    assert list(found) == ["none", "minimal", "full", readings.MERGED, "full-O", "full-R"]
    assert found.iloc[0].tolist() == pytest.approx([1 / n for n in range(6, 0, -1)])


# Best and worst.


def test_best_and_worst_are_chosen_on_the_other_seeds():
    values = {"none": [0.5, 0.5], "minimal": [0.9, 0.1], "full": [0.2, 0.8]}
    found = readings.choices(accuracies(values))
    # in each seed the format that did best in the other one
    assert found.best.tolist() == [0.2, 0.1]
    assert found.worst.tolist() == [0.9, 0.8]
    assert found.none.tolist() == [0.5, 0.5]


def test_formats_that_are_all_alike_have_no_best():
    """Noise alone: the best mean looks better than it is, a choice on other seeds does not."""
    rng = np.random.default_rng(0)
    forms = formats_of("parity")
    cells = [
        accuracies({form: 0.5 + 0.1 * rng.normal(size=3) for form in forms}, variant=f"v{n}")
        for n in range(60)
    ]
    found = readings.choices(pd.concat(cells))
    means = pd.concat(cells).groupby(["variant", "format"])["accuracy"].mean().unstack()
    naive = means.drop(columns="none").max(axis=1) - means["none"]
    assert naive.mean() > 0.05
    assert abs((found.best - found.none).mean()) < 0.02
    assert abs((found.best - found.worst).mean()) < 0.02


def test_what_does_not_count_is_not_chosen():
    values = {"none": [0.5] * 3, "minimal": [0.9, np.nan, 0.9], "full": [0.2] * 3}
    found = readings.choices(accuracies({**values, "full-R": [0.1] * 3}))
    assert found.best.tolist() == [0.9, 0.2, 0.9]
    assert readings.choices(accuracies(values)).index.get_level_values("seed").tolist() == [0, 2]


def test_one_seed_is_chosen_in_only_where_it_is_asked_for():
    one = accuracies({"none": [0.5], "minimal": [0.9], "full": [0.2]})
    assert readings.choices(one).empty
    assert readings.choices(one, alone=True).to_numpy().tolist() == [[0.5, 0.9, 0.2]]
