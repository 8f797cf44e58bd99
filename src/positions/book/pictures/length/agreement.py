"""Whether a task ranks the encodings as in the paper."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.analysis import ranking
from positions.analysis.statistics import interval
from positions.book.pictures.length import paper
from positions.book.pictures.length.names import many, span, tasks
from positions.book.pictures.length.study import Study, unranked
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.experiments.length_generalization.readings import GROUPS

AGREE, OTHER = "#0797ff", "#858585"


def table(study: Study) -> pd.DataFrame:
    """Return task, tau, low, high, seeds: Kendall's tau of our ranking with the published one.

    Only runs that have learned their task are ranked. Tasks without a seed in which all encodings
    have, on which none is beyond chance, or without published figures, are left out.
    """
    variants = study.paper()
    runs = study.counted(*variants)
    runs = runs[runs["task"].isin(set(GROUPS).difference(study.guessed(*variants)))]
    columns = ["task", "tau", "low", "high", "seeds"]
    if len(variants) < 2 or not set(runs["variant"]).issuperset(variants):
        return pd.DataFrame(columns=columns)
    theirs = paper.scores(study.tasks).groupby(["task", "variant"], sort=False)["accuracy"].mean()
    found = ranking.agreement(runs, theirs.reset_index(), variants)
    return found.dropna(subset="tau").reset_index(drop=True)


def chart(study: Study) -> Picture | Note:
    """Draw Kendall's tau of our ranking with the published one, a dot a task."""
    frame = table(study)
    if not len(frame):
        takes = "No task has runs of all these encodings that have learned it."
        return Note(unranked(study, study.paper()) or takes)
    frame["group"] = frame["task"].map(GROUPS)
    base = alt.Chart(frame).encode(
        alt.Y("task:N").sort(list(study.tasks)).title(None).axis(offset=8),
        color=alt.condition("datum.tau > 0", alt.value(AGREE), alt.value(OTHER)),
    )
    tau = alt.X("tau:Q").scale(domain=[-1, 1]).title("Kendall's tau (1: the published order)")
    ranges = base.mark_rule(strokeWidth=4, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        tau,
        tooltip=[
            "task:N",
            alt.Tooltip("tau:Q", format=".2f"),
            alt.Tooltip("low:Q", title="from", format=".2f"),
            alt.Tooltip("high:Q", title="to", format=".2f"),
            "seeds:Q",
        ],
    )
    zero = alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[3, 3])
    return Picture(
        (zero.encode(x=alt.datum(0)) + ranges + dots).properties(width=430, height=alt.Step(20)),
        "Kendall's tau between our ranking of the encodings and the published one, one dot a task: "
        "mean over seeds with a 95 % interval. 1 is the same order, -1 the reverse, 0 no relation.",
        frame,
    )


def said(study: Study) -> str:
    """Say on how many tasks the order resembles the published one, and on which it does not."""
    found = table(study)
    if not len(found):
        if len(study.paper()) < 2:
            return "A ranking to compare with the paper's takes two of its encodings."
        why = unranked(study, study.paper())
        return f"No task can be compared with the paper's yet. {why}".rstrip()
    mean = interval(found["tau"])
    other = found[found["tau"] <= 0]
    over = "" if mean.n == 1 else f" ({span(mean.low, mean.high)} over tasks)"
    said = f"Over {many(len(found), 'task')}, tau is {mean.mean:.2f} in the mean{over}."
    if found["seeds"].max() > 1:
        alike = int((found["low"] > 0).sum())
        said += f" On {alike} of them the whole interval over seeds lies above 0."
    return f"{said} At or below 0: {tasks(other['task'])}."
