"""One run: whole records, the same numbers again, interruption, and texts that will not do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from killed_run import STEPS, resumed
from positions.analysis.bleu import bleu
from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.translation.run import COLUMNS, _table, set_up, train, translated
from positions.runs.engine import execute

EXPERIMENT = get("translation")
CONFTEST = Path(__file__).with_name("conftest.py")
pytestmark = pytest.mark.usefixtures("book")


def repeatable(outcome):
    """All that a run found, times left out."""
    metrics = {k: v for k, v in outcome.metrics.items() if k != "steps_per_second"}
    return metrics, outcome.series, outcome.data, outcome.status


@pytest.mark.parametrize("preparation", ["matched", "paper"])
def test_a_record_holds_scores_counts_and_examples(config, preparation) -> None:
    record = execute(EXPERIMENT, config(preparation=preparation, steps=80), "smoke")
    metrics, series = record.metrics, record.series
    assert record.status == "ok"
    found = np.array([series[name] for name in COLUMNS]).T
    assert found.shape == (8, 6)
    assert bleu(found) == pytest.approx(metrics["bleu"])
    assert metrics["length_ratio"] == pytest.approx(found[:, 4].sum() / found[:, 5].sum())
    assert series["source_length"] == [5] * 8 == series["reference_length"]
    assert [len(series[f"example_{name}"]) for name in ("source", "written", "reference")] == [
        3,
        3,
        3,
    ]
    assert "tok:none" in series["signature"][0] and "tok:13a" in series["signature_written"][0]
    assert 0 < metrics["kept_encoder"] < 1 and 0 < metrics["kept_decoder"] < 1
    assert {"text", "byte pairs, source", "table sinusoidal"} <= record.provenance.data.keys()


def test_a_translator_learns_to_translate(config) -> None:
    metrics = EXPERIMENT.run(config(steps=500, width=32, evaluate_every=250)).metrics
    assert metrics["bleu"] > 20 and metrics["bleu_written"] > 20


def test_only_tables_that_are_not_frozen_move(config) -> None:
    for frozen in (True, False):
        run = config(frozen=frozen)
        setup = set_up(run)
        before = _table(setup.model, "encoder")
        train(run, setup)
        assert torch.equal(before, _table(setup.model, "encoder")) == frozen
    assert EXPERIMENT.run(config(frozen=True)).metrics["kept_encoder"] is None


def test_first_weights_do_not_depend_on_the_tables(config) -> None:
    one, other = (set_up(config(encoder=name)).model for name in ("zeros", "random"))
    for name, weight in one.state_dict().items():
        assert torch.equal(weight, other.state_dict()[name]) != ("encoder.placement" in name), name


def test_smoothing_is_in_the_loss_and_not_in_what_chooses_the_weights(config) -> None:
    smoothed, plain = (EXPERIMENT.run(config(smoothing=each)) for each in (0.5, 0.0))
    assert smoothed.series["training_loss"][0] != plain.series["training_loss"][0]
    assert smoothed.metrics["validation_loss"] == min(smoothed.series["validation_loss"]) or (
        smoothed.metrics["validation_loss"]
        == pytest.approx(min(smoothed.series["validation_loss"]), rel=1e-5)
    )


def test_no_translation_depends_on_its_batch(config) -> None:
    run = config(steps=60)
    setup = set_up(run)
    train(run, setup)
    assert translated(run, setup) == translated(run.model_copy(update={"decode_at_once": 3}), setup)


def test_the_same_numbers_again_and_others_with_another_seed(config) -> None:
    first, again, other = (EXPERIMENT.run(config(seed=seed)) for seed in (1, 1, 2))
    assert repeatable(first) == repeatable(again)
    assert other.series["training_loss"] != first.series["training_loss"]


def test_a_model_that_diverged_is_recorded_as_such(config) -> None:
    record = execute(EXPERIMENT, config(learning_rate=1e30, clip=None), "smoke")
    assert record.status == "diverged"
    assert record.metrics["bleu"] is None and "example_source" not in record.series


def test_a_sentence_longer_than_the_tables_stops_the_run_before_it_trains(config) -> None:
    with pytest.raises(InvalidValueError, match=r"has \d+ tokens.*rows = 4\. Choose rows"):
        EXPERIMENT.run(config(rows=4))
    with pytest.raises(InvalidValueError, match="more than a batch's tokens = 3"):
        EXPERIMENT.run(config(batch_tokens=3))
    with pytest.raises(InvalidValueError, match="too small: 256 bytes"):
        EXPERIMENT.run(config(vocabulary=100))


def test_a_killed_run_goes_on_and_gives_the_same_numbers(config, book, monkeypatch) -> None:
    run = config(steps=STEPS, evaluate_every=50)
    found = resumed(EXPERIMENT, run, book, CONFTEST)
    monkeypatch.setattr("positions.experiments._checkpoints.FROM_STEPS", 10_000)
    torch.set_num_threads(1)
    expected = repeatable(EXPERIMENT.run(run))
    assert found == json.loads(json.dumps(expected[:3]))
