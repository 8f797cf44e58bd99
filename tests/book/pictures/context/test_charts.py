"""The charts and the sentences beside them."""

import json

import pytest

from positions import published
from positions.book import charts
from positions.book.pictures.context import breaks, curves, paper
from positions.book.pictures.note import Note


def spec(picture) -> dict:
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    return shown["application/vnd.vegalite.v6+json"]


def test_charts_can_be_shown_and_fit_a_page(chosen) -> None:
    for picture in (paper.chart(), curves.chart(chosen())):
        text = json.dumps(spec(picture))
        assert len(text) < 120_000
        assert len(picture.numbers) > 10


def test_both_axes_are_logarithmic(chosen) -> None:
    text = json.dumps(spec(curves.chart(chosen())))
    assert text.count('"type": "log"') >= 4
    assert '"type": "log"' in json.dumps(spec(paper.chart()))


def test_names_of_parameters_are_used_once(chosen) -> None:
    names = [
        each["name"]
        for picture in (paper.chart(), curves.chart(chosen()))
        for each in spec(picture).get("params", [])
    ]
    assert len(names) == len(set(names)) == 3


def test_nothing_recorded_is_a_note(chosen) -> None:
    assert isinstance(curves.chart(chosen([])), Note)


@pytest.mark.parametrize("say", [curves.within, curves.worth, breaks.said])
def test_every_sentence_can_be_said_of_nothing_and_of_part(say, chosen, records) -> None:
    few = records(lambda config: config.seed == 0 and config.encoding == "t5")
    one = records(lambda config: config.seed == 2 and config.corpus == "standard-library")
    for study in (chosen([]), chosen(few), chosen(one), chosen()):
        said = say(study)
        assert said.endswith(".") and "nan" not in said and "none." not in said


# The published side.


def test_published_means_are_those_of_long_documents() -> None:
    raw = published.load("length-generalization/1b_perplexity")
    buckets = [name for name in raw.length_bucket.unique() if int(name.split("-")[0]) >= 2_750]
    expected = raw[raw.length_bucket.isin(buckets)].groupby(["pe", "context_size"]).perplexity
    table = paper.table()
    long = table[table["bucket"] == paper.ALL_LONG].set_index(["variant", "context"])
    assert long["perplexity"].to_dict() == pytest.approx(expected.mean().to_dict())
    assert len(table) == len(raw) + len(long)


def test_only_documents_that_are_long_enough_are_set_beside_their_own_context() -> None:
    table = paper.table()
    short = table[table["bucket"] == "750-1000"]
    assert short["rise"].isna().all() and len(short) == 6
    rest = table[~table["bucket"].isin(["750-1000", "1000-1250"])]
    assert rest["rise"].notna().all()
    assert (rest[rest["context"] == 1_024]["rise"] == 0).all()


def test_where_the_large_models_break() -> None:
    said = paper.said()
    assert "NoPE 2.73, ALiBi 2.81 and Rotary 2.68" in said
    assert "at least doubled: NoPE 1,800, ALiBi 1,800 and Rotary 1,400 tokens." in said


# Ours.


def test_perplexities_within_from_the_lowest(chosen) -> None:
    said = curves.within(chosen())
    assert said.startswith("On WikiText-2, from the lowest: ")
    assert "NoPE 100.0" in said and "ALiBi 20.0" in said


def test_what_more_context_is_worth(chosen) -> None:
    """From half the context to all of it: 1 - 1 / 1.02 of the perplexity."""
    said = curves.worth(chosen())
    assert "going from 0.5 times" in said and said.count("-2.0 %") == 10


def test_who_breaks_where(chosen) -> None:
    said = breaks.said(chosen())
    # times to the power of 3, 2 and 1.05 is at least 2 from 1.26, 1.41 and 1.94 on
    first = "the sinusoid at 1.37, Rotary at 1.56 and NoPE at 2.00."
    assert said.count(first) == 2
    assert said.count("Not doubled up to 8 times the context: T5's bias and ALiBi.") == 2


def test_the_table_of_breaks_has_the_paper_beside(chosen) -> None:
    table = breaks.table(chosen())
    assert table.loc["rotary", ("published", "doubled at")] == "1.37"
    assert table.loc["nope", ("published", "doubled at")] == "1.76"
    assert table.loc["t5", ("published", "doubled at")] == "none"
    assert table.loc["t5", ("WikiText-2", "doubled at")] == "never"
    assert table.loc["nope", ("WikiText-2", "at 8")] == "8.88"
    assert ("published", "at 8") not in table.columns
    assert list(breaks.table(chosen([])).index) == list(paper.VARIANTS)


def test_an_encoding_without_a_published_curve_is_drawn_all_the_same(chosen) -> None:
    only = chosen(encodings=["t5"])
    assert spec(curves.chart(only))
    assert breaks.said(only).count("no encoding has doubled its perplexity up to 8 times") == 2
