"""Recorded measures of position tables as pictures: dots, changes, curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from positions.analysis.statistics import central_range
from positions.book.pictures.labels import dashes, label, scale
from positions.book.pictures.sliders import Picture
from positions.errors import InvalidValueError
from positions.experiments.probing.presets import REAL
from positions.runs import Record

ScaleType = Literal["linear", "log", "symlog"]
WIDTH = 560
CHANGES = ("#0797ff", "#f85e13", "#919a06", "#a781e1", "#858585")
"""One colour a variant of a measure; the book's colours of encodings stay with encodings."""


def of(records: Sequence[Record], measure: str) -> list[Record]:
    """Return the records of a measure, those of real tables before those of controls."""
    found = [record for record in records if record.config["measure"] == measure]
    return sorted(found, key=lambda record: _order(str(record.config["table"])))


def name(record: Record) -> str:
    """Return a record's table as a chart shows it; unused rows are said."""
    unused = ", unused rows kept" if record.config.get("unused_rows") else ""
    return label(str(record.config["table"])) + unused


def against_published(
    records: Sequence[Record],
    measure: str,
    metric: str,
    published: Mapping[str, float],
    unit: str,
    kind: ScaleType = "symlog",
) -> Picture:
    """Draw single runs and their mean for each table, beside the one published run.

    `metric` must be kept by seed. `published` gives its published value by table; a table that
    has one and no record is drawn without ours.
    """
    rows = []
    for record in of(records, measure):
        runs = record.series[f"{metric}_by_seed"]
        spread = central_range(runs)
        printed = published.get(str(record.config["table"]))
        rows.append(
            {
                "table": name(record),
                "mean": spread.mean,
                "low": spread.low,
                "high": spread.high,
                "runs": spread.n,
                "published": None if record.config.get("unused_rows") else printed,
            }
        )
    here = {row["table"] for row in rows}
    absent = {label(table): value for table, value in published.items() if label(table) not in here}
    rows += [
        {"table": f"{table} (not at hand)", "published": value} for table, value in absent.items()
    ]
    frame = pd.DataFrame(rows)
    frame["best"] = frame["mean"].fillna(frame["published"])
    frame = frame.sort_values("best", ignore_index=True).drop(columns="best")
    long = frame.melt(["table", "low", "high", "runs"], ["mean", "published"], "figure", "value")
    long["figure"] = long["figure"].replace({"mean": "our runs, mean", "published": "published"})
    rows_shown = alt.Y("table:N").sort(list(frame["table"])).title(None).axis(offset=8)
    value = alt.X("value:Q").title(unit).scale(type=kind, nice=False).axis(_ticks(kind))
    figures = ["our runs, mean", "published"]
    base = alt.Chart(long).encode(rows_shown)
    ranges = (
        base.transform_filter("datum.figure == 'our runs, mean' && datum.low != null")
        .mark_rule(strokeWidth=5, opacity=0.35, color=CHANGES[0])
        .encode(x="low:Q", x2="high:Q")
    )
    dots = (
        base.transform_filter("isValid(datum.value)")
        .mark_point(size=90, opacity=1)
        .encode(
            value,
            alt.Color("figure:N").scale(domain=figures, range=[CHANGES[0], CHANGES[1]]).title(None),
            alt.Shape("figure:N").scale(domain=figures, range=["circle", "diamond"]).title(None),
            tooltip=[
                "table:N",
                "figure:N",
                alt.Tooltip("value:Q", format=".4~g"),
                alt.Tooltip("low:Q", title="95 % of runs from", format=".4~g"),
                alt.Tooltip("high:Q", title="to", format=".4~g"),
                alt.Tooltip("runs:Q", title="runs"),
            ],
        )
    )
    chart = (ranges + dots).properties(width=WIDTH, height=alt.Step(22))
    return Picture(
        chart.configure_legend(orient="top"),
        f"{unit.capitalize()} for each table: the mean of our runs, a bar that holds 95 % of them, "
        "and the published figure where there is one.",
        frame,
    )


def changes(
    records: Sequence[Record],
    variants: Mapping[str, tuple[str, str]],
    unit: str,
    kind: ScaleType = "linear",
) -> Picture:
    """Draw how a figure changes with the way it is measured: a row a table, a dot a variant.

    `variants` says by name which metric of which measure it is. Bars are 95 % intervals of means.
    """
    rows = []
    for variant, (measure, metric) in variants.items():
        for record in of(records, measure):
            value = record.metrics.get(metric)
            if value is None or record.config.get("unused_rows"):
                continue
            low, high = (record.metrics.get(f"{metric}_{end}", value) for end in ("low", "high"))
            rows.append(
                {"table": name(record), "variant": variant, "value": value}
                | {"low": low, "high": high}
            )
    frame = _recorded(rows, records, [measure for measure, _ in variants.values()])
    tables = list(dict.fromkeys(frame["table"]))
    names = list(variants)
    colours = alt.Scale(domain=names, range=list(CHANGES[: len(names)]))
    base = alt.Chart(frame).encode(
        alt.Y("table:N").sort(tables).title(None).axis(offset=8),
        alt.Color("variant:N").scale(colours).sort(names).title(None),
        alt.YOffset("variant:N").sort(names),
    )
    line = base.mark_rule(strokeWidth=3, opacity=0.5).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        alt.X("value:Q").title(unit).scale(type=kind, nice=False).axis(_ticks(kind)),
        tooltip=[
            "table:N",
            "variant:N",
            alt.Tooltip("value:Q", format=".4~g"),
            alt.Tooltip("low:Q", format=".4~g"),
            alt.Tooltip("high:Q", format=".4~g"),
        ],
    )
    wide = frame.pivot_table(index="table", columns="variant", values="value", sort=False)
    return Picture(
        (line + dots)
        .properties(width=WIDTH, height=alt.Step(26, **{"for": "position"}))
        .configure_legend(orient="top", columns=2, labelLimit=300, symbolOpacity=1),
        f"{unit.capitalize()} for each table, measured in {len(names)} ways: {', '.join(names)}.",
        wide.reindex(columns=names).reset_index().rename_axis(columns=None),
    )


