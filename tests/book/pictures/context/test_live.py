"""Models trained on the page."""

import json

import pytest

from positions.book import charts
from positions.book.pictures.context import live
from positions.errors import InvalidValueError, UnknownNameError


@pytest.fixture(scope="module")
def watched():
    return live.watch(["nope", "sinusoidal", "nope"], steps=5)


def test_each_encoding_once_and_what_it_reaches(watched) -> None:
    assert [each.variant for each in watched] == ["nope", "sinusoidal"]
    said = live.said(watched)
    assert said.startswith("NoPE has a perplexity of ") and "The sinusoid has" in said
    assert "with 64 bytes of context" in said and "with 512" in said


def test_a_token_is_a_byte(watched) -> None:
    for each in watched:
        assert each.outcome.metrics["tokens"] == 257
        assert each.outcome.metrics["bytes_per_token"] == 1
        assert each.outcome.metrics["train_documents"] == live.FILES


def test_the_chart_has_a_band_around_each_curve(watched) -> None:
    picture = live.chart(watched)
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    table = picture.numbers
    assert len(table) == 2 * 11
    assert (table["low"] < table["perplexity"]).all() and (
        table["perplexity"] < table["high"]
    ).all()
    assert len(json.dumps(picture.chart.to_dict())) < 20_000


def test_what_cannot_be_watched_is_said() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'alibi'"):
        live.watch(["alibbi"], steps=1)
    with pytest.raises(InvalidValueError, match="learned table has 64 rows"):
        live.watch(["learned"], steps=1)
