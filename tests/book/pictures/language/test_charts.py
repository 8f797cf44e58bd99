"""Charts and sentences, on made-up runs, on few, and on none."""

import pytest

from positions.book import charts
from positions.book.pictures.language import gains, offsets, skips
from positions.book.pictures.language.study import NOTHING
from positions.book.pictures.note import Note
from positions.experiments.language_modelling.presets import COPY


def drawn(picture) -> None:
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)


@pytest.mark.parametrize(
    "make",
    [
        gains.chart,
        lambda study: gains.chart(study, ["causal"]),
        lambda study: skips.chart(study, "trained"),
        lambda study: skips.chart(study, "swapped"),
        lambda study: offsets.chart(study, "objective_chosen"),
    ],
)
def test_every_chart_is_drawn_and_nothing_is_a_note(chosen, make) -> None:
    drawn(make(chosen()))
    assert isinstance(make(chosen([])), Note)


@pytest.mark.parametrize("say", [gains.said, gains.order_matters, gains.suited, skips.said])
def test_nothing_recorded_is_said(chosen, one, say) -> None:
    assert say(chosen([])) == NOTHING
    assert isinstance(say(chosen([one("masked", "gpt2")])), str)


def test_the_order_of_tables_by_objective(chosen) -> None:
    masked, causal = gains.said(chosen()).split("*causal")
    assert masked.index("BERT copy a 0.7") < masked.index("GPT-2 0.4")
    assert causal.index("GPT-2 0.5") < causal.index("sinusoid 0.3")
    assert "zeros" not in masked + causal


def test_the_papers_pairs_have_a_shape_of_their_own(chosen) -> None:
    numbers = gains.chart(chosen()).numbers
    marked = numbers[numbers["grid"] == gains.PAPERS]
    assert set(zip(marked["objective"], marked["table"], strict=True)) == {
        ("causal (GPT-2's kind)", "GPT-2"),
        ("masked (BERT's kind)", "BERT copy a"),  # stands for BERT's
    }


def test_each_objective_with_the_table_of_its_own_kind(chosen) -> None:
    said = gains.suited(chosen())
    assert said.startswith("Over 3 seeds, a masked model's loss with GPT-2's table is +0.3")
    assert "a causal model's loss with BERT copy a's table is +0.2" in said


def test_what_shuffling_costs(chosen) -> None:
    said = gains.order_matters(chosen())
    assert "GPT-2, masked: +0.2" in said and "BERT copy a, masked: +0.5" in said


def test_losses_in_cells(chosen) -> None:
    cells = gains.cells(chosen())
    assert cells.loc["zeros", "masked: loss"].startswith("4.0") or cells.loc[
        "zeros", "masked: loss"
    ].startswith("3.9")
    assert "recorded yet" in gains.cells(chosen([])).to_string()
    assert "±" in cells.loc["GPT-2", "causal: loss"]


def test_the_generated_language_stands_by_itself(chosen, one) -> None:
    found = chosen([one("causal", "gpt2", corpus="generated-language")])
    assert list(gains.generated(found).index) == ["GPT-2"]
    assert gains.generated(found).loc["GPT-2", "masked: loss"] == "not recorded"
    assert "recorded yet" in gains.cells(found).to_string()


def test_skipping_trained_and_swapped(chosen) -> None:
    study = chosen()
    trained = skips.table(study, "trained").set_index(["objective", "table"])["mean"]
    assert trained[("masked", "gpt2")] == pytest.approx(0.08)
    assert trained[("causal", COPY)] == pytest.approx(0.03)
    swapped = skips.table(study, "swapped").set_index(["objective", "table"])["mean"]
    assert "zeros" not in swapped.index.get_level_values("table")
    assert swapped[("masked", "gpt2")] == pytest.approx(0.08)
    said = skips.said(study)
    assert said.count("GPT-2, masked: +0.080") == 2 and "random" not in said


def test_rows_trained_with_stand_side_by_side(chosen) -> None:
    table = skips.density(chosen())
    assert list(table.columns) == ["rows 0, 4, 8, ...", "rows from 16 on"]
    assert table.loc[("GPT-2", "masked"), "rows from 16 on"] == "+0.080"
    assert table.loc[("sinusoid", "causal"), "rows from 16 on"] == "not recorded"
    assert "recorded yet" in skips.density(chosen([])).to_string()


def test_the_rise_by_first_row_leaves_trained_tables_out(chosen) -> None:
    found = offsets.table(chosen())
    assert set(found["first"]) == {1, 8, 16, 48}
    assert not {"zeros", "random, trained"} & set(found["table"])