def curves(
    records: Sequence[Record],
    measure: str,
    series: str,
    at: str,
    tables: Sequence[str],
    titles: tuple[str, str],
    kinds: tuple[ScaleType | Literal["ordinal"], ScaleType] = ("linear", "linear"),
    every: int = 1,
) -> Picture:
    """Draw a recorded series against another, or against its index where `at` is "index".

    One line a table, with a band where intervals are recorded. `titles` and `kinds` are those of
    the two axes; `every` thins long series to means of so many points.
    """
    rows: list[dict[str, object]] = []
    for record in of(records, measure):
        if record.config["table"] not in tables or series not in record.series:
            continue
        values = [
            np.array(record.series[series + end], dtype=float) for end in _ends(record, series)
        ]
        where = record.series[at] if at != "index" else range(len(values[0]))
        for start in range(0, len(where), every):
            stretch = slice(start, start + every)
            undefined = np.isnan(values[0][stretch]).any()
            if undefined or (kinds[0] == "log" and where[start] <= 0):
                continue
            mean, low, high = (round(float(part[stretch].mean()), 4) for part in values)
            rows.append(
                {"table": name(record), "at": where[start], "value": mean, "low": low, "high": high}
            )
    frame = _recorded(rows, records, [measure])
    ordinal = kinds[0] == "ordinal"
    x = alt.X(f"at:{'O' if ordinal else 'Q'}").title(titles[0])
    x = x.sort(None).axis(labelAngle=0) if ordinal else x.scale(type=kinds[0], nice=False)
    y = alt.Y("value:Q").title(titles[1]).scale(type=kinds[1]).axis(_ticks(kinds[1]))
    shown = [table for table in tables if label(table) in set(frame["table"])]
    colour = alt.Color("table:N").scale(scale(shown)).title(None)
    base = alt.Chart(frame).encode(x, colour)
    band = base.mark_area(opacity=0.2).encode(alt.Y("low:Q"), alt.Y2("high:Q"))
    line = base.mark_line(strokeWidth=2, point={"size": 25} if len(frame) < 200 else False).encode(
        y, dashes(shown), tooltip=["table:N", "at", alt.Tooltip("value:Q", format=".4~g")]
    )
    return Picture(
        (band + line)
        .properties(width=WIDTH, height=280)
        .configure_legend(orient="top", columns=4, symbolOpacity=1),
        f"{titles[1].capitalize()} against {titles[0]}, one line for each table.",
        frame.rename(columns={"at": titles[0], "value": titles[1]}),
    )


def overview(
    records: Sequence[Record], rows: Mapping[str, tuple[str, str]], tables: Sequence[str]
) -> pd.DataFrame:
    """Return figures side by side: a row a question, a column a table.

    `rows` says by question which metric of which measure answers it. A figure that is not recorded
    is "-", and a table without any is left out.
    """
    here = {record.config["table"] for record in records}
    tables = [table for table in tables if table in here]
    answers = {}
    for question, (measure, metric) in rows.items():
        found = {
            record.config["table"]: record.metrics.get(metric)
            for record in of(records, measure)
            if not record.config.get("unused_rows")
        }
        answers[question] = [_digits(found.get(table)) for table in tables]
    return pd.DataFrame(answers, index=[label(table) for table in tables]).T


def _ticks(kind: ScaleType) -> alt.Axis:
    """Return an axis whose ticks can be read: on a symlog scale, 1, 2, 5 times each power."""
    if kind == "symlog":
        return alt.Axis(values=[0, 1, 2, 5, 10, 20, 50, 100, 200, 500], labelOverlap=True)
    return alt.Axis(tickCount=7)


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def _ends(record: Record, series: str) -> tuple[str, str, str]:
    """Return what to add to a series' name for its mean and the ends of its interval."""
    return ("", "_low", "_high") if f"{series}_low" in record.series else ("", "", "")


def _order(table: str) -> tuple[bool, int]:
    """Place a table: pre-trained ones and the sinusoid first, then controls."""
    derived = ":" in table
    return derived, REAL.index(table) if table in REAL else len(REAL)


def _recorded(
    rows: Sequence[Mapping[str, object]], records: Sequence[Record], measures: Sequence[str]
) -> pd.DataFrame:
    """Make a table of rows, or say what is recorded instead."""
    if not rows:
        found = (record for measure in measures for record in of(records, measure))
        known = dict.fromkeys(str(record.config["table"]) for record in found)
        wanted = ", ".join(dict.fromkeys(measures))
        there = f"It is recorded of: {', '.join(known)}. " if known else ""
        raise InvalidValueError(
            f"Nothing is recorded to draw of the measure {wanted} for these tables. {there}"
            "`positions sweep probing --preset laptop` records what is at hand and lacks."
        )
    return pd.DataFrame(rows)
