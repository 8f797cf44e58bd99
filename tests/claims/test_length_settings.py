"""C21: learning rate and weight decay, as recorded by another experiment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from positions import experiments
from positions.claims import get
from positions.experiments.length_generalization import EXPERIMENT

RATES = (5e-4, 1e-3, 4e-3)
TASKS = ("copy_v3_multi", "sort_single", "parity")
VARIANTS = ("nope", "t5", "rotary")


@pytest.fixture
def registered(monkeypatch):
    """An experiment `hyperparameters`, of the same kind, whether or not there is one yet."""
    known = experiments.get
    other = replace(EXPERIMENT, name="hyperparameters")
    monkeypatch.setattr(
        experiments, "get", lambda name: other if name == "hyperparameters" else known(name)
    )
    names = sorted({*experiments.names(), "hyperparameters"})
    monkeypatch.setattr(experiments, "names", lambda: names)


@pytest.fixture
def runs(run):
    """Give a function that makes runs of both experiments; settings and seeds move accuracy."""

    def build(by_setting=0.0, by_seed=0.02, within=1.0, tasks=TASKS, seeds=3):
        rng = np.random.default_rng(0)
        ours, others = [], []
        for task in tasks:
            for name in VARIANTS:
                for seed in range(seeds):
                    level = 0.5 + by_seed * rng.normal()
                    ours.append(run(task, name, seed, level))
                    others += [
                        run(
                            task,
                            name,
                            seed,
                            float(
                                np.clip(level + sign * by_setting + by_seed * rng.normal(), 0, 1)
                            ),
                            within,
                            experiment="hyperparameters",
                            learning_rate=rate,
                        )
                        for rate, sign in zip(RATES, (1, -1, 1), strict=True)
                    ]
        return ours, others

    return build


@pytest.fixture
def judged(verdict, registered):
    """Give a function that judges C21 by runs of both experiments."""
    return lambda ours, others: verdict("C21", ours, hyperparameters=others)


@pytest.mark.parametrize(
    ("by_setting", "by_seed", "expected"),
    [
        (0.0, 0.02, "same direction"),  # no figure is published, so that none is reproduced
        (0.02, 0.02, "same direction"),  # less than what counts
        (0.3, 0.02, "not reproduced"),
        (0.3, 0.3, "undecided"),
    ],
)
def test_settings_are_held_against_seeds(judged, runs, by_setting, by_seed, expected):
    found = judged(*runs(by_setting, by_seed))
    assert found.status == expected
    assert found.published == "not at hand"
    assert "paired by task and encoding" in found.reason
    names = [figure.name for figure in found.figures]
    assert names == [f"learning rate {rate:g}, weight decay 0.05" for rate in RATES] + [
        "seed to seed"
    ]


def test_changes_that_cancel_out_in_the_mean_still_count(judged, runs):
    """The settings help one encoding as much as they harm another."""
    ours, others = runs(0.0)
    sign = {"nope": 1, "t5": -1, "rotary": 1}
    moved = [
        record.model_copy(
            update={
                "metrics": {
                    **record.metrics,
                    "ood_best": record.metrics["ood_best"] + 0.3 * sign[record.config["encoding"]],
                }
            }
        )
        for record in others
    ]
    assert judged(ours, moved).status == "not reproduced"


def test_one_setting_that_matters_is_enough(judged, runs):
    ours, others = runs(0.0)
    _, far = runs(0.3)
    mixed = [
        b if b.config["learning_rate"] == 4e-3 else a for a, b in zip(others, far, strict=True)
    ]
    found = judged(ours, mixed)
    assert found.status == "not reproduced"
    assert "seed to seed plus 0.05 minus learning rate 0.004, weight decay 0.05" in found.reason


def test_change_is_the_mean_over_seeds_without_sign(judged, run):
    ours = [run("lego", "nope", seed, level) for seed, level in enumerate((0.5, 0.6, 0.4))]
    others = [
        run("lego", "nope", seed, level, experiment="hyperparameters", weight_decay=0.0)
        for seed, level in enumerate((0.6, 0.5, 0.5))
    ]
    setting, seeds = judged(ours, others).figures
    assert setting.name == "learning rate 0.002, weight decay 0"
    assert setting.ours == pytest.approx(0.1)
    assert seeds.ours == pytest.approx((0.1 + 0.1 + 0.2) / 3)


def test_few_pairs_are_undecided(judged, runs):
    found = judged(*runs(0.0, tasks=("parity",)))
    assert found.status == "undecided"


def test_settings_that_do_not_learn_are_left_out(judged, runs):
    found = judged(*runs(0.3, within=0.4))
    assert found.status == "undecided"
    assert "81 runs are left out, as in-distribution accuracy is below 0.85" in found.reason
    assert "Too few pairs of task and encoding to judge by: learning rate 0.0005" in found.reason
    assert "(0 of 9)" in found.reason


def test_diverged_runs_are_left_out(judged, runs, run):
    ours, others = runs(0.0)
    diverged = run(
        "parity", "nope", 0, None, None, experiment="hyperparameters", learning_rate=4e-3
    )
    kept = [record for record in others if record.key != diverged.key]
    assert len(kept) == len(others) - 1
    found = judged(ours, [*kept, diverged])
    assert found.status == "same direction"
    assert "1 run is left out" in found.reason


def test_runs_that_differ_in_more_are_not_compared(judged, runs, run):
    ours, _ = runs(0.0)
    longer = [
        run("parity", "nope", 0, 0.1, experiment="hyperparameters", learning_rate=1e-3, steps=99)
    ]
    found = judged(ours, longer)
    assert found.status == "undecided"
    assert "1 run is left out, as length_generalization has no run" in found.reason


def test_our_own_setting_is_not_compared_with_itself(judged, runs, run):
    ours, others = runs(0.0)
    again = [run("parity", "nope", seed, 0.0, experiment="hyperparameters") for seed in range(3)]
    found = judged(ours, [*others, *again])
    assert found.status == "same direction"
    assert len(found.figures) == len(RATES) + 1


def test_without_records_nothing_is_tested(judged, verdict, runs):
    found = judged(runs()[0], [])
    assert found.status == "not tested at this scale"
    assert "recorded as `hyperparameters`" in found.reason


def test_without_the_experiment_nothing_is_tested(verdict, runs, monkeypatch):
    names = [name for name in experiments.names() if name != "hyperparameters"]
    monkeypatch.setattr(experiments, "names", lambda: names)
    found = verdict("C21", runs()[0])
    assert found.status == "not tested at this scale"
    assert get("length-generalization/C21").missing in found.reason
