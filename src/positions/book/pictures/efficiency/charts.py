"""Time and memory by length, a panel a machine: published and ours."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from positions.book.pictures.efficiency.tables import PUBLISHED, chosen
from positions.book.pictures.length.names import colours, dashes
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.experiments.efficiency.config import NONE
from positions.experiments.length_generalization.readings import VARIANTS

GREY = "#858585"
WIDE = 5
"""From this ratio of the greatest to the least on, an axis has ticks at powers of 2."""
CALLS = {
    "forward": "a forward pass",
    "training": "a training step",
    "generation": "writing a text",
}
_LACKING = "Nothing is recorded of this, and nothing published."


def only_nope(table: pd.DataFrame) -> bool:
    """Whether NoPE, with which the others are compared, stands alone: then there is no ratio."""
    return set(table["variant"]) == {NONE}


def time_by_length(table: pd.DataFrame, phase: str, attention: str = "written") -> Picture | Note:
    """Draw the time of a call over NoPE's, with quartiles over the rounds where they are known.

    Of NoPE alone, its time itself.
    """
    if only_nope(table):
        return milliseconds(table, phase, attention)
    frame = chosen(table, phase, attention)
    if not len(frame):
        return Note(_LACKING)
    call = CALLS[phase]
    title = alt.Title(f"How long does {call} take?", subtitle="in multiples of its time with NoPE")
    curves = _curves(frame, "times_nope", _over(frame, "times_nope", "time"))
    chart = _panels(frame, curves, title)
    description = (
        f"Time of {call} by number of tokens, in multiples of the time with NoPE in the same "
        f"round: one line an encoding, one panel for {_machines(frame)}. Bands are quartiles over "
        "rounds."
    )
    return Picture(chart, description, _numbers(frame, "times_nope"))


def memory_by_length(table: pd.DataFrame, phase: str, attention: str = "written") -> Picture | Note:
    """Draw the memory that a call needs beyond the weights, over NoPE's; of NoPE alone, itself."""
    frame = chosen(table, phase, attention)
    if not len(frame):
        return Note(_LACKING)
    call = CALLS[phase]
    if only_nope(table):
        return _mebibytes(frame, call)
    title = alt.Title("How much memory does it take?", subtitle=f"{call}, in multiples of NoPE's")
    curves = _curves(frame, "mib_times_nope", _over(frame, "mib_times_nope", "memory"))
    chart = _panels(frame, curves, title)
    description = (
        f"Most memory of tensors in {call} beyond the weights, by number of tokens, in "
        f"multiples of NoPE's: one line an encoding, one panel for {_machines(frame)}."
    )
    return Picture(chart, description, _numbers(frame, "mib_times_nope"))


def milliseconds(table: pd.DataFrame, phase: str, attention: str = "written") -> Picture | Note:
    """Draw the time of a call itself, on a logarithmic axis."""
    frame = chosen(table, phase, attention)
    if not len(frame):
        return Note(_LACKING)
    call = CALLS[phase]
    time = alt.Y("ms:Q").scale(type="log").title("milliseconds")
    title = alt.Title("Length or encoding: what costs time?", subtitle=f"milliseconds of {call}")
    chart = _panels(frame, _curves(frame, "ms", time), title)
    description = (
        f"Milliseconds of {call}, on a logarithmic axis, by number of tokens: one line an "
        f"encoding, one panel for {_machines(frame)}."
    )
    return Picture(chart, description, _numbers(frame, "ms"))


def _mebibytes(frame: pd.DataFrame, call: str) -> Picture:
    """Draw the memory that a call needs beyond the weights."""
    memory = alt.Y("mib:Q").scale(type="log").title("MiB")
    title = alt.Title("How much memory does it take?", subtitle=f"{call}, beyond the weights")
    description = (
        f"Most memory of tensors in {call} beyond the weights in MiB, on a logarithmic axis, by "
        f"number of tokens, one panel for {_machines(frame)}."
    )
    chart = _panels(frame, _curves(frame, "mib", memory), title)
    return Picture(chart, description, _numbers(frame, "mib"))


