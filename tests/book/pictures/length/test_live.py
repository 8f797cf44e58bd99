import pytest

from positions.book import charts
from positions.book.pictures.length import live
from positions.errors import UnknownNameError


def test_two_encodings_are_trained_and_drawn():
    watched = live.train(["nope", "rotary"], steps=4)
    assert [each.variant for each in watched] == ["nope", "rotary"]
    picture = live.chart(watched)
    assert picture.numbers["length"].tolist() == list(range(2, 17))
    nope = watched[0].outcome
    assert picture.numbers["nope"].tolist() == pytest.approx(nope.series["accuracy_best"], abs=1e-4)
    charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    said = live.said(watched)
    assert said.count("of processor time") == 2
    assert f"NoPE solves {nope.metrics['iid_best']:.0%} within" in said


def test_an_unknown_encoding_is_named():
    with pytest.raises(UnknownNameError, match="nope"):
        live.config("nop", steps=4)
