"""Which runs are chosen, which are missing, and their means over seeds."""

import numpy as np
import pytest

from positions.book.pictures.context import setup, study
from positions.experiments.context import EXPERIMENT


def test_encodings_stand_in_the_books_order_and_only_those_asked_for(chosen) -> None:
    assert chosen().variants == ["nope", "sinusoidal", "t5", "alibi", "rotary"]
    assert chosen(encodings=["alibi", "nope"]).variants == ["nope", "alibi"]
    assert chosen().corpora == ["wikitext-2", "standard-library"]


def test_the_note_names_what_lacks_and_how_to_get_it(chosen, records) -> None:
    part = chosen(records(lambda config: config.seed == 0 and config.corpus != "wikitext-2"))
    note = study.notice(part).data
    assert "positions sweep context --preset laptop" in note and "positions data" in note
    assert "WikiText-2: NoPE, the sinusoid, T5&#x27;s bias, ALiBi and Rotary, seeds 0, 1" in note
    assert "standard library: NoPE" in note.replace("Python&#x27;s ", "")
    assert study.notice(chosen()).data == "" == study.notice(chosen([])).data


def test_a_corpus_that_is_registered_no_more_keeps_its_name() -> None:
    assert study.title("wikitext-2") == "WikiText-2"
    assert study.title("letters of mine") == "letters of mine"


def test_means_over_seeds_have_intervals_where_there_are_seeds(chosen, records) -> None:
    table = study.over_seeds(chosen(), "loss")
    assert len(table) == 2 * 5 * 11
    assert set(table["seeds"]) == {3}
    assert (table["low"] < table["mean"]).all() and (table["mean"] < table["high"]).all()
    single = study.over_seeds(chosen(records(lambda config: config.seed == 1)), "loss")
    assert (single["low"] == single["mean"]).all() and (single["high"] == single["mean"]).all()
    assert len(study.over_seeds(chosen([]), "rise")) == 0


def test_what_was_not_finite_leaves_its_context_out(chosen, records) -> None:
    runs = records(lambda config: config.seed == 0)
    runs[0].series["loss"][-1] = None
    table = study.over_seeds(chosen(runs), "loss")
    broken = table[(table["variant"] == "nope") & (table["corpus"] == "wikitext-2")]
    assert broken["context"].max() == 512
    assert np.isfinite(table["mean"]).all()


def test_settings_stand_beside_the_papers(chosen) -> None:
    table = setup.table(chosen())
    assert list(table.columns) == ["the paper", "WikiText-2", "Python's standard library"]
    assert table.loc["training context, tokens", "the paper"] == "1,024"
    assert table.loc["tokens trained on", "the paper"].startswith("30 billion")
    ours = table["WikiText-2"]
    assert ours["documents to learn from"] == "600"
    assert ours["weights"] == "1.3 million"
    assert ours["tokens scored"] == "2,900, 25 a stretch"
    assert ours["test documents"] == "58 of 60 long enough"
    assert table.map(len).to_numpy().max() < 50, "pandas cuts longer texts off"
    config = EXPERIMENT.configs("laptop")[0]
    trained = config.steps * config.batch_size * config.context
    assert ours["tokens trained on"] == f"{trained:,} (0.8 times through)"
    assert list(setup.table(chosen([])).columns) == ["the paper"]


@pytest.mark.parametrize("seed", [0, 2])
def test_a_run_that_diverged_is_left_out(chosen, records, seed) -> None:
    runs = records(lambda config: config.encoding == "nope")
    gone = [each for each in runs if each.config["seed"] == seed]
    for each in gone:
        each.series.clear()
    assert seed not in set(chosen(runs).curves["seed"])
