"""One run: whole records, the same numbers again, interruption, and texts that will not do."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
import torch

from killed_run import STEPS, resumed
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError
from positions.experiments import get
from positions.experiments.language_modelling.placed import Rows, placed_in, using
from positions.experiments.language_modelling.run import measured, set_up, train
from positions.runs.engine import execute
from positions.tasks import corpora

EXPERIMENT = get("language_modelling")
CONFTEST = Path(__file__).with_name("conftest.py")
pytestmark = pytest.mark.usefixtures("book")


def repeatable(outcome):
    """All that a run found, times left out."""
    metrics = {k: v for k, v in outcome.metrics.items() if k != "steps_per_second"}
    return metrics, outcome.series, outcome.data, outcome.status


@pytest.mark.parametrize("objective", ["masked", "causal"])
@pytest.mark.parametrize("table", ["sinusoidal", "random", "zeros", "shuffled:sinusoidal"])
def test_a_record_holds_the_losses_by_rows_and_what_they_rest_on(config, objective, table) -> None:
    record = execute(EXPERIMENT, config(objective=objective, table=table), "smoke")
    metrics, series = record.metrics, record.series
    assert record.status == "ok"
    assert metrics["perplexity"] == pytest.approx(math.exp(metrics["loss"]))
    assert list(zip(series["first"], series["stride"], strict=True)) == [
        *((0, 1), (0, 2), (0, 4)),
        *((1, 1), (40, 1)),
    ]
    assert series["loss"][0] == pytest.approx(metrics["loss"], rel=1e-5)
    same = len(set(series["loss"])) == 1
    assert same == (table == "zeros"), "other rows matter, but not where all are the same"
    assert series["step"] == [10, 20]
    assert metrics["validation_loss"] == pytest.approx(min(series["validation_loss"]), rel=1e-5)
    assert {"text", "tokenizer"} <= record.provenance.data.keys()
    assert record.provenance.data["text"] == corpora.load("tiny").sha256
    assert not set(metrics) & set(record.config), "a table of runs has one column a name"


def test_training_lowers_the_loss_of_both_objectives(config) -> None:
    for objective in ("masked", "causal"):
        outcome = EXPERIMENT.run(config(objective=objective, steps=150, evaluate_every=75))
        assert outcome.metrics["loss"] < 3.5 < math.log(257)


def test_only_a_table_that_is_not_frozen_moves(config) -> None:
    for frozen in (True, False):
        run = config(table="random", frozen=frozen)
        setup = set_up(run)
        before = placed_in(setup.model).table.detach().clone()
        kept = measured(run, setup, train(run, setup), before).metrics["kept"]
        moved = (placed_in(setup.model).table != before).any(dim=1)
        assert moved[12:].sum() == 0, "rows that serve no token stay"
        if frozen:
            assert kept is None and not moved.any()
        else:
            assert moved[:11].all() and 0 < kept < 1


def test_training_with_skipped_rows_is_training_with_a_table_of_them(config) -> None:
    """The paper writes rows 0, 4, 8 ... into a table of their own: the same model comes of it."""
    run = config(stride=4)
    setup = set_up(run)
    short = set_up(run)
    encoding = placed_in(short.model)
    with torch.no_grad():
        encoding.table[:12] = encoding.table[:48:4].clone()
    encoding.rows = Rows()
    one, other = train(run, setup), train(run, short)
    assert one.series == other.series


def test_other_rows_are_used_for_a_while_only(config) -> None:
    model = set_up(config()).model
    with pytest.raises(RuntimeError), using(model, Rows(3, 2)):
        assert placed_in(model).positions(torch.ones(1, 3, dtype=torch.bool)).tolist() == [
            [3, 5, 7]
        ]
        raise RuntimeError
    assert placed_in(model).rows == Rows()


def test_the_same_numbers_again_and_others_with_another_seed(config) -> None:
    for objective in ("masked", "causal"):
        first, again = (EXPERIMENT.run(config(objective=objective)) for _ in range(2))
        assert repeatable(first) == repeatable(again)
        other = EXPERIMENT.run(config(objective=objective, seed=2))
        assert other.series["loss"] != first.series["loss"]
        assert other.data == first.data


def test_first_weights_and_test_questions_do_not_depend_on_the_table(config) -> None:
    one, other = (set_up(config(objective="masked", table=name)) for name in ("zeros", "random"))
    words = [setup.model.transformer.embedding.weight for setup in (one, other)]
    assert torch.equal(*words)
    assert torch.equal(one.test.tokens, other.test.tokens)
    assert torch.equal(one.test.labels, set_up(config(objective="masked", seed=5)).test.labels)


def test_epochs_count_batches(config) -> None:
    run = config(steps=None, epochs=2, documents=3, batch_size=4)
    setup = set_up(run)
    assert run.plan(-(-len(setup.train) // 4)).steps == train(run, setup).step > 2


def test_a_model_that_diverged_is_recorded_as_such(config) -> None:
    record = execute(EXPERIMENT, config(learning_rate=1e30), "smoke")
    assert record.status == "diverged"
    assert record.metrics["loss"] is None and "first" not in record.series


# Texts and tables that will not do.


def test_a_text_too_short_stops_the_run_before_it_trains(config) -> None:
    long = {"length": 400, "rows": 4_000, "offsets": []}
    with pytest.raises(InvalidValueError, match=r"The validation text has \d+ tokens.*takes 400"):
        EXPERIMENT.run(config(**long))
    with pytest.raises(InvalidValueError, match="Lower length"):
        EXPERIMENT.run(config(objective="masked", documents=1, **long))


def test_a_table_shorter_than_the_rows_asked_for_is_said(config, tmp_path) -> None:
    import numpy as np

    path = tmp_path / "short.npy"
    np.save(path, np.random.default_rng(0).standard_normal((40, 16)))
    with pytest.raises(InvalidValueError, match="has 40 rows, and 64 are asked for"):
        EXPERIMENT.run(config(table=str(path)))


def test_texts_that_are_missing_damaged_or_cut_short_end_in_their_message(
    config, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for corpus, files in (
        ("wikitext-2", corpora.wikitext.FILES),
        ("wikitext-2-raw", corpora.wikitext.RAW_FILES),
    ):
        run = config(corpus=corpus)
        assert "WikiText-2" in EXPERIMENT.requires(run)
        with pytest.raises(NotAtHandError, match="WikiText-2"):
            EXPERIMENT.run(run)
        for name in files.values():
            path = tmp_path / f"{name}.gz"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(b" = Article = \n" * 99)[:-12])
        with pytest.raises(DamagedFileError, match=r"is not the file it should be.*broken gzip"):
            EXPERIMENT.run(run)


# Interruption.


def test_a_killed_run_goes_on_and_gives_the_same_numbers(config, book) -> None:
    run = config(objective="masked", steps=STEPS, evaluate_every=50)
    found = resumed(EXPERIMENT, run, book, CONFTEST)
    setup = set_up(run)
    before = placed_in(setup.model).table.detach().clone()
    expected = repeatable(measured(run, setup, train(run, setup), before))
    assert found == json.loads(json.dumps(expected[:3]))
