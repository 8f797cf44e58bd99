"""Charts, tables and sentences, on made-up runs, on few, and on none."""

import pytest

from positions.book import charts
from positions.book.pictures.note import Note
from positions.book.pictures.translation import examples, grid, length, paper, study
from positions.book.pictures.translation.study import NOTHING


def drawn(picture) -> None:
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)


@pytest.mark.parametrize("make", [grid.chart, length.chart])
def test_every_chart_is_drawn_and_nothing_is_a_note(chosen, make) -> None:
    drawn(make(chosen()))
    assert isinstance(make(chosen([])), Note)


@pytest.mark.parametrize("say", [grid.said, grid.without, length.said])
def test_nothing_recorded_is_said(chosen, one, say) -> None:
    assert say(chosen([])) == NOTHING
    assert isinstance(say(chosen([one("random", "gpt2")])), str)


def test_empty_tables_have_their_columns(chosen) -> None:
    assert list(grid.gaps(chosen([])).columns)[:2] == ["encoder", "decoder"]
    assert len(grid.arms(chosen([]))) == 0
    assert NOTHING in examples.table(chosen([])).data


def test_best_and_worst_pair(chosen) -> None:
    said = grid.said(chosen())
    assert said.startswith("Best of 25 pairs: BERT copy a in the encoder and BERT copy a")
    assert "worst: zeros and zeros" in said


def test_gaps_are_paired_with_the_best(chosen) -> None:
    found = grid.gaps(chosen())
    assert len(found) == 25 and found.iloc[0]["below the best"] == ""
    assert found.iloc[-1]["below the best"].startswith("-")
    assert float(found.iloc[-1]["p"]) < 0.01 and (found["seeds"] == 2).all()


def test_runs_of_the_papers_arm_are_not_in_the_grid(chosen) -> None:
    found = chosen()
    assert len(found.grid) == 50 and len(found.of_grid()) == 50
    arms = grid.arms(found)
    assert arms["loss"].tolist() == ["plain", "smoothed"]
    assert "not recorded" not in arms.to_string()


def test_the_generated_language_is_in_nothing(chosen, one) -> None:
    found = chosen([one("random", "random", corpus="generated-pairs")])
    assert found.made_up == 1 and not len(found.runs) and found.tables == []


def test_parts_by_length_cover_the_test(chosen) -> None:
    found = length.table(chosen()).drop_duplicates("part").set_index("part")["sentences"]
    quarters = found[[" to " in part for part in found.index]]
    assert quarters.sum() == found["all"] == 60
    assert {"over 15", "over 20"} <= set(found.index)


def test_examples_stand_beside_their_reference(chosen) -> None:
    found = examples.table(chosen())
    first = found.loc["a long dog ."]
    assert first.index[0] == "reference" and first.iloc[0]["written"] == "ein langer hund ."
    assert first.loc["GPT-2", "written"] == "ein gpt2 ."


def test_the_note_says_how_to_record_what_lacks(chosen) -> None:
    note = study.notice(chosen()).data
    assert "positions sweep translation --preset laptop" in note
    assert study.notice(chosen([])).data == ""


def test_figures_that_are_not_at_hand_are_not_made_up() -> None:
    found = paper.table()
    assert len(found) == 10 and (found["BLEU, all"] == paper.ABSENT).all()
    assert found["loss"].tolist().count("plain") == 3
