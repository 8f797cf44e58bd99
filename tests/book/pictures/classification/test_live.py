"""Trainings on the page: order is learned by a table of positions, and not by zeros."""

import pytest

from positions.book import charts
from positions.book.pictures.classification import live
from positions.errors import InvalidValueError, UnknownNameError


@pytest.fixture(scope="module")
def watched():
    return live.train(["zeros", "sinusoidal"], 1)


def test_curves_and_words(watched) -> None:
    picture = live.chart(watched)
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert list(picture.numbers.columns) == ["step", "zeros", "sinusoid"]
    said = live.said(watched)
    assert said.startswith("Zeros: ") and "with the words shuffled." in said


def test_wrong_settings_are_said() -> None:
    with pytest.raises(UnknownNameError, match="Valid"):
        live.train(["sinusoid al"], 1)
    with pytest.raises(InvalidValueError, match="epochs"):
        live.config("zeros", 0)
