"""How many digits: addition with the full scratchpad by the lengths of both numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from positions.book import charts
from positions.book.pictures.length.names import encoding, listed
from positions.book.pictures.scratchpad import paper
from positions.book.pictures.scratchpad.study import Study
from positions.book.pictures.sliders import Picture, choice
from positions.runs import Record

TRAINED = 8
"""Digits of the paper's longest training operands."""
SIDE = 128
HALF = 0.5


def ours(study: Study) -> pd.DataFrame:
    """Return variant, a, b, accuracy, seeds, longest of our runs of addition in the full format."""
    chosen = study.runs[(study.runs["task"] == "addition") & (study.runs["format"] == "full")]
    names = chosen["variant"].to_dict()
    rows = [
        {"variant": names[record.key], "longest": record.config["longest"], **cell}
        for record in study.records
        if record.key in names
        for cell in _cells(record)
    ]
    columns = ["variant", "a", "b", "longest", "accuracy"]
    table = pd.DataFrame(rows, columns=columns)
    by = table.groupby(columns[:4], sort=False)["accuracy"]
    return by.agg(accuracy="mean", seeds="size").reset_index()


def chart(study: Study) -> Picture:
    """Draw accuracy by the digits of both operands, a panel an encoding, ours or the paper's."""
    theirs = paper.operands().assign(whose="published", longest=TRAINED)
    mine = ours(study).assign(whose="ours")
    frame = pd.concat([part for part in (theirs, mine) if len(part)], ignore_index=True)
    frame = frame[frame["variant"].isin(study.variants)]
    frame["accuracy"] = frame["accuracy"].astype(float).round(3)
    whose = choice("operands_whose", *dict.fromkeys(frame["whose"]), label="runs")
    names = [name for name in study.variants if name in set(frame["variant"])]
    axis: dict[str, Any] = {
        "labelOverlap": True,
        "labelAngle": 0,
        "ticks": False,
        "labelFontSize": 11,
    }
    base = alt.Chart().encode(
        alt.X("a:O").title("digits, first").axis(**axis),
        alt.Y("b:O").title("digits, second").axis(**axis).scale(reverse=True),
    )
    cells = base.mark_rect().encode(
        alt.Color("variant:N").scale(charts.scale(names)).legend(None),
        alt.Opacity("accuracy:Q").scale(domain=[0, 1], range=[0.03, 1]).legend(None),
        tooltip=["variant:N", "a:O", "b:O", alt.Tooltip("accuracy:Q", format=".2f"), "seeds:Q"],
    )
    seen = base.transform_filter("datum.a == datum.longest && datum.b == datum.longest")
    marks = seen.mark_point(size=22, shape="cross", color="#858585", opacity=1, filled=True)
    panels = alt.layer(cells, marks).properties(width=SIDE, height=SIDE)
    kept = frame[["whose", "variant", "a", "b", "accuracy", "seeds", "longest"]]
    drawn = panels.facet(alt.Facet("variant:N").title(None).sort(names), data=kept, columns=3)
    return Picture(
        drawn.add_params(whose).transform_filter("datum.whose == operands_whose"),
        "Right answers in addition with the full scratchpad by the number of digits of both "
        "operands, one panel an encoding: the fuller the colour the more are right. The cross is "
        "the longest pair that was trained on. Buttons choose the published runs or ours.",
        _longer(frame),
    )


def table(study: Study) -> pd.DataFrame:
    """Return the published accuracy with and without scratchpad, beyond the training lengths.

    A row an encoding, a column a number of digits of the longer number, until nobody gets one in a
    hundred right.
    """
    plain, steps = paper.by_digits(), _by_digits(paper.operands())
    names = [name for name in study.variants if name in steps]
    beyond = steps[steps.index > TRAINED]
    last = beyond.index[(beyond[names] >= 0.005).any(axis=1)].max()
    shown = [digits for digits in beyond.index if digits <= last]  # none where nobody is named
    cells = {
        f"{digits} digits": {
            name: f"{plain.loc[digits, name]:.2f} → {steps.loc[digits, name]:.2f}" for name in names
        }
        for digits in shown
    }
    return pd.DataFrame(cells, index=names)


def said(study: Study) -> str:
    """Say how far each encoding goes in the published additions, with steps and without."""
    plain, steps = paper.by_digits(), _by_digits(paper.operands())
    names = [name for name in study.variants if name in steps]
    if not names:
        return "The paper has no figures for these encodings."
    far = {name: [_farthest(found[name]) for found in (plain, steps)] for name in names}
    each = listed(f"{encoding(name)} {one} and {two}" for name, (one, two) in far.items())
    return (
        f"Published, trained on up to {TRAINED} digits: the most digits of which at least half of "
        f"the sums are right, without scratchpad and in the full format, are {each}."
    )


def _farthest(accuracy: pd.Series) -> int:
    return int(accuracy.index[accuracy >= HALF].max())


def _by_digits(found: pd.DataFrame) -> pd.DataFrame:
    """Return the mean accuracy by the digits of the longer number, one column an encoding."""
    digits = found[["a", "b"]].max(axis=1).astype(int).rename("digits")
    return found.groupby([digits, "variant"])["accuracy"].mean().unstack("variant")


def _cells(record: Record) -> list[dict[str, float]]:
    """Return the accuracy of each pair of operand lengths, which the categories name."""
    found = []
    names: Sequence[str] = record.series.get("category", [])
    for name, value in zip(names, record.series.get("category_accuracy_best", []), strict=True):
        a, _, b = name.partition("-by-")
        found.append({"a": int(a), "b": int(b), "accuracy": value})
    return found


def _longer(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the mean accuracy by the digits of the longer number, one column an encoding."""
    parts = [
        _by_digits(part).reset_index().assign(whose=whose)
        for whose, part in frame.groupby("whose", sort=False)
    ]
    return pd.concat(parts, ignore_index=True).round(3).rename_axis(columns=None)