def ways(table: pd.DataFrame) -> Picture | Note:
    """Draw, at the greatest length, the time over NoPE's by how attention is computed."""
    if only_nope(table):
        return Note("NoPE alone is chosen, with which others would be compared here.")
    frame = longest_both_ways(table)
    if not len(frame):
        return Note("It takes records of both ways to compute attention.")
    frame["panel"] = frame["phase"].map(CALLS) + frame["length"].map(", {:,} tokens".format)
    if frame["machine"].nunique() > 1:
        frame["panel"] += ", " + frame["machine"]
    names = _in_order(frame["variant"])
    shape = alt.Scale(domain=["written", "fastest"], range=["circle", "diamond"])
    base = alt.Chart().encode(
        alt.Y("variant:N").sort(names).title(None).axis(offset=8),
        colours(names).legend(None),
    )
    offset = alt.YOffset("attention:N").sort(["written", "fastest"])
    ranges = base.mark_rule(strokeWidth=4, opacity=0.45).encode(
        alt.X("times_nope_low:Q"), alt.X2("times_nope_high:Q"), offset
    )
    dots = base.mark_point(size=80, opacity=1, filled=True).encode(
        alt.X("times_nope:Q").scale(zero=False).title("time, NoPE's = 1"),
        offset,
        alt.Shape("attention:N").scale(shape).title("attention"),
        tooltip=_tooltip("times_nope"),
    )
    panels = list(dict.fromkeys(frame["panel"]))
    facet = alt.Facet("panel:N").title(None).sort(panels)
    chart = (
        alt.layer(ranges, dots)
        .properties(width=215, height=alt.Step(16))
        .facet(facet, data=frame, columns=2)
        .properties(title="Does the way to attend matter?")
        .configure_legend(orient="top", symbolFillColor=GREY, symbolStrokeColor=GREY)
    )
    description = (
        f"Time over NoPE's of {', and of '.join(panels)}: one row an encoding, with attention "
        "written out (circle) and computed in the fastest way (diamond). Bars are quartiles over "
        "rounds."
    )
    return Picture(chart, description, _numbers(frame, "times_nope", "phase", "attention"))


def longest_both_ways(table: pd.DataFrame) -> pd.DataFrame:
    """Return our rows at the greatest length recorded with both ways, by machine and phase."""
    ours = table[table["machine"] != PUBLISHED]
    by = ["machine", "phase", "length"]
    both = ours[ours.groupby(by)["attention"].transform("nunique") > 1]
    longest = both[both["length"] == both.groupby(by[:2])["length"].transform("max")]
    return longest.sort_values("phase", key=lambda phase: phase.map([*CALLS].index), kind="stable")


def _curves(frame: pd.DataFrame, value: str, y: alt.Y) -> Any:
    """Draw one line an encoding, in a band between quartiles where the table has them."""
    names = _in_order(frame["variant"])
    length = alt.X("length:Q").title("tokens").scale(type="sqrt", nice=False)
    length = length.axis(values=[1, 100, 500, 1_000, 2_000])  # a root parts the short lengths
    base = alt.Chart().encode(length, colours(names))
    line = base.mark_line(strokeWidth=2).encode(y, dashes(names))
    points = base.mark_point(size=25, opacity=1).encode(y, tooltip=_tooltip(value))
    if f"{value}_low" not in frame or frame[f"{value}_low"].isna().all():
        return alt.layer(line, points)
    ends = alt.Y(f"{value}_low:Q"), alt.Y2(f"{value}_high:Q")
    return alt.layer(base.mark_area(opacity=0.2).encode(*ends), line, points)


def _over(frame: pd.DataFrame, value: str, what: str) -> alt.Y:
    """Make the axis of ratios: logarithmic, so that half and twice lie equally far from 1."""
    names = [name for name in (value, f"{value}_low", f"{value}_high") if name in frame]
    drawn = frame[names].to_numpy(dtype=float)
    wide = np.nanmax(drawn) > WIDE * np.nanmin(drawn)
    ticks = [0.25, 0.5, 1, 2, 4, 8, 16] if wide else [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4]
    axis = alt.Axis(values=ticks, format="~g", labelOverlap=True)
    ratio = alt.Y(f"{value}:Q").scale(type="log", nice=False)
    return ratio.title(f"{what}, NoPE's = 1").axis(axis)


def _panels(frame: pd.DataFrame, curves: Any, title: alt.Title) -> alt.FacetChart:
    """Repeat curves for each machine."""
    machines = list(dict.fromkeys(frame["machine"]))
    width = 225 if len(machines) > 1 else 480
    facet = alt.Facet("machine:N").title(None).sort(machines).header(labelLimit=width + 30)
    return (
        curves.properties(width=width, height=240)
        .facet(facet, data=frame, columns=2)
        .properties(title=title)
        .configure_legend(orient="top", columns=4, symbolOpacity=1, symbolType="stroke")
    )


def _tooltip(value: str) -> list[str | alt.Tooltip]:
    numbers = dict.fromkeys((value, f"{value}_low", f"{value}_high", "ms", "mib"))
    return [
        alt.Tooltip("variant:N", title="encoding"),
        "machine:N",
        alt.Tooltip("length:Q", title="tokens"),
        *(alt.Tooltip(f"{name}:Q", format=".3~g") for name in numbers),
    ]


def _numbers(frame: pd.DataFrame, value: str, *more: str) -> pd.DataFrame:
    """Return what is drawn, one column an encoding."""
    rows = ["machine", *more, "length"]
    wide = frame.pivot_table(index=rows, columns="variant", values=value, sort=False)
    return wide[_in_order(frame["variant"])].reset_index().rename_axis(columns=None)


def _in_order(variants: pd.Series) -> list[str]:
    found = set(variants)
    known = [name for name in VARIANTS if name in found]
    return [*known, *sorted(found - {*known})]


def _machines(frame: pd.DataFrame) -> str:
    return " and ".join(dict.fromkeys(frame["machine"]))
