"""Charts: described, stable, safe inside a page, in colours that everybody can tell apart."""

import itertools
import json
import re

import altair as alt
import numpy as np
import pandas as pd
import pytest

from positions.book import charts
from positions.book.sphinx import vega_bundle
from positions.errors import InvalidValueError

ENCODINGS = ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"]
WHITE, DARK = "#ffffff", "#121212"  # the site's backgrounds

# Machado, Oliveira and Fernandes (2009), full deficiency, on linear RGB
SIGHT = {
    "normal": np.eye(3),
    "protan": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deutan": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "tritan": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"x": [1.0, 2.123456, np.nan], "name": ["nope", "t5", "</script>"]})


@pytest.fixture
def chart(frame: pd.DataFrame) -> alt.Chart:
    return alt.Chart(frame).mark_point().encode(x="x", y="name")


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, two: str) -> float:
    luminances = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, two))
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)


def oklab(rgb: np.ndarray) -> np.ndarray:
    to_cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    to_lab = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    return np.array(to_lab) @ np.cbrt(np.array(to_cones) @ rgb)


@pytest.mark.parametrize("colour", sorted({*charts.COLOURS.values(), *charts.SPARE_COLOURS}))
def test_every_colour_stands_out_on_both_backgrounds(colour: str) -> None:
    assert contrast(colour, WHITE) >= 3
    assert contrast(colour, DARK) >= 3


@pytest.mark.parametrize("sight", SIGHT)
def test_encodings_can_be_told_apart(sight: str) -> None:
    seen = [
        oklab(np.clip(np.array(SIGHT[sight]) @ linear(charts.COLOURS[name]), 0, 1))
        for name in ENCODINGS
    ]
    # 0.02 is about a just noticeable difference in OKLab
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 0.1


def test_variants_and_derived_controls_keep_their_colour() -> None:
    assert charts.colour("rotary 0.25") == charts.colour("Rotary") == charts.COLOURS["rotary"]
    assert charts.colour("rotary, whole") == charts.COLOURS["rotary"]
    assert charts.colour("shuffled:gpt2") == charts.COLOURS["shuffled"]
    assert charts.colour("GPT-2") == charts.COLOURS["gpt2"]
    assert charts.colour("fire") in charts.SPARE_COLOURS


def test_scale_keeps_the_order_and_drops_repeats() -> None:
    scale = charts.scale(["t5", "nope", "t5"]).to_dict()
    assert scale["domain"] == ["t5", "nope"]
    assert scale["range"] == [charts.COLOURS["t5"], charts.COLOURS["nope"]]


def test_figure_describes_and_tabulates(chart: alt.Chart) -> None:
    page = charts.figure(chart, description='Says "no" & <more>')["text/html"]
    assert 'aria-label="Says &quot;no&quot; &amp; &lt;more&gt;"' in page
    assert "<td>2.123</td>" in page
    assert "&lt;/script&gt;" in page


def test_specification_in_the_page_is_the_chart(chart: alt.Chart) -> None:
    page = charts.figure(chart, description="x")["text/html"]
    inside = re.search(r'<script type="application/json">(.*?)</script>', page)
    spec = json.loads(inside[1])
    assert spec["mark"]["type"] == "point"
    assert "</script>" in [row["name"] for row in next(iter(spec["datasets"].values()))]


def test_equal_charts_give_equal_pages(frame: pd.DataFrame) -> None:
    def page(description: str) -> str:
        made = alt.Chart(frame).mark_bar().encode(x="x")
        return charts.figure(made, description=description)["text/html"]

    assert page("one") == page("one") != page("two")


@pytest.mark.parametrize("description", ["", "  ", None])
def test_missing_description_is_an_error(chart: alt.Chart, description: str | None) -> None:
    with pytest.raises(InvalidValueError, match="needs a description"):
        charts.show(chart, description=description)


def test_bare_chart_asks_for_show(chart: alt.Chart) -> None:
    with alt.theme.enable(), alt.renderers.enable():
        charts.enable()
        with pytest.raises(InvalidValueError, match=r"charts\.show"):
            chart._repr_mimebundle_()
        assert "text/html" in chart.properties(description="Said.")._repr_mimebundle_()


def test_several_tables_need_the_numbers_named(chart: alt.Chart, frame: pd.DataFrame) -> None:
    both = chart | alt.Chart(frame.head(1)).mark_bar().encode(x="x")
    with pytest.raises(InvalidValueError, match="data=frame"):
        charts.figure(both, description="x")
    page = charts.figure(both, description="x", data=frame.set_index("name"))["text/html"]
    assert '<th scope="col">name</th>' in page


def test_wrong_types_are_named(chart: alt.Chart) -> None:
    with pytest.raises(InvalidValueError, match="not int"):
        charts.figure(3, description="x")
    with pytest.raises(InvalidValueError, match="not list"):
        charts.figure(chart, description="x", data=[1])


def test_long_tables_say_how_long() -> None:
    long = pd.DataFrame({"x": range(charts.ROWS_SHOWN + 1)})
    page = charts.figure(alt.Chart(long).mark_tick().encode(x="x"), description="x")["text/html"]
    assert page.count("<tr") == charts.ROWS_SHOWN + 1  # the head's row too
    assert f"of {charts.ROWS_SHOWN + 1:,} rows" in page


def test_bundled_vega_lite_is_the_one_altair_writes_for() -> None:
    bundle = vega_bundle()
    assert f'"vegalite_version": "{alt.VEGALITE_VERSION}"' in bundle
    major_minor = ".".join(alt.VEGALITE_VERSION.split(".")[:2])
    assert re.search(rf'["`]{re.escape(major_minor)}\.\d+["`]', bundle)
