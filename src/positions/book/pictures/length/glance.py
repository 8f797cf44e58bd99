"""All accuracies at a glance: a row a task, a column an encoding."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from positions.book.pictures.length import paper
from positions.book.pictures.length.names import encoding, listed, many
from positions.book.pictures.length.study import LEARNED, Study, chance
from positions.book.pictures.sliders import Picture, choice
from positions.claims.length_readings import BEYOND

WIDTH, ROW = 420, 22
SLANTED: dict[str, Any] = {"orient": "top", "labelAngle": -40, "labelAlign": "left", "ticks": False}
"""Axis of names that stand close."""
ENOUGH, SHORT = "#0797ff", "#858585"


def within(study: Study) -> Picture:
    """Draw the exact match within the training lengths; what was not learned is grey."""
    return _chart(
        study,
        "iid",
        "Exact match within the training lengths in percent, mean over seeds: a row a task, a "
        f"column an encoding. Ours below {LEARNED:.0%} are grey. Buttons switch to the published "
        "figures.",
    )


def beyond(study: Study) -> Picture:
    """Draw the exact match beyond the training lengths; where a task was not learned, grey."""
    framed = ", the best of each task framed where it is beyond chance"
    return _chart(
        study,
        "accuracy",
        "Exact match beyond the training lengths in percent, mean over seeds: a row a task, a "
        f"column an encoding{framed if len(study.variants) > 1 else ''}. Encodings that have not "
        "learned the task itself are grey. Buttons switch to the published figures.",
    )


def learned(study: Study) -> str:
    """Say how many runs learned their task, and which did not."""
    runs = study.of()
    if not len(runs):
        return "No run of this preset is recorded yet."
    good = int(runs["learned"].sum())
    diverged = int(runs["iid"].isna().sum())
    said = (
        f"Of {many(len(runs), 'run')}, {good:,} solve at least {LEARNED:.0%} within their training "
        f"lengths."
    )
    if diverged < len(runs):
        said += f" The mean over all is {runs['iid'].mean():.3f}."
    if diverged:
        said += f" {diverged} diverged."
    if good == len(runs):
        return said
    table = runs.groupby(["task", "variant"], sort=False)["learned"].agg(["sum", "size"])
    parts = []
    for name, part in table[table["sum"] < table["size"]].groupby("task", sort=False):
        lacking = [encoding(str(variant)) for _, variant in part.index]
        every = len(part) == runs[runs["task"] == name]["variant"].nunique()
        none = bool((part["sum"] == 0).all())
        who = "all encodings" if every else listed(lacking)
        parts.append(f"`{name}` ({who}{'' if none else ', some of the seeds'})")
    return f"{said} Short of that: {listed(parts)}."


def _chart(study: Study, value: str, description: str) -> Picture:
    ours = study.of().assign(whose="ours")
    theirs = paper.scores(study.tasks).assign(whose="published")
    theirs = theirs[theirs["variant"].isin(study.variants)]
    by = ["whose", "task", "variant"]
    both = pd.concat([part for part in (ours, theirs) if len(part)], ignore_index=True)
    frame = both.groupby(by, sort=False)[[*{value, "iid"}]].mean().reset_index()
    frame["learned"] = (frame["iid"] >= LEARNED) | (frame["whose"] == "published")
    counted = frame[value].where(frame["learned"])
    best = counted.groupby([frame["whose"], frame["task"]]).transform("max")
    rivals = frame.groupby(["whose", "task"])["variant"].transform("nunique") > 1
    enough = (best - frame["task"].map(chance) >= BEYOND - 1e-9) & rivals
    frame["best"] = (counted == best) & (value == "accuracy") & enough
    frame["percent"] = [None if pd.isna(it) else round(100 * it, 1) for it in frame[value]]
    rows = frame[["whose", "task", "variant", "percent", "learned", "best"]].copy()
    names = [name for name in study.tasks if name in set(frame["task"])]
    whose = choice(f"glance_{value}", *dict.fromkeys(frame["whose"]), label="runs")
    base = (
        alt.Chart(rows)
        .transform_filter(f"datum.whose == glance_{value}")
        .encode(
            alt.X("variant:N").sort(study.variants).title(None).axis(**SLANTED),
            alt.Y("task:N").sort(names).title(None).axis(domain=False, ticks=False),
            tooltip=["task:N", "variant:N", "percent:Q", "learned:N"],
        )
    )
    colour = alt.condition("datum.learned", alt.value(ENOUGH), alt.value(SHORT))
    opacity = alt.Opacity("percent:Q").scale(domain=[0, 100], range=[0.04, 0.5]).legend(None)
    cells = base.mark_rect(cornerRadius=2).encode(color=colour, opacity=opacity)
    frames = base.transform_filter("datum.best").mark_rect(
        fillOpacity=0, stroke=ENOUGH, strokeWidth=2, cornerRadius=2
    )
    texts = base.mark_text(fontSize=12).encode(alt.Text("percent:Q", format=".0f"))
    chart = alt.layer(cells, frames, texts).add_params(whose)
    wide = frame.pivot_table(
        index=["whose", "task"], columns="variant", values="percent", sort=False
    )
    here = [name for name in study.variants if name in wide]
    return Picture(
        chart.properties(width=WIDTH, height=alt.Step(ROW)),
        description,
        wide[here].reset_index().rename_axis(columns=None),
    )
