"""One run: whole records, the same numbers again, interruption, and texts that will not do."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from killed_run import STEPS, resumed
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError
from positions.experiments import get
from positions.experiments.context.run import measured, set_up, train
from positions.runs.engine import execute
from positions.tasks import corpora

EXPERIMENT = get("context")
CONFTEST = Path(__file__).with_name("conftest.py")
pytestmark = pytest.mark.usefixtures("book")


def repeatable(outcome):
    """All that a run found, times left out."""
    metrics = {k: v for k, v in outcome.metrics.items() if k != "steps_per_second"}
    return metrics, outcome.series, outcome.data, outcome.status


@pytest.mark.parametrize("encoding", ["nope", "sinusoidal", "t5", "alibi", "rotary"])
def test_a_record_holds_the_curve_and_what_it_rests_on(config, encoding) -> None:
    record = execute(EXPERIMENT, config(encoding=encoding), "smoke")
    metrics, series = record.metrics, record.series
    assert record.status == "ok"
    assert None not in metrics.values()
    assert series["context"] == [4, 8, 12, 24]
    assert series["perplexity"] == pytest.approx([math.exp(loss) for loss in series["loss"]], 1e-4)
    assert metrics["perplexity"] == series["perplexity"][1]
    assert (metrics["test_documents"], metrics["long_documents"]) == (7, 6), "one is too short"
    assert set(series["count"]) == {metrics["scored_tokens"]} == {6 * 2 * 3}
    assert series["step"] == [10, 20] and len(series["validation_loss"]) == 2
    assert record.provenance.data.keys() == {"text", "tokenizer"}
    assert record.provenance.data["text"] == corpora.load("tiny").sha256


def test_training_lowers_the_loss(config) -> None:
    """Documents that count up: far below the uniform guess of ln 257 after some steps."""
    outcome = EXPERIMENT.run(config(steps=150, evaluate_every=75))
    assert outcome.metrics["loss"] < 3.5 < math.log(257)
    first, last = outcome.series["validation_loss"]
    assert last < first


def test_the_same_numbers_again_and_others_with_another_seed(config) -> None:
    first, again = (EXPERIMENT.run(config()) for _ in range(2))
    assert repeatable(first) == repeatable(again)
    other = EXPERIMENT.run(config(seed=2))
    assert other.series["loss"] != first.series["loss"]
    assert other.data == first.data


def test_only_so_many_documents_are_learned_from(config) -> None:
    few, all_of_them = set_up(config(documents=3)), set_up(config())
    assert few.text.train == all_of_them.text.train[:3]
    assert few.text.test == all_of_them.text.test
    assert len(few.train) < len(all_of_them.train)


def test_a_model_that_diverged_is_recorded_as_such(config) -> None:
    record = execute(EXPERIMENT, config(learning_rate=1e30), "smoke")
    assert record.status == "diverged"
    assert record.metrics["perplexity"] is None and "context" not in record.series


def test_documents_that_are_too_short_stop_the_run_before_it_trains(config) -> None:
    with pytest.raises(InvalidValueError, match="None of the 7 test documents of tiny has 900"):
        EXPERIMENT.run(config(contexts=[4, 8, 900]))
    with pytest.raises(InvalidValueError, match=r"None of 30 documents has 800.*Lower context"):
        EXPERIMENT.run(config(context=800, contexts=[4, 800]))


def test_a_vocabulary_without_room_for_bytes_is_said(config) -> None:
    with pytest.raises(InvalidValueError, match="vocabulary = 100 is too small"):
        EXPERIMENT.run(config(vocabulary=100))


def test_texts_that_are_missing_or_damaged_end_in_their_message(
    config, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    run = config(corpus="wikitext-2")
    assert "WikiText-2" in EXPERIMENT.requires(run)
    with pytest.raises(NotAtHandError, match="WikiText-2"):
        EXPERIMENT.run(run)
    for name in corpora.wikitext.FILES.values():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("no articles")
    with pytest.raises(DamagedFileError, match="is not the file it should be"):
        EXPERIMENT.run(run)


# Interruption.


def test_a_killed_run_goes_on_and_gives_the_same_numbers(config, book) -> None:
    run = config(steps=STEPS, evaluate_every=50)
    found = resumed(EXPERIMENT, run, book, CONFTEST)
    setup = set_up(run)
    expected = repeatable(measured(run, setup, train(run, setup)))
    assert found == json.loads(json.dumps(expected[:3]))
