"""Which runs are looked at, which are missing, and means over seeds and sets."""

import pytest

from positions.book.pictures.classification import study
from positions.errors import UnknownNameError
from positions.experiments.classification.readings import PAPER


def test_tables_and_sets_stand_in_the_books_order(chosen) -> None:
    found = chosen()
    assert found.tables[:4] == ["random", "zeros", "sinusoidal", "gpt2"]
    assert found.sets == ["mr", "trec"]


def test_only_what_is_asked_for(chosen) -> None:
    found = chosen(tables=["gpt2"], sets=["trec"])
    assert set(found.runs.table) == {"random", "zeros", "gpt2"}
    assert set(found.runs.task) == {"trec", "generated"}
    with pytest.raises(UnknownNameError, match="Did you mean 'sst1'"):
        chosen(sets=["sst-1"])


def test_the_note_counts_what_lacks_and_says_how_to_get_it(chosen) -> None:
    note = study.notice(chosen(tables=["gpt2", "roberta-base"])).data
    assert "positions sweep classification --preset laptop" in note
    assert "<li>RoBERTa: all</li>" in note
    assert study.notice(chosen([])).data == ""


def test_copies_are_taken_together(chosen, one) -> None:
    sides = study.groups(chosen())
    assert len(sides["BERT copies"]) == 3
    assert "bert-base-uncased-finetuned-a" not in sides
    assert study.groups(chosen([one("bert-base-uncased-finetuned-b")])) == {
        "BERT copies": ["bert-base-uncased-finetuned-b"]
    }


def test_means_over_seeds_and_sets(chosen, one) -> None:
    runs = chosen().of(PAPER)
    found = study.over_seeds(runs, "accuracy", "table").set_index(["task", "table"])
    row = found.loc[(study.MEAN, "gpt2")]
    by_hand = runs[runs.table == "gpt2"].groupby("seed").accuracy.mean()
    assert row["mean"] == pytest.approx(100 * by_hand.mean())
    assert row.low < row["mean"] < row.high and row.seeds == 3
    single = study.over_seeds(chosen([one("gpt2")]).of(PAPER), "accuracy", "table")
    assert (single["mean"] == single.low).all()


def test_a_seed_that_lacks_a_set_is_in_no_mean_over_sets(chosen, one) -> None:
    runs = [one("gpt2", task, seed) for task, seed in (("mr", 0), ("mr", 1), ("trec", 0))]
    found = study.over_seeds(chosen(runs).of(PAPER), "accuracy", "table")
    assert found[found.task == study.MEAN].seeds.tolist() == [1]


def test_nothing_gives_an_empty_table(chosen) -> None:
    found = study.over_seeds(chosen([]).of(PAPER), "accuracy", "table", "arm")
    assert len(found) == 0 and "mean" in found
