"""One estimate with its range a set, and whether it is sure once all of them are counted."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions.claims.rules import LEVEL
from positions.tasks.sentences import SETS

SURE, OPEN = "sure", "not sure"
COLOURS = {SURE: "#08a781", OPEN: "#858585"}


def marked(found: pd.DataFrame) -> pd.DataFrame:
    """Name the `set` of each row's task, and `told`: whether its `corrected` p is small enough."""
    return found.assign(
        set=[SETS[name].title for name in found["task"]],
        told=[SURE if p < LEVEL else OPEN for p in found["corrected"]],
    ).round(4)


def drawn(
    frame: pd.DataFrame,
    sets: Sequence[str],
    estimate: str,
    axis: str,
    chosen: alt.Parameter,
    where: str,
    tooltip: list[alt.Tooltip],
) -> alt.LayerChart:
    """Draw column `estimate` with `low` to `high`, a row a set in the order of `sets`.

    `chosen` is the menu, and `where` the expression of the rows that it leaves.
    """
    base = (
        alt.Chart(frame)
        .transform_filter(where)
        .encode(
            alt.Y("set:N").sort([SETS[name].title for name in sets]).title(None).axis(offset=8),
            alt.Color("told:N")
            .scale(alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())))
            .title("after Holm's correction"),
        )
    )
    ranges = base.mark_rule(strokeWidth=4, opacity=0.5).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        alt.X(f"{estimate}:Q").title(axis), tooltip=[alt.Tooltip("set:N"), *tooltip]
    )
    zero = (
        alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[3, 3]).encode(x=alt.datum(0))
    )
    return (
        (zero + ranges + dots)
        .properties(width=430, height=alt.Step(26))
        .add_params(chosen)
        .configure_legend(orient="top", symbolOpacity=1)
    )
