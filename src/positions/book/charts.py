"""One look for every chart: colours, sizes, and a figure that works offline and reads aloud."""

from __future__ import annotations

import html
import json
import re
import uuid
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import pandas as pd
from IPython.display import display

from positions.errors import InvalidValueError

# Chosen by search: any two of the six differ by at least 0.13 in OKLab for normal sight and for
# the three kinds of colour blindness, and each has a contrast of 3:1 on white and on #121212.
COLOURS: dict[str, str] = {
    "nope": "#795581",
    "sinusoidal": "#08a781",
    "learned": "#a781e1",
    "t5": "#035bd5",
    "alibi": "#f85e13",
    "rotary": "#a6421d",
    # position tables; copies of BERT share its family
    "gpt2": "#035bd5",
    "bert-base-uncased": "#a6421d",
    "bert-base-uncased-finetuned-a": "#c2562e",
    "bert-base-uncased-finetuned-b": "#d9632f",
    "bert-base-uncased-finetuned-c": "#f85e13",
    "roberta-base": "#a781e1",
    # controls are greys
    "random": "#6e6e6e",
    "zeros": "#8a8a8a",
    "gaussian": "#6e6e6e",
    "random-walk": "#858585",
    "smooth-random": "#767d85",
    "one-hot": "#7d756b",
    "ramp": "#8c8c8c",
    "shuffled": "#707780",
    "rotated": "#807a70",
    "spectrum-matched": "#7a7a7a",
    "noisy-after-128": "#858076",
}
SPARE_COLOURS = ("#0797ff", "#d870a1", "#919a06")
"""For encodings and tables that the book does not know."""

ROWS_SHOWN = 500
"""Rows in the table behind a chart; more would weigh down the page."""

_ALIASES = {"gpt-2": "gpt2", "bert": "bert-base-uncased", "roberta": "roberta-base"}
_NAMESPACE = uuid.UUID("5f0c3a52-3f0c-5c8e-9d2b-6a6f8f5c7e11")


def colour(name: str) -> str:
    """Return the one colour of an encoding or a table.

    What follows the first word is a variant and keeps the colour (`rotary 0.25`); a control made
    from a table (`shuffled:gpt2`) has the control's; an unknown name always gets the same spare.
    """
    whole = name.strip().lower()
    for key in (whole, re.split(r"[\s:(,]", whole)[0]):
        key = _ALIASES.get(key, key)
        if key in COLOURS:
            return COLOURS[key]
    return SPARE_COLOURS[zlib.crc32(whole.encode()) % len(SPARE_COLOURS)]


def scale(names: Iterable[str]) -> alt.Scale:
    """Return the colour scale for these names, in this order."""
    domain = list(dict.fromkeys(names))
    return alt.Scale(domain=domain, range=[colour(name) for name in domain])


def enable() -> None:
    """Make every Altair chart of this process look and behave as the book's do."""
    alt.theme.enable("book")
    alt.renderers.register("book", _render)
    alt.renderers.enable("book")
    alt.data_transformers.disable_max_rows()


def show(chart: Any, *, description: str, data: pd.DataFrame | None = None) -> None:
    """Display a chart with a description for screen readers and the table of its numbers.

    `data` is the table; where it is not given, the chart's own data are shown. Raises
    `InvalidValueError` without a description, or where the chart's data are several tables.
    """
    display(figure(chart, description=description, data=data), raw=True)


def figure(chart: Any, *, description: str, data: pd.DataFrame | None = None) -> dict[str, Any]:
    """Return what `show` displays: a bundle of representations by MIME type."""
    if not hasattr(chart, "to_dict"):
        raise InvalidValueError(f"An Altair chart is needed, not {type(chart).__name__}.")
    if not isinstance(description, str) or not description.strip():
        raise InvalidValueError(
            "A chart needs a description: one or two sentences that say what it shows to "
            "somebody who cannot see it, charts.show(chart, description='...')."
        )
    with alt.theme.enable("book"):
        spec = chart.to_dict()
    return _bundle({**spec, "description": " ".join(description.split())}, data)


