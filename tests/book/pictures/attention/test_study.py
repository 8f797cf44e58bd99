"""Which runs count, which are missing, and their means over seeds."""

import pytest

from positions.book.pictures.attention import study


def test_variants_stand_in_the_books_order(chosen) -> None:
    assert chosen().variants == ["nope", "sinusoidal", "t5", "alibi", "rotary"]


def test_only_encodings_asked_for(chosen) -> None:
    found = chosen(encodings=["t5", "nope"])
    assert set(found.runs["variant"]) == {"nope", "t5"}


def test_what_has_not_learned_is_left_out_and_named(chosen, records, one) -> None:
    found = chosen([*records(1), one("rotary", seed=1, iid=0.5)])
    assert set(found.runs[found.runs["variant"] == "rotary"]["seed"]) == {0}
    assert "The others are left out of all that follows: on SCAN Rotary." in study.learned(found)


def test_at_smoke_all_are_kept(chosen, one) -> None:
    found = chosen([one("rotary", iid=0.0)], preset="smoke")
    assert len(found.runs) == 1
    assert "no model has learned" in study.learned(found)


def test_the_note_names_what_lacks_and_how_to_get_it(chosen) -> None:
    note = study.notice(chosen()).data
    assert "positions sweep attention --preset laptop" in note
    assert "addition with steps: NoPE, the sinusoid, T5" in note


def test_one_model_is_no_models(chosen, one) -> None:
    assert study.learned(chosen([one("nope")])).startswith("Of 1 model, 1 solves at least 85%")


def test_no_note_where_nothing_is_recorded_at_all(chosen) -> None:
    assert study.notice(chosen([])).data == ""
    assert study.learned(chosen([])) == "No run of this preset is recorded yet."


def test_what_models_solve_is_given_by_task(chosen) -> None:
    table = study.solved(chosen())
    assert table.loc["alibi", ("SCAN", "within")] == "100 %"
    assert table.loc["alibi", ("addition with steps", "beyond")] == "50 %"
    assert table.loc["alibi", ("SCAN", "seeds")] == "3"


def test_a_task_without_runs_is_no_column(chosen, one) -> None:
    table = study.solved(chosen([one("nope"), one("t5", "addition")]))
    assert table.loc["nope", ("addition with steps", "within")] == "none"
    assert study.solved(chosen([])).empty


def test_means_over_seeds_have_intervals_where_there_are_seeds(chosen, one) -> None:
    table = chosen().divergences
    found = study.over_seeds(table, "divergence", "against", "form")
    row = found.query("variant == 'alibi' and against == 'itself' and form == 'closest'")
    row = row[row["task"] == "scan"].iloc[0]
    assert row["low"] < row["mean"] < row["high"]
    assert row["seeds"] == 3
    single = study.over_seeds(chosen([one("t5")]).divergences, "divergence", "form")
    assert (single["low"] == single["mean"]).all()


def test_seeds_that_lack_a_point_are_left_out_of_a_curve(chosen) -> None:
    table = chosen().divergences
    table = table[~((table["seed"] == 2) & (table["length"] == 48))]
    scan = table[table["task"] == "scan"]
    assert set(study.over_seeds(scan, "divergence", "length")["seeds"]) == {2}


@pytest.mark.parametrize("columns", [("form",), ("form", "layer")])
def test_nothing_gives_an_empty_table(chosen, columns) -> None:
    found = study.over_seeds(chosen([]).divergences, "divergence", *columns)
    assert len(found) == 0 and "mean" in found
