"""Models trained on the page: their maps, and what they are apart."""

import json

import numpy as np
import pytest

from positions.book import charts
from positions.book.pictures.attention import live
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.attention.measure import attention


@pytest.fixture(scope="module")
def trained() -> live.Trained:
    return live.train(["nope", "alibi", "nope"], steps=20)


def test_each_encoding_once_and_what_it_solves(trained) -> None:
    assert [each.variant for each in trained.models] == ["nope", "alibi"]
    said = live.said(trained)
    assert said.startswith("NoPE sorts ") and "ALiBi sorts " in said


def test_texts_within_and_beyond_training(trained) -> None:
    assert list(trained.texts) == [
        "3 symbols, as in training",
        "4 symbols, as in training",
        "5 symbols, longer",
        "6 symbols, longer",
    ]


def test_maps_hold_every_head_and_weigh_little(trained) -> None:
    picture = live.maps(trained)
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    spec = shown["application/vnd.vegalite.v6+json"]
    assert len(json.dumps(spec)) < 300_000
    (rows,) = spec["datasets"].values()
    assert len(rows) == 2 * 2 * 4 * 4
    for row in rows:
        assert len(row["share"]) == len(row["tokens"]) * (len(row["tokens"]) + 1) / 2
        assert len(set(row["tokens"])) == len(row["tokens"])
    assert len(picture.numbers) == len(rows)


def test_the_lower_half_is_unfolded_as_the_chart_counts_it(trained) -> None:
    tokens = trained.texts["3 symbols, as in training"]
    whole = 100 * attention(trained.models[0].model, tokens)[0][1].numpy()
    half = live._lower_half(whole)
    for number, share in enumerate(half, 1):  # as the chart's transforms do
        t = int((np.sqrt(8 * number - 7) - 1) // 2)
        n = number - 1 - t * (t + 1) // 2
        assert share == round(float(whole[t, n]))


def test_a_model_is_at_no_distance_from_itself_but_as_coded(trained) -> None:
    table = live.distances(trained)
    assert list(table.index) == ["nope and itself", "nope and alibi", "alibi and itself"]
    assert table.loc["nope and itself", ["closest heads", "all heads, matched"]].tolist() == [0, 0]
    assert table.loc["nope and itself", "as coded"] > 0
    assert table.loc["nope and alibi", "all heads, matched"] > 0


def test_no_encoding_at_all_is_said() -> None:
    with pytest.raises(InvalidValueError, match="Name at least one of: nope, sinusoidal"):
        live.train([], steps=1)


def test_an_unknown_encoding_is_said() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'alibi'"):
        live.train(["alibbi"], steps=1)
