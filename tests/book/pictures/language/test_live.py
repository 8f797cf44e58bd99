"""Trainings on the page: both objectives, with positions and without."""

import pytest

from positions.book import charts
from positions.book.pictures.language import live
from positions.errors import InvalidValueError, UnknownNameError


@pytest.fixture(scope="module")
def watched():
    return live.train(["zeros", "sinusoidal"], 4)


def test_curves_and_words(watched) -> None:
    picture = live.chart(watched)
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert list(picture.numbers.columns) == ["objective", "step", "zeros", "sinusoid"]
    said = live.said(watched)
    assert said.startswith("Masked, zeros: ") and "Causal, sinusoid: " in said
    assert said.count("from row 16 on") == 4


def test_zeros_do_not_notice_other_rows(watched) -> None:
    for each in watched:
        losses = set(each.outcome.series["loss"])
        assert (len(losses) == 1) == (each.table == "zeros")


def test_wrong_settings_are_said() -> None:
    with pytest.raises(UnknownNameError, match="Valid"):
        live.train(["sinusoid al"], 4)
    with pytest.raises(InvalidValueError, match="steps"):
        live.config("causal", "zeros", 0)
