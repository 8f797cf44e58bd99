"""Means with their ranges, a row a table and a colour an objective or a way of skipping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd


def drawn(
    frame: pd.DataFrame,
    tables: Sequence[str],
    kinds: Mapping[str, str],
    axis: str,
    marks: bool = False,
) -> alt.LayerChart:
    """Draw `mean` with `low` to `high` by `table` and `kind`; `kinds` names each one's colour.

    `tables`: their order. With `marks` the column `grid` chooses the shape.
    """
    shown = [kind for kind in kinds if kind in set(frame["kind"])]
    colours = alt.Scale(domain=shown, range=[kinds[kind] for kind in shown])
    base = alt.Chart(frame).encode(
        alt.Y("table:N").sort(list(tables)).title(None).axis(offset=8),
        alt.YOffset("kind:N").sort(shown),
        alt.Color("kind:N").scale(colours).sort(shown).title(None),
    )
    ranges = base.mark_rule(strokeWidth=4, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=70, opacity=1).encode(
        alt.X("mean:Q").title(axis),
        *([alt.Shape("grid:N").title(None).legend(orient="bottom")] if marks else []),
        tooltip=[
            "table:N",
            "kind:N",
            alt.Tooltip("mean:Q", title="nats", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "seeds:Q",
        ],
    )
    zero = (
        alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[3, 3]).encode(x=alt.datum(0))
    )
    height = alt.Step(10 + 11 * max(len(shown), 1), **{"for": "position"})
    return (
        (zero + ranges + dots)
        .properties(width=400, height=height)
        .configure_legend(orient="top", columns=2, labelLimit=260, symbolOpacity=1)
    )
