"""Where in a text a model knows its position: what is read, place by place."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.book.pictures.hidden.study import NOTHING, Study
from positions.book.pictures.length.names import colours, encoding
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, menu

GREY = "#858585"
_TITLES = {"trained": "trained", "untrained": "first weights"}


def over_seeds(places: pd.DataFrame) -> pd.DataFrame:
    """Return variant, state, position, predicted, low, high: means over seeds.

    `low` and `high` are one standard deviation of single predictions away.
    """
    keys = ["variant", "state", "position"]
    table = places.groupby(keys, sort=False, as_index=False)[["predicted", "spread"]].mean()
    low, high = (table["predicted"] + sign * table["spread"] for sign in (-1, 1))
    return table.assign(low=low, high=high).drop(columns="spread")


def chart(study: Study) -> Picture | Note:
    """Draw what the probe reads at each position; a menu chooses the encoding."""
    if not len(study.places):
        return Note(NOTHING)
    table = over_seeds(study.places).round(2)
    names = {name: encoding(name) for name in study.variants}
    chosen = menu("hidden_encoding", names, "encoding")
    states = [state for state in _TITLES if (table["state"] == state).any()]
    panels = [
        _panel(table[table["state"] == state], study).properties(
            title=_TITLES[state], width=210, height=210
        )
        for state in states
    ]
    picture = alt.hconcat(*panels).add_params(chosen).configure_legend(disable=True)
    return Picture(
        picture,
        "What the probe reads at each position, in the layer that it reads best, in two panels: a "
        "trained model, and one as its first weights are drawn. The line is the mean over texts "
        "and seeds, the band one standard deviation of single predictions; a dashed line marks "
        "where a prediction is right. A menu chooses the encoding.",
        table[table["variant"] == study.variants[0]],
    )


def _panel(table: pd.DataFrame, study: Study) -> alt.LayerChart:
    base = alt.Chart(table).transform_filter("datum.variant == hidden_encoding")
    x = alt.X("position:Q").title("position").scale(nice=False)
    y = alt.Y("predicted:Q").title("position as read")
    line = base.mark_line(strokeWidth=2).encode(
        x,
        y,
        colours(study.variants),
        tooltip=["position:Q", alt.Tooltip("predicted:Q", format=".1f")],
    )
    band = base.mark_area(opacity=0.2).encode(
        x, alt.Y("low:Q"), alt.Y2("high:Q"), colours(study.variants)
    )
    ends = [int(table["position"].min()), int(table["position"].max())]
    right = (
        alt.Chart(pd.DataFrame({"position": ends, "predicted": ends}))
        .mark_line(strokeDash=[5, 4], color=GREY)
        .encode(alt.X("position:Q"), alt.Y("predicted:Q"))
    )
    return right + band + line


def said(study: Study) -> str:
    """Say where along the text the probe of trained models is nearest, in thirds."""
    table = over_seeds(study.places[study.places["state"] == "trained"])
    if not len(table):
        return NOTHING
    longest = table["position"].max()
    parts = []
    for name in study.variants:
        there = table[table["variant"] == name]
        if not len(there):
            continue
        off = (there["predicted"] - there["position"]).abs()
        third = (3 * (there["position"] - 1) // longest).clip(0, 2)
        means = off.groupby(third).mean()
        parts.append(f"{encoding(name)} {', '.join(f'{each:.1f}' for each in means)}")
    return (
        "How far the mean prediction is off in the first, the middle and the last third of a text: "
        f"{'; '.join(parts)}."
    )
