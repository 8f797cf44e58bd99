import math

import numpy as np
import pytest
import torch

from positions.book import charts
from positions.book.pictures import encodings as pictures
from positions.encodings.t5 import bucket

ALL = ["counting", "waves", "products", "likeness", "staircase", "penalties", "hands", "fading"]


@pytest.fixture(scope="module", params=ALL)
def picture(request):
    return getattr(pictures, request.param)()


def test_picture_can_be_shown_with_words_and_numbers(picture):
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert picture.description in shown["text/plain"]
    assert len(picture.numbers) > 1
    assert np.isfinite(picture.numbers.select_dtypes("number")).all(axis=None)


def test_page_stays_light(picture):
    assert len(str(picture.chart.to_dict())) < 150_000


def test_every_setting_of_a_slider_has_data(picture):
    spec = picture.chart.to_dict()
    (rows,) = spec["datasets"].values()
    bound = [p for p in spec["params"] if p.get("bind", {}).get("input") == "range"]
    assert bound
    for parameter in bound:
        name, bind = parameter["name"], parameter["bind"]
        if name in rows[0]:
            settings = set(range(bind["min"], bind["max"] + 1, bind["step"]))
            assert {row[name] for row in rows} == settings
            assert parameter["value"] in settings


def test_first_token_s_share_is_that_of_the_formula():
    frame = pictures.counting(length=20).numbers
    causal = frame[frame["mask"] == "causal mask"]
    np.testing.assert_allclose(causal["share"], 1 / causal["token"], atol=6e-4)
    free = frame[frame["mask"] == "no mask"]
    np.testing.assert_allclose(free["share"], 1 / 20, atol=6e-4)
    rows = pictures.counting(length=20).chart.data
    sharp = rows[(rows["preference"] == 3) & (rows["mask"] == "causal mask")]["share"].iloc[0]
    expected = [math.e**3 / (math.e**3 + t - 1) for t in range(1, 21)]
    np.testing.assert_allclose(sharp, expected, atol=6e-4)


@pytest.mark.parametrize(("make", "pairs"), [(pictures.products, 32), (pictures.fading, 32)])
def test_sinusoids_and_full_rotation_share_one_curve(make, pairs):
    frame = make().numbers
    waves = [10000 ** (-m / pairs) for m in range(pairs)]
    expected = [np.mean([math.cos(n * w) for w in waves]) for n in frame["distance"]]
    np.testing.assert_allclose(frame["score"], expected, atol=6e-4)


def test_a_quarter_that_turns_keeps_the_score_above_a_half():
    rows = pictures.fading().chart.data
    assert min(min(curve) for curve in rows[rows["percent"] == 25]["score"]) > 0.5
    assert min(min(curve) for curve in rows[rows["percent"] == 100]["score"]) < 0.5


def test_fresh_table_is_like_nothing_and_sinusoid_like_its_neighbours():
    frame = pictures.likeness().numbers
    near = frame[(frame["position"] - 20).abs() == 1].groupby("table")["cosine"].mean()
    assert near["sinusoidal"] > 0.9
    assert abs(near["learned, at its start"]) < 0.3


def test_staircase_unfolds_to_its_distances():
    frame = pictures.staircase(reach=200).numbers
    assert frame["distance"].tolist() == list(range(-200, 201))
    at = frame.set_index("distance")["bucket"]
    for distance in (-7, 0, 15, 20, 127, 200):
        assert at[distance] == bucket(torch.tensor([distance])).item()


def test_hands_turn_apart_by_distance():
    frame = pictures.hands().numbers
    np.testing.assert_allclose(frame["angle a token"], [1, 0.1, 0.01, 0.001], rtol=1e-5)
    np.testing.assert_allclose(frame["product"], np.cos(12 * frame["angle a token"]), rtol=1e-5)
