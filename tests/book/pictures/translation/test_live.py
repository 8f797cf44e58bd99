"""Trainings on the page, with positions and without."""

import pytest

from positions.book import charts
from positions.book.pictures.translation import live
from positions.errors import InvalidValueError, UnknownNameError


def test_curves_words_and_a_sentence_to_read() -> None:
    watched = live.train(["zeros", "sinusoidal"], 2)
    picture = live.chart(watched)
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert "zeros: " in live.said(watched) and "processor time" in live.said(watched)
    assert list(live.read(watched).columns) == ["source", "written", "right"]


def test_wrong_settings_are_said() -> None:
    with pytest.raises(UnknownNameError, match="Valid"):
        live.train(["sinusoid al"], 4)
    with pytest.raises(InvalidValueError, match="steps"):
        live.config("zeros", 0)
