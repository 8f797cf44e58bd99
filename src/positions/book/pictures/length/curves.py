"""Accuracy against length, task by task: the reader chooses task, encoding and whose runs."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from positions import tasks as all_tasks
from positions.analysis.statistics import intervals
from positions.book.pictures.length import paper
from positions.book.pictures.length.names import colours, dashes
from positions.book.pictures.length.study import LEARNED, Study
from positions.book.pictures.sliders import Picture, choice, menu, short
from positions.experiments.length_generalization.readings import GROUPS, by_length
from positions.words import many

WIDE, SMALL, COLUMNS = 520, 116, 4
TITLES = {
    "primitive": "Primitive tasks",
    "mathematical": "Mathematical and reasoning tasks",
    "classic": "Classic tests",
    "other": "Other tasks",
}
_SHOWN = "(curves_whose == 'both' || datum.whose == curves_whose)"
_CHOSEN = "(curves_encoding == 'all' || datum.variant == curves_encoding)"


def by_seed(study: Study) -> pd.DataFrame:
    """Return task, variant, length, mean, low, high of our runs: 95 % intervals over seeds."""
    columns = ["task", "variant", "length", "mean", "low", "high"]
    if not any(record.series.get("length") for record in study.records):
        return pd.DataFrame({name: [] for name in columns})
    runs = by_length(study.records)
    runs = runs[runs["variant"].isin(study.variants)]
    parts = []
    for (name, variant), part in runs.groupby(["task", "variant"], sort=False):
        wide = part.pivot(index="seed", columns="length", values="accuracy")
        for _, same in wide.T.groupby([wide.loc[seed].notna() for seed in wide.index]):
            found = intervals(same.dropna(axis=1).to_numpy().T)
            table = pd.DataFrame(dict(zip(columns[3:], found, strict=True)))
            parts.append(table.assign(task=str(name), variant=str(variant), length=[*same.index]))
    table = pd.concat(parts, ignore_index=True)[columns]
    order = [study.tasks.index(name) for name in table["task"]]
    return table.assign(order=order).sort_values(["order", "variant", "length"])[columns]


def chart(study: Study) -> Picture:
    """Draw small panels for all tasks, by group, over a large one for a chosen task."""
    ours = by_seed(study)
    frame = pd.DataFrame(_rows(ours, study, "ours") + _rows(_paper(study), study, "published"))
    names = [name for name in study.tasks if name in set(frame["task"])]
    menus = (
        menu("curves_task", {name: name for name in names}, "task"),
        menu("curves_encoding", {name: name for name in ("all", *study.variants)}, "encoding"),
        choice("curves_whose", *_whose(ours), label="runs"),
    )
    rows: list[Any] = []
    for group, part in frame.groupby("group", sort=False):
        most = max(max(row["length"]) / row["longest"] for _, row in part.iterrows())
        small = _panel(study, 1.5, most, small=True).properties(width=SMALL, height=84)
        header = alt.Header(labelFontSize=12, labelPadding=2)
        facet = alt.Facet("task:N").title(None).header(header)
        facet = facet.sort(names)
        rows.append(
            small.facet(facet, data=frame, columns=COLUMNS, spacing={"row": 8, "column": 12})
            .transform_filter(f"datum.group == '{group}'")
            .properties(title=TITLES[str(group)])
        )
    large = _panel(study, 2.5).properties(data=frame, width=WIDE, height=260)
    large = large.transform_filter("datum.task == curves_task").add_params(*menus)
    return Picture(
        alt.vconcat(*rows, large)
        .configure_legend(orient="top", columns=4, symbolOpacity=1)
        .configure_concat(spacing=16),
        "Exact match against length, in multiples of the longest training length: small panels for "
        f"{many(len(names), 'task')} over a large one for a chosen task, one line an encoding. "
        "Shaded: lengths seen in training. Menus choose task, encoding, and our runs or the "
        "published ones.",
        _numbers(ours if len(ours) else _paper(study), study),
    )


def _whose(ours: pd.DataFrame) -> tuple[str, ...]:
    return ("ours", "published", "both") if len(ours) else ("published",)


def _paper(study: Study) -> pd.DataFrame:
    table = paper.curves(study.tasks)
    return table[table["variant"].isin(study.variants)]


def _panel(study: Study, stroke: float, most: float | None = None, small: bool = False) -> Any:
    """Draw the curves of one task: published ones thin, what was not learned pale."""
    ticks: dict[str, Any] = {
        "values": [0, 1, 2, 3, 4],
        "format": "d",
        "labelFontSize": 11 if small else 13,
    }
    scale: dict[str, Any] = {"domainMin": 0} if most is None else {"domain": [0, most]}
    x = alt.X("x:Q").scale(nice=False, **scale).axis(**ticks)
    x = x.title(None if small else "length, in multiples of the longest trained on")
    y = alt.Y("mean:Q").scale(domain=[0, 1]).axis(values=[0, 0.5, 1], format="%")
    y = y.title(None if small else "exact match")
    base = (
        alt.Chart()
        .transform_filter(_SHOWN)
        .transform_flatten(["length", "mean", "low", "high"])
        .transform_calculate(x="datum.length / datum.longest")
    )
    colour, dash = colours(study.variants), dashes(study.variants)
    strong = "datum.learned ? 1 : 0.35"
    opacity = alt.condition(_CHOSEN, alt.value(alt.expr(strong)), alt.value(0.12))
    thin = alt.condition("datum.whose == 'ours'", alt.value(stroke), alt.value(0.6 * stroke))
    seen = (
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rect(opacity=0.13, color="#858585")
        .encode(x=alt.datum(0), x2=alt.datum(1))
    )
    band = base.transform_filter(_CHOSEN).mark_area(opacity=0.15)
    line = base.mark_line().encode(
        x, y, colour, dash, alt.Detail(["whose:N", "learned:N"]), tooltip=_TOOLTIP
    )
    return alt.layer(
        seen,
        band.encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), colour, alt.Detail("whose:N")),
        line.encode(opacity=opacity, size=thin),
    )


_TOOLTIP = [
    "task:N",
    alt.Tooltip("variant:N", title="encoding"),
    alt.Tooltip("whose:N", title="runs"),
    alt.Tooltip("length:Q"),
    alt.Tooltip("mean:Q", title="exact match", format=".3f"),
    alt.Tooltip("low:Q", title="from", format=".3f"),
    alt.Tooltip("high:Q", title="to", format=".3f"),
    alt.Tooltip("learned:N"),
]


def _rows(table: pd.DataFrame, study: Study, whose: str) -> list[dict[str, Any]]:
    """Pack each curve into one row, which the chart unfolds: a page holds thousands of points."""
    learned = study.runs.groupby(["task", "variant"])["iid"].mean() >= LEARNED
    longest = {str(record.config["task"]): record.config["longest"] for record in study.records}
    rows = []
    for (name, variant), part in table.groupby(["task", "variant"], sort=False):
        last = longest.get(str(name)) if whose == "ours" else None
        rows.append(
            {
                "task": name,
                "group": GROUPS.get(str(name), "other"),
                "variant": variant,
                "whose": whose,
                "learned": bool(learned.get((name, variant), True)) or whose != "ours",
                "longest": last or all_tasks.build(str(name)).longest,
                "length": part["length"].tolist(),
            }
            | {end: short(part[end].fillna(part["mean"])) for end in ("mean", "low", "high")}
        )
    return rows


def _numbers(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Return means by task and length, one column an encoding."""
    wide = table.pivot_table(
        index=["task", "length"], columns="variant", values="mean", sort=False
    ).reset_index()
    here = [name for name in study.variants if name in wide]
    return wide[["task", "length", *here]].rename_axis(columns=None)
