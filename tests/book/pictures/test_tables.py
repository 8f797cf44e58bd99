import numpy as np
import pytest

from positions import tables
from positions.analysis.geometry.cosine import cosine_map
from positions.book import charts
from positions.book.pictures import tables as pictures
from positions.book.pictures.labels import label, scale

DRAWN = (
    pictures.cosine_maps,
    pictures.cosine_cuts,
    pictures.curves_in_space,
    pictures.waves_within,
    pictures.directions_within,
    pictures.neighbours,
)


@pytest.fixture(scope="module")
def pair():
    return {name: tables.load(name, width=48).rows for name in ("sinusoidal", "gaussian")}


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_each_picture_has_words_and_numbers_for_every_table(draw, pair):
    picture = draw(pair)
    assert set(picture.numbers["table"]) == {"sinusoid", "gaussian"}
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert len(shown["text/html"]) < 500_000


def test_maps_show_means_of_the_cosines(pair):
    chart = pictures.cosine_maps(pair).chart.to_dict()
    (drawn,) = chart["datasets"].values()
    raw = [row for row in drawn if row["table"] == "sinusoid" and row["map"] == "raw"]
    whole = cosine_map(pair["sinusoidal"])
    assert [row["i"] for row in raw] == list(range(0, 512, 8))
    assert raw[3]["cosine"][10] == pytest.approx(whole[24:32, 80:88].mean(), abs=0.01)


def test_waves_end_at_everything_and_noise_has_few_slow_ones(pair):
    numbers = pictures.waves_within(pair).numbers.set_index(["table", "cycles"])["share"]
    assert numbers["sinusoid"].iloc[-1] == pytest.approx(1)
    assert numbers["gaussian", 10] < 0.1 < numbers["sinusoid", 10]


def test_curves_are_those_of_every_fourth_row(pair):
    numbers = pictures.curves_in_space(pair).numbers
    one = numbers[numbers["table"] == "gaussian"]
    assert one["position"].tolist() == list(range(0, 512, 4))
    assert np.abs(one[["component 1", "component 2", "component 3"]]).max(axis=None) <= 1


def test_labels_say_copy_and_control():
    assert label("bert-base-uncased-finetuned-a") == "BERT copy a"
    assert label("shuffled:gpt2") == "GPT-2, shuffled"
    assert label("someone/model") == "someone/model"


def test_colours_stay_with_their_tables():
    one, other = scale(["gpt2", "gaussian"]).to_dict(), scale(["gaussian", "gpt2"]).to_dict()
    assert one["domain"] == ["GPT-2", "gaussian"]
    assert (
        one["range"] == other["range"][::-1] == [charts.colour("gpt2"), charts.colour("gaussian")]
    )
