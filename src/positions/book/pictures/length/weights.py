"""The best weights by validation, as in the paper, against the last ones."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions import published
from positions.analysis.ranking import mean_reciprocal_rank
from positions.analysis.statistics import interval
from positions.book import charts
from positions.book.pictures.length.names import encoding, listed
from positions.book.pictures.length.ranks import rank
from positions.book.pictures.length.study import Study
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture

SHAPES = {"best": "circle", "last": "square"}


def table(study: Study) -> pd.DataFrame:
    """Return variant, weights, mean, low, high, runs: exact match beyond the training lengths.

    Means over the runs that have learned their task, with 95 % intervals over tasks.
    """
    rows = []
    for name in study.variants:
        runs = study.of(name)
        runs = runs[runs["learned"]].dropna(subset=["accuracy", "last"])
        for weights, column in (("best", "accuracy"), ("last", "last")):
            if len(runs):
                found = interval(runs.groupby("task")[column].mean())
                rows.append(
                    {"variant": name, "weights": weights, "mean": found.mean}
                    | {"low": found.low, "high": found.high, "runs": len(runs)}
                )
    return pd.DataFrame(rows, columns=["variant", "weights", "mean", "low", "high", "runs"])


def chart(study: Study) -> Picture | Note:
    """Draw the mean exact match beyond training lengths with the best and with the last weights."""
    frame = table(study)
    if not len(frame):
        return Note("No run has learned its task yet.")
    shape = alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))
    base = alt.Chart(frame).encode(
        alt.Y("variant:N").sort(list(study.variants)).title(None).axis(offset=8),
        alt.Color("variant:N").scale(charts.scale(study.variants)).legend(None),
        alt.YOffset("weights:N").sort(list(SHAPES)),
    )
    ranges = base.mark_rule(strokeWidth=3, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        alt.X("mean:Q").title("exact match beyond the training lengths").scale(domain=[0, 1]),
        alt.Shape("weights:N").scale(shape).title(None),
        tooltip=[
            alt.Tooltip("variant:N", title="encoding"),
            "weights:N",
            alt.Tooltip("mean:Q", title="exact match", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "runs:Q",
        ],
    )
    height = alt.Step(28, **{"for": "position"})
    return Picture(
        (ranges + dots)
        .properties(width=450, height=height)
        .configure_legend(orient="top", symbolOpacity=1, symbolFillColor="#858585"),
        "Mean exact match beyond the training lengths for each encoding, with the best weights by "
        "validation and with the last ones; bars are 95 % intervals over tasks.",
        frame,
    )


def said(study: Study) -> str:
    """Say how much the choice of weights moves, and whether it moves the ranking."""
    runs = study.of()
    runs = runs[runs["learned"]].dropna(subset=["accuracy", "last"])
    if not len(runs):
        return "No run has learned its task yet."
    gap = (runs["last"] - runs["accuracy"]).groupby(runs["variant"], sort=False).mean()
    most = str(gap.abs().idxmax())
    found = (
        f"The last weights differ most from the best for {encoding(most)}: by "
        f"{gap[most]:+z.3f} in the mean."
    )
    orders = []
    for column in ("accuracy", "last"):
        ranked = rank(study.of().assign(accuracy=study.of()[column]), study.paper())
        orders.append(None if ranked is None else list(mean_reciprocal_rank(ranked)["variant"]))
    if orders[0] is None or orders[1] is None:
        return found
    names = listed(encoding(name) for name in orders[1])
    if orders[0] == orders[1]:
        return f"{found} The order of the ranks is the same with both: {names}."
    return f"{found} With the last weights the order of the ranks is another: {names}."


def selected() -> str:
    """Say after how many steps the published weights of the copying tasks were taken."""
    runs = published.load("length-generalization/runs")
    runs = runs[(runs["scratchpad"] == "none") & runs["task"].str.startswith("copy")]
    middle = runs.groupby("pe")["selected_ckpt"].median()
    names = {"nope": "nope", "t5": "t5", "alibi": "alibi", "rotary": "rotary", "ape": "sinusoidal"}
    parts = [f"{encoding(names[str(pe)])} {middle[pe]:,.0f}" for pe in names]
    return f"In the paper's logs of the copying tasks the median is, in steps: {listed(parts)}."
