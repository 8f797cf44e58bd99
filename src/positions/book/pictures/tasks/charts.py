"""Charts of what the fixed sets of tasks hold: tokens, lengths, repeats."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions.book.charts import SPARE_COLOURS
from positions.book.pictures.sliders import Picture, axis
from positions.book.pictures.tasks.sets import totals

WIDTH = 560
COLOURS = dict(zip(("primitive", "mathematical", "classic"), SPARE_COLOURS, strict=True))
"""One colour a group of tasks; those of encodings stay with encodings."""

NAMES = {"train": "training", "validation": "validation", "test": "test"}
TRAINED = "#707070"
SETS = {"training": TRAINED, "validation": "#9a9a9a"} | {
    f"test, {group}": COLOURS[group] for group in COLOURS
}
"""What is seen in training is grey, the test has the colour of its group."""


def tokens(counts: pd.DataFrame, group: str) -> Picture:
    """Draw how many tokens the examples of a group's tasks have, a bar a task and split."""
    frame = totals(counts[counts["group"] == group]).reset_index()
    frame = _named(frame.assign(group=group))[["task", "set", "fewest", "most"]]
    tasks = list(frame["task"].unique())
    bars = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            alt.Y("task:N").sort(tasks).title(None),
            alt.X("fewest:Q").title("tokens of prompt, target and end").scale(zero=True),
            alt.X2("most:Q"),
            alt.YOffset("set:N").sort(list(SETS)),
            _colour(frame),
            tooltip=["task:N", "set:N", "fewest:Q", "most:Q"],
        )
        .properties(width=WIDTH - 130, height=alt.Step(34, **{"for": "position"}))
    )
    return Picture(
        bars.configure_legend(orient="top"),
        f"How many tokens the examples of each {group} task have, from the fewest to the most: "
        "one bar each for the training, validation and test set.",
        frame,
    )


def growth(counts: pd.DataFrame, tasks: Sequence[str]) -> Picture:
    """Draw tokens against length, a panel a task; a rule where the training set ends."""
    frame = _of(counts[counts["split"] != "validation"], tasks)
    limit = frame[frame["set"] == "training"].groupby("task")["most"].max()
    frame = frame.assign(limit=frame["task"].map(limit))
    base = alt.Chart(frame).encode(_colour(frame))
    x = axis("length", "length")
    band = base.mark_area(opacity=0.3).encode(x, alt.Y("fewest:Q"), alt.Y2("most:Q"))
    line = base.mark_line(strokeWidth=2, point={"size": 16}).encode(
        x,
        alt.Y("mean:Q").title("tokens").scale(zero=True),
        tooltip=["task:N", "set:N", "length:Q", "fewest:Q", "mean:Q", "most:Q"],
    )
    rule = alt.Chart(frame).mark_rule(strokeDash=[4, 4], color=TRAINED).encode(y="mean(limit):Q")
    return Picture(
        _panels(alt.layer(band, line, rule), tasks),
        "Tokens of prompt, target and end by length, one panel a task: mean, and band from fewest "
        "to most. A dashed rule stands at the longest training example.",
        frame[["task", "set", "length", "examples", "fewest", "mean", "most"]],
    )


def spread(counts: pd.DataFrame, tasks: Sequence[str]) -> Picture:
    """Draw which share of a set's examples has which length, a panel a task."""
    frame = _of(counts[counts["split"] != "validation"], tasks)
    whole = frame.groupby(["task", "set"])["examples"].transform("sum")
    frame = frame.assign(share=(frame["examples"] / whole).round(4))
    bars = (
        alt.Chart(frame)
        .transform_calculate(left="datum.length - 0.4", right="datum.length + 0.4")
        .mark_bar()
        .encode(
            axis("left", "length"),
            alt.X2("right:Q"),
            alt.Y("share:Q").axis(format="%").title("share of the set"),
            alt.Y2Datum(0),
            _colour(frame),
            tooltip=[
                "task:N",
                "set:N",
                "length:Q",
                "examples:Q",
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
    )
    return Picture(
        _panels(bars, tasks),
        "Share of the training and of the test set that has each length, one panel a task.",
        frame[["task", "set", "length", "examples", "share"]],
    )


def seen(counts: pd.DataFrame, tasks: Sequence[str]) -> Picture:
    """Draw which share of validation prompts the training set holds, by length, a panel a task."""
    frame = _of(counts[counts["split"] == "validation"], tasks)
    frame = frame.assign(share=(frame["seen"] / frame["examples"]).round(4))
    groups = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    bars = (
        alt.Chart(frame)
        .transform_calculate(left="datum.length - 0.4", right="datum.length + 0.4")
        .mark_bar()
        .encode(
            axis("left", "length"),
            alt.X2("right:Q"),
            alt.Y("share:Q").axis(format="%").title("seen in training").scale(domain=[0, 1]),
            alt.Y2Datum(0),
            alt.Color("group:N").scale(groups).legend(None),
            tooltip=["task:N", "length:Q", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    return Picture(
        _panels(bars, tasks),
        "Share of the validation set's prompts that the training set holds too, by length, one "
        "panel a task: all of them at the shortest lengths, and fewer the longer they are.",
        frame[["task", "length", "examples", "seen", "share"]],
    )


def kept_apart(counts: pd.DataFrame, apart: pd.DataFrame) -> Picture:
    """Draw how many training examples each length has, with repeats and without."""
    tasks = list(apart["task"].unique())
    draws = {"as in the paper": counts, "no prompt twice": apart}
    shades = alt.Scale(domain=list(draws), range=[TRAINED, COLOURS["mathematical"]])
    parts = [
        _of(each[each["split"] == "train"], tasks).assign(draw=name) for name, each in draws.items()
    ]
    frame = pd.concat(parts)[["task", "draw", "length", "examples", "different"]]
    lines = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2, point={"size": 40})
        .encode(
            axis("length", "length").scale(nice=False, padding=10),
            alt.Y("examples:Q").title("training examples").axis(format="~s").scale(zero=True),
            alt.Color("draw:N").scale(shades).title(None),
            tooltip=["task:N", "draw:N", "length:Q", "examples:Q", "different:Q"],
        )
    )
    return Picture(
        _panels(lines, tasks, columns=2),
        "Training examples by length, one panel a task: as the paper draws them, and drawn so that "
        "no prompt comes twice. Without repeats, short lengths nearly vanish.",
        frame,
    )


def _of(counts: pd.DataFrame, tasks: Sequence[str]) -> pd.DataFrame:
    """Return the rows of these tasks."""
    return _named(counts[counts["task"].isin(tasks)])


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Add `set`, the name of a split as charts show it."""
    names = frame["split"].map(NAMES)
    return frame.assign(set=names.where(frame["split"] != "test", "test, " + frame["group"]))


def _colour(frame: pd.DataFrame) -> alt.Color:
    """Colour by set."""
    shown = [name for name in SETS if name in set(frame["set"])]
    shades = alt.Scale(domain=shown, range=[SETS[name] for name in shown])
    return alt.Color("set:N").scale(shades).title(None)


def _panels(
    panel: alt.Chart | alt.LayerChart | alt.FacetChart, tasks: Sequence[str], columns: int = 3
) -> alt.FacetChart:
    """Set one panel a task in rows of two or three, each with axes of its own."""
    width = {2: 240, 3: 145}[columns]
    facet = alt.Facet("task:N").title(None).sort(list(tasks))
    drawn = panel.properties(width=width, height=130).facet(facet, columns=columns)
    own = drawn.resolve_scale(x="independent", y="independent")
    return own.configure_legend(orient="top", symbolOpacity=1)
