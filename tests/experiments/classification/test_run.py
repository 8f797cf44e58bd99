"""One run: what is recorded, that it comes out again, and that it learns order where it must."""

import importlib
import json

import numpy as np
import pytest

from positions.errors import InvalidValueError
from positions.experiments import get
from positions.experiments.classification.bits import unpack
from positions.runs.engine import execute
from positions.tasks import sentences

EXPERIMENT = get("classification")
one_run = importlib.import_module("positions.experiments.classification.run")
pytestmark = pytest.mark.usefixtures("book")


def test_what_is_recorded_fits_together(config) -> None:
    outcome = EXPERIMENT.run(config())
    metrics, series = outcome.metrics, outcome.series
    right = unpack(series["right"][0], sum(series["count"]))
    assert right.mean() == pytest.approx(metrics["accuracy"])
    assert len(right) == metrics["test_texts"] == 60
    assert series["length"] == sorted(series["length"])
    assert metrics["reported"] == pytest.approx(max(series["watched"]), rel=1e-4)
    assert series["step"] == [5, 10, 15, 16]
    best = series["chosen_by"].index(max(series["chosen_by"]))
    assert metrics["best_step"] == series["step"][best]
    assert 0 <= metrics["unstable"] <= 1 and 0 < metrics["kept"] < 1 and metrics["changed"] > 0
    assert metrics["majority"] == pytest.approx(0.5, abs=0.2)


def test_the_same_numbers_again(config) -> None:
    first, again = (EXPERIMENT.run(config(table="random")) for _ in range(2))
    steady = {name: value for name, value in first.metrics.items() if "second" not in name}
    assert steady == {name: again.metrics[name] for name in steady}
    assert (first.series, first.data) == (again.series, again.data)


def test_a_stopped_run_goes_on_to_the_same_numbers(config, monkeypatch) -> None:
    """Checkpoints at every step, and a stop in the middle."""
    from positions.experiments import _checkpoints

    monkeypatch.setattr(_checkpoints, "FROM_STEPS", 1)
    monkeypatch.setattr(_checkpoints, "SECONDS", 0.0)
    whole = EXPERIMENT.run(config())
    calls = []
    right = one_run.measure.right

    def stops(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return right(*arguments)

    monkeypatch.setattr(one_run.measure, "right", stops)
    with pytest.raises(KeyboardInterrupt):
        EXPERIMENT.run(config())
    monkeypatch.setattr(one_run.measure, "right", right)
    resumed = EXPERIMENT.run(config())
    assert resumed.series == whole.series
    assert resumed.metrics["accuracy"] == whole.metrics["accuracy"]


def test_tables_of_one_seed_share_everything_else(config) -> None:
    import torch

    one, other = (one_run.set_up(config(table=table)) for table in ("random", "zeros"))
    assert one.split == other.split
    theirs = dict(other.model.named_parameters())
    for name, weights in one.model.named_parameters():
        same = torch.equal(weights, theirs[name])
        assert same != name.endswith(".table"), name


def test_a_frozen_table_stays_and_has_nothing_to_keep(config) -> None:
    outcome = EXPERIMENT.run(config(frozen=True))
    assert outcome.metrics["kept"] is None and outcome.metrics["changed"] is None
    free = EXPERIMENT.run(config(table="zeros"))
    assert free.metrics["kept"] is None and free.metrics["changed"] is None
    assert outcome.metrics["parameters"] + 40 * 16 == free.metrics["parameters"]


def test_unstable_is_told_of_the_papers_read_out_alone(config) -> None:
    assert EXPERIMENT.run(config(readout="mean")).metrics["unstable"] is None


def test_a_run_that_diverged_is_recorded_as_such(config) -> None:
    record = execute(EXPERIMENT, config(learning_rate=1e30), "smoke")
    assert record.status == "diverged"
    assert record.metrics["accuracy"] is None and "right" not in record.series


def test_a_record_is_small(config, data_folder) -> None:
    """The largest test set, and as many looks as the paper takes."""
    sentences.load.cache_clear()
    record = execute(EXPERIMENT, config(task="sst1", limit=2_210, rows=64, epochs=1), "laptop")
    assert record.metrics["test_texts"] == 2_210
    assert len(record.line()) < 6_000
    assert len(json.dumps([0.12345] * 200)) * 4 + len(record.line()) < 12_000


def test_real_sets_are_read_as_they_are_dealt_out(config, data_folder) -> None:
    sentences.load.cache_clear()
    outcome = EXPERIMENT.run(config(task="trec", table="gpt2", limit=40))
    assert set(outcome.data) == {
        "sentences/TREC.train.all",
        "sentences/TREC.test.all",
        "table gpt2",
    }
    assert outcome.metrics["reported"] == outcome.metrics["accuracy"]
    setup = one_run.set_up(config(task="trec"))
    assert setup.split.given and len(setup.watched) == len(setup.split.choose)


def test_a_text_longer_than_the_table_is_refused(config) -> None:
    with pytest.raises(InvalidValueError, match=r"A text of generated has .* 20 rows"):
        EXPERIMENT.run(config(rows=20))


def test_a_table_narrower_than_the_host_is_refused(config, tmp_path) -> None:
    path = tmp_path / "narrow.npy"
    np.save(path, np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32))
    with pytest.raises(InvalidValueError, match=r"narrow\.npy has 50 rows and 8 columns"):
        EXPERIMENT.run(config(table=str(path)))


def test_too_few_texts_are_said(config, monkeypatch) -> None:
    few = sentences.Corpus("generated", 2, sentences.load("generated").train[:3])
    monkeypatch.setattr(one_run.sentences, "load", lambda name: few)
    with pytest.raises(InvalidValueError, match="has too few texts"):
        EXPERIMENT.run(config())
