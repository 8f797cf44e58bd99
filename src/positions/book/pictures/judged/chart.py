"""All claims by paper and verdict, a dot each."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import pandas as pd

from positions.book.pictures.sliders import Picture
from positions.claims import PAPERS, STATUSES, Verdict

COLOURS = dict(zip(STATUSES, ("#08a781", "#0797ff", "#f85e13", "#a781e1", "#858585"), strict=True))
WIDTH = 330
TWO_LINES = "split(replace(datum.label, ' at ', '|at '), '|')"
"""Breaks the longest verdict, so that a phone shows it whole."""


def drawn(verdicts: Iterable[Verdict]) -> Picture:
    """Draw a dot for each claim, a panel a paper, a row a verdict."""
    frame = table(verdicts)
    longest = max(10, int(frame["place"].max()) if len(frame) else 0)
    dots = (
        alt.Chart(frame)
        .mark_point(size=150, opacity=1)
        .encode(
            alt.X("place:Q")
            .title("claims")
            .scale(domain=[0, longest + 1], nice=False)
            .axis(tickMinStep=1, values=list(range(0, longest + 1, 2))),
            alt.Y("verdict:N")
            .scale(domain=list(STATUSES))
            .title(None)
            .axis(offset=6, grid=True, labelExpr=TWO_LINES),
            alt.Color("verdict:N")
            .scale(domain=list(COLOURS), range=list(COLOURS.values()))
            .legend(None),
            tooltip=[alt.Tooltip("number:N", title="claim"), "statement:N", "verdict:N"],
        )
        .properties(width=WIDTH, height=alt.Step(27))
    )
    facet = alt.Row("paper:N").sort(list(PAPERS.values())).title(None)
    chart = dots.encode(facet.header(labelAngle=0, labelOrient="top", labelAnchor="start"))
    return Picture(
        chart.properties(title="What has become of each claim?").configure_legend(orient="top"),
        f"A dot for each claim, a panel for each paper and a row for each verdict. {told(frame)}",
        frame.drop(columns="place"),
    )


def table(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """Return paper, number, statement, verdict and the place of each claim in its row of dots."""
    rows = [
        (PAPERS[one.claim.paper], one.claim.number, one.claim.statement, one.status)
        for one in verdicts
    ]
    frame = pd.DataFrame(rows, columns=["paper", "number", "statement", "verdict"])
    return frame.assign(place=frame.groupby(["paper", "verdict"]).cumcount() + 1)


def told(frame: pd.DataFrame) -> str:
    """Say how many claims of each paper have which verdict."""
    parts = []
    for paper in PAPERS.values():
        counts = frame[frame["paper"] == paper]["verdict"].value_counts()
        spelt = [f"{counts[status]} {status}" for status in STATUSES if status in counts]
        if spelt:
            parts.append(f"{paper}: {', '.join(spelt)}.")
    return " ".join(parts)
