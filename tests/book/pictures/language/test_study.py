"""Which runs are looked at, which are missing, and means over seeds."""

import pytest

from positions.book.pictures.language import paper, setup, study
from positions.experiments.language_modelling.presets import COPY


def test_tables_stand_in_the_books_order(chosen) -> None:
    found = chosen()
    assert found.tables[:5] == ["zeros", "random", "random, trained", "sinusoidal", "gpt2"]
    assert [study.title(name) for name in found.tables[1:4]] == [
        "random",
        "random, trained",
        "sinusoid",
    ]


def test_only_what_is_asked_for_and_what_the_host_makes(chosen) -> None:
    found = chosen(tables=["gpt2"])
    assert set(found.runs["table"]) == {"zeros", "random", "random, trained", "gpt2"}


def test_generated_text_is_in_nothing_of_real_text(chosen, one) -> None:
    found = chosen([one("causal", "gpt2", corpus="generated-language"), one("masked", "gpt2")])
    assert found.runs["objective"].tolist() == ["masked"]
    assert set(found.costs["objective"]) == {"masked"}
    assert found.made_up["objective"].tolist() == ["causal"]


def test_the_note_counts_what_lacks_and_says_how_to_get_it(chosen) -> None:
    note = study.notice(chosen()).data
    assert "positions sweep language_modelling --preset laptop" in note
    assert "<li>RoBERTa: all</li>" in note
    assert study.notice(chosen([])).data == ""


def test_means_over_seeds(chosen, one) -> None:
    runs = chosen().plain
    found = study.over_seeds(runs, "loss", "objective", "table").set_index(["objective", "table"])
    row = found.loc[("masked", COPY)]
    by_hand = runs[(runs["objective"] == "masked") & (runs["table"] == COPY)]["loss"]
    assert row["mean"] == pytest.approx(by_hand.mean())
    assert row.low < row["mean"] < row.high and row.seeds == 3
    single = study.over_seeds(chosen([one("masked", "gpt2")]).plain, "loss", "table")
    assert (single["mean"] == single.low).all()


def test_the_setup_is_said_before_anything_is_recorded(chosen) -> None:
    empty = setup.table(chosen([]))
    assert (empty.loc["seeds"] == setup.NOT_YET).all()
    assert (empty.loc["a block"] == "128 tokens").all()
    full = setup.table(chosen())
    assert (full.loc["seeds"] == "3").all()
    for preset in ("paper", "gpu"):
        assert setup.table(chosen([], preset=preset)).shape == full.shape


def test_the_published_table_says_what_is_not_at_hand() -> None:
    table = paper.table()
    assert table.shape == (3, 4)
    assert set(table.to_numpy().flatten()) == {paper.ABSENT}
