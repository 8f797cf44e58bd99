"""Length generalisation: configs, presets, and what one run measures."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
import torch

from killed_run import STEPS, resumed
from positions import published
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments import get
from positions.experiments.length_generalization import (
    LengthConfig,
    measure,
    one_run,
    readings,
)
from positions.model import LanguageModel, generate
from positions.runs import Store, frame
from positions.runs.engine import execute
from positions.tasks import Sizes

EXPERIMENT = get("length_generalization")
RECORDED = Path(__file__).parents[2] / "results"
TINY = {
    "task": "parity",
    "encoding": "nope",
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
    "steps": 40,
    "batch_size": 16,
    "learning_rate": 0.01,
    "evaluate_every": 5,
}


def config(**changes) -> LengthConfig:
    return LengthConfig(**{**TINY, **changes})


def repeatable(outcome):
    """All that a run found, times left out."""
    metrics = {k: v for k, v in outcome.metrics.items() if k != "steps_per_second"}
    return metrics, outcome.series, outcome.data, outcome.status


# Configs and presets.


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"task": "copy"}, UnknownNameError, ["task 'copy'", "copy_v1_repeat", "pcfg"]),
        ({"encoding": "rotarry"}, UnknownNameError, ["'rotarry'", "Did you mean 'rotary'?"]),
        ({"encoding_options": "amplitude=1"}, UnknownNameError, ["option of nope", "amplitude"]),
        ({"encoding_options": "width=8"}, UnknownNameError, ["option of nope", "'width'"]),
        (
            {"encoding": "rotary", "encoding_options": "fraction=0.3"},
            InvalidValueError,
            ["fraction=0.3", "Valid fractions"],
        ),
        ({"encoding_options": "fraction 0.5"}, InvalidValueError, ["name=value", "encoding_opt"]),
        ({"test_longest": 6}, InvalidValueError, ["test length", "test_longest=6"]),
        ({"longest": 3}, InvalidValueError, ["parity", "shortest=4", "longest=3"]),
        ({"symbols": 10}, UnknownNameError, ["option of parity", "'symbols'"]),
        ({"heads": 3}, InvalidValueError, ["width = 16", "heads = 3"]),
        ({"learning_rate": 0.0}, InvalidValueError, ["learning_rate", "0.0"]),
        ({"learning_rat": 0.1}, InvalidValueError, ["Did you mean 'learning_rate'?"]),
        ({"seed": -1}, InvalidValueError, ["seed = -1"]),
    ],
)
def test_bad_config_is_one_clear_message(changes, error, words):
    with pytest.raises(error) as caught:
        config(**changes)
    message = str(caught.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vocabulary": 5}, ["vocabulary = 5", "parity"]),
        ({"train": 2}, ["train = 2", "a larger train"]),
        ({"token_limit": 3}, ["token_limit = 3", "Raise token_limit"]),
        ({"distinct": True, "train": 5000}, ["5000 different training examples", "distinct"]),
        ({"paper_lengths": True}, ["paper_lengths", "parity"]),
    ],
)
def test_sizes_that_cannot_be_had_are_told(changes, words):
    with pytest.raises(InvalidValueError) as caught:
        one_run.set_up(config(**changes))
    assert [word for word in words if word not in str(caught.value)] == []


def test_options_have_one_spelling_and_so_one_key():
    one = config(encoding="rotary", encoding_options="layout=half  fraction=0.50")
    other = config(encoding="rotary", encoding_options="fraction=0.5 layout=half")
    assert one == other
    assert EXPERIMENT.key(one) == EXPERIMENT.key(other)
    assert one.encoding_options == "fraction=0.5 layout=half"
    for encoding, spelt in {
        "rotary": ["fraction=1.0", "fraction=1", "fraction=1e0"],
        "learned": ["std=1.0", "std=1"],
        "sinusoidal": ["amplitude=1.0 base=100.0", "base=100 amplitude=1"],
        "t5": ["buckets=8 std=2.0", "std=2 buckets=8"],
    }.items():
        keys = {EXPERIMENT.key(config(encoding=encoding, encoding_options=text)) for text in spelt}
        assert len(keys) == 1, encoding
        assert config(encoding=encoding, encoding_options=spelt[-1]).encoding_options == spelt[0]


def test_making_a_config_draws_no_random_numbers():
    before = torch.get_rng_state()
    config(encoding="learned")
    assert torch.equal(before, torch.get_rng_state())


def test_paper_preset_has_the_papers_weights_and_sizes():
    chosen = {(each.task, each.seed): each for each in EXPERIMENT.configs("paper")}
    weights = {}
    for task, vocabulary in (("scan", 30), ("pcfg", 536)):
        each = chosen[task, 256788]
        with torch.device("meta"):
            model = LanguageModel(each.model(vocabulary, 256), "t5")
        weights[task] = sum(p.numel() for p in model.parameters())
    assert weights == {"scan": 109_607_040, "pcfg": 110_006_400}
    for task, sizes in {
        "scan": (15_997, 888, 3_136),
        "copy_v2_replace": (100_000, 7_057, 10_000),
    }.items():
        each = chosen[task, 146317]
        sets = each.build_task().dataset(sizes=Sizes(each.train, each.test))
        assert (len(sets.train), len(sets.validation_half(each.seed)), len(sets.test)) == sizes


def test_paper_preset_takes_the_steps_that_were_logged():
    logged = published.load("length-generalization/runs")
    logged = logged[(logged.task == "pcfg") & (logged.scratchpad == "none")]
    logged = logged.assign(pe=logged.pe.replace("ape", "sinusoidal"))
    steps = {
        (row.pe, row.seed): round(row.epochs * row.n_train / 64, -4) for row in logged.itertuples()
    }
    runs = EXPERIMENT.configs("paper")
    ours = {(each.encoding, each.seed): each.steps for each in runs if each.task == "pcfg"}
    assert ours == steps
    assert len(steps) == 15
    assert {each.steps for each in runs if each.task != "pcfg"} == {40_000}


@pytest.mark.parametrize("preset", sorted(EXPERIMENT.presets.keys() - {"smoke"}))
def test_all_encodings_of_a_task_get_the_same_model_and_training(preset):
    own = {"encoding", "encoding_options", "seed", *(["steps"] if preset == "paper" else [])}
    tasks: dict[str, set[str]] = {}
    grid: dict[str, set] = {}
    for each in EXPERIMENT.configs(preset):
        shared = {name: value for name, value in each.canonical().items() if name not in own}
        tasks.setdefault(each.task, set()).add(json.dumps(shared, sort_keys=True))
        grid.setdefault(each.task, set()).add((each.encoding, each.encoding_options, each.seed))
    assert len(tasks) == 17
    assert {task: len(settings) for task, settings in tasks.items()} == dict.fromkeys(tasks, 1)
    for task, runs in grid.items():
        seeds = {run[2] for run in runs}
        names = {run[:2] for run in runs}
        assert len(seeds) >= 3
        first = [run for run in runs if run[2] in sorted(seeds)[:3]]
        assert len(first) == 3 * len(names), f"{task} lacks a combination"
        assert {"nope", "sinusoidal", "t5", "alibi", "rotary"} <= {name for name, _ in names}


def test_laptop_has_five_seeds_where_nope_and_t5_are_close():
    recorded = frame(Store(RECORDED).load("length_generalization", "laptop"))
    table = readings.scores(recorded[recorded.seed < 3])
    means = table.groupby(["task", "variant"]).accuracy.mean().unstack()
    apart = (means["nope"] - means["t5"]).abs()
    close = set(apart[apart < 0.1].index) & set(table[table.iid >= 0.85].task)
    more = [each for each in EXPERIMENT.configs("laptop") if each.seed >= 3]
    runs = {
        (each.task, readings.variant(each.encoding, each.encoding_options), each.seed)
        for each in more
    }
    assert runs == set(itertools.product(close, readings.PAPER_VARIANTS, (3, 4)))
    assert len(runs) == len(more)


# One run.


def test_smoke_runs_make_whole_records():
    for each in EXPERIMENT.configs("smoke"):
        if each.seed or each.encoding not in ("sinusoidal", "learned", "rotary"):
            continue
        record = execute(EXPERIMENT, each, "smoke")
        metrics, series = record.metrics, record.series
        assert record.status == "ok"
        assert record.provenance.data.keys() == {"examples"}
        assert series["step"] == [2, 4]
        assert metrics["steps_done"] == 4
        assert metrics["steps_per_second"] > 0
        assert None not in metrics.values()
        sets = each.build_task().dataset(sizes=Sizes(each.train, each.test))
        used = sets.validation_half(each.seed) + sets.test
        for prefix, labels in (
            ("", [example.length for example in used]),
            ("category_", [example.category for example in used]),
        ):
            name = "category" if prefix else "length"
            if prefix and each.task != "addition":
                assert name not in series
                continue
            assert dict(zip(series[name], series[f"{prefix}count"], strict=True)) == {
                label: labels.count(label) for label in labels
            }
            for which in ("best", "last"):
                # the accuracies by label, put together again, are the two of the whole sets
                right = sum(
                    count * accuracy
                    for count, accuracy in zip(
                        series[f"{prefix}count"],
                        series[f"{prefix}accuracy_{which}"],
                        strict=True,
                    )
                )
                n = len(used) - len(sets.test)
                expected = metrics[f"iid_{which}"] * n + metrics[f"ood_{which}"] * len(sets.test)
                assert right == pytest.approx(expected)


def test_same_config_gives_the_same_numbers_whatever_was_drawn_before():
    torch.manual_seed(1)
    first = one_run.run(config(steps=10))
    torch.manual_seed(2)
    second = one_run.run(config(steps=10))
    other = one_run.run(config(steps=10, seed=2))
    assert repeatable(first) == repeatable(second)
    assert repeatable(first) != repeatable(other)
    assert first.data == other.data


def test_best_weights_are_the_earliest_best_and_last_are_the_last():
    outcome = one_run.run(config(seed=2, learning_rate=0.03, evaluate_every=4, steps=80))
    metrics, curve = outcome.metrics, outcome.series["validation_accuracy"]
    best = max(curve)
    assert best > curve[-1], "the tiny run must get worse in the end for this test to say anything"
    assert metrics["iid_best"] == best
    assert metrics["best_step"] == outcome.series["step"][curve.index(best)]
    assert metrics["iid_last"] == curve[-1]
    n = len([x for x in outcome.series["length"] if x <= 6])
    counts = outcome.series["count"][:n]
    right = sum(c * a for c, a in zip(counts, outcome.series["accuracy_best"][:n], strict=True))
    assert right / sum(counts) == pytest.approx(best)


@pytest.mark.parametrize(
    "changes",
    [
        {"task": "parity"},
        {"task": "copy_v3_multi", "symbols": 2, "longest": 3, "test_longest": 5},
    ],
)
def test_exact_match_is_what_greedy_decoding_gets(changes):
    learnt = config(**changes, encoding="t5", train=300, steps=120, dropout=0.0, learning_rate=0.02)
    setup = one_run.set_up(learnt)
    one_run.train(learnt, setup)
    seen = set()
    for part in (setup.validation, setup.test):
        for example, right in zip(
            part.examples, measure.solved(setup.model, part).tolist(), strict=True
        ):
            prompt = torch.tensor([setup.tokenizer.encode(example.source)])
            written = generate(setup.model, prompt, end=setup.tokenizer.end_id, max_new=20)
            text = setup.tokenizer.decode(written.rows()[0])
            assert right == setup.task.score(example.source + text, example)
            seen.add(right)
    assert seen == {True, False}


def test_examples_past_the_token_limit_are_not_solved():
    free = one_run.set_up(config())
    limited = one_run.set_up(config(token_limit=int(free.test.data.lengths.max()) - 1))
    for part in (free.test, limited.test):
        assert len(part.examples) == 90
    longest = [example.length for example in limited.test.examples]
    model = limited.model

    def always(*args, **kwargs):
        return torch.ones(len(args[1]), dtype=torch.bool)

    measured, measure.exact_match = measure.exact_match, always
    try:
        assert measure.solved(model, free.test).all()
        found = measure.solved(model, limited.test)
    finally:
        measure.exact_match = measured
    assert [length for length, right in zip(longest, found.tolist(), strict=True) if not right] == [
        length for length in longest if length == 9
    ]


def test_a_diverged_run_is_recorded_as_such():
    record = execute(EXPERIMENT, config(learning_rate=1e30, dropout=0.0, clip=1e30), "smoke")
    assert record.status == "diverged"
    assert record.metrics["steps_done"] < 40
    names = ("iid_best", "ood_best", "iid_last", "ood_last")
    assert [record.metrics[name] for name in names] == [None] * 4
    assert "length" not in record.series


# Interruption.


def test_a_killed_run_goes_on_and_gives_the_same_numbers(project):
    run = config(steps=STEPS, evaluate_every=50)
    found = resumed(EXPERIMENT, run, project)
    expected = repeatable(one_run.run(run))
    assert found == json.loads(json.dumps(expected[:3]))