@alt.theme.register("book", enable=False)
def _theme() -> alt.theme.ThemeConfig:
    """Sizes and shapes only: the page sets the colours of text and lines, light or dark."""
    return alt.theme.ThemeConfig(
        config={
            "background": "transparent",
            "font": "system-ui, -apple-system, 'Segoe UI', sans-serif",
            "view": {"continuousWidth": 520, "continuousHeight": 300, "stroke": None},
            "axis": {
                "labelFontSize": 13,
                "labelSeparation": 8,
                "titleFontSize": 14,
                "titleFontWeight": "normal",
            },
            "axisX": {"grid": False},
            "axisY": {"gridOpacity": 0.25, "domain": False, "ticks": False, "labelLimit": 240},
            "legend": {"labelFontSize": 13, "titleFontSize": 13, "symbolSize": 120},
            "header": {"labelFontSize": 14, "titleFontSize": 14},
            "title": {"fontSize": 16, "subtitleFontSize": 13, "anchor": "start"},
            "text": {"fontSize": 13},
            "line": {"strokeWidth": 2.5},
            "point": {"size": 60, "filled": True},
            "range": {"category": [*list(COLOURS.values())[:6], *SPARE_COLOURS]},
        }
    )


def _render(spec: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Altair's renderer `book`, for a chart that ends a cell; `show` says the same more simply."""
    if not spec.get("description"):
        raise InvalidValueError(
            "This chart has no description. Show it with "
            "positions.book.charts.show(chart, description='...')."
        )
    return _bundle(spec, None)


def _bundle(spec: dict[str, Any], data: pd.DataFrame | None) -> dict[str, Any]:
    table = _own_data(spec) if data is None else data
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), allow_nan=False)
    name = f"chart-{uuid.uuid5(_NAMESPACE, text)}"
    description = html.escape(spec["description"], quote=True)
    safe = text.replace("<", "\\u003c")  # so that no text can end the script element
    page = (
        f'<div class="book-chart" id="{name}">\n'
        f'<figure role="img" aria-label="{description}">'
        f'<script type="application/json">{safe}</script>'
        f'<p class="book-chart-text">{description}</p></figure>\n'
        f"<details><summary>Numbers behind this chart</summary>\n{_table(table)}</details>\n</div>"
    )
    return {
        "application/vnd.vegalite.v6+json": spec,
        "text/html": page,
        "text/plain": f"Chart: {spec['description']}",
    }


def _own_data(spec: Mapping[str, Any]) -> pd.DataFrame:
    tables = list(spec.get("datasets", {}).values())
    if not tables:
        inline = spec.get("data", {}).get("values")
        tables = [inline] if isinstance(inline, list) else []
    if len(tables) != 1:
        raise InvalidValueError(
            f"This chart holds {len(tables)} tables of data, so say which numbers stand behind "
            "it: charts.show(chart, description='...', data=frame)."
        )
    return pd.DataFrame(tables[0])


def _table(data: pd.DataFrame) -> str:
    """Return an HTML table of the first rows, floats to four significant digits."""
    if not isinstance(data, pd.DataFrame):
        raise InvalidValueError(f"data= takes a pandas DataFrame, not {type(data).__name__}.")
    if not isinstance(data.index, pd.RangeIndex):
        data = data.reset_index()
    body = data.head(ROWS_SHOWN).to_html(
        index=False, border=0, na_rep="", float_format=lambda value: f"{value:.4g}"
    )
    body = body.replace('class="dataframe"', 'class="dataframe book-numbers"')
    body = body.replace("<th>", '<th scope="col">')
    note = ""
    if len(data) > ROWS_SHOWN:
        note = f"<p>The first {ROWS_SHOWN:,} of {len(data):,} rows.</p>\n"
    return f'{note}<div class="book-numbers-box" tabindex="0">{body}</div>\n'
