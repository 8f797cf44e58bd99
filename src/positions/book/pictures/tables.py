"""Position tables seen whole: maps, cuts, curves in space, waves, directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from positions.analysis.geometry.cosine import cosine_map, cosine_slices, thinned
from positions.analysis.geometry.helix import helix
from positions.analysis.geometry.informativeness import informativeness
from positions.analysis.geometry.nearby import nearby_by_band
from positions.analysis.geometry.spectrum import LOW, spectrum
from positions.book.pictures.labels import dashes, label, scale
from positions.book.pictures.sliders import Picture, axis, choice, short, slider, unfold

Tables = Mapping[str, NDArray[Any]]
"""Rows (positions, width) by name."""

CELLS = 64
"""Cells along a map's side: what a small panel can show."""
PANEL = 3 * CELLS
WIDTH = 560
CUTS = (64, 128, 256, 400)
ALONG = ("#0797ff", "#08a781", "#c9a400", "#f85e13")
"""Colours along a table, each of which stands out on white and on black."""
BANDS = ("#0797ff", "#919a06", "#f85e13", "#a781e1")
LIKENESS = alt.Scale(scheme="blueorange", domain=[-1, 1], domainMid=0)


def cosine_maps(tables: Tables) -> Picture:
    """Draw the cosine of every two rows, one panel a table, one colour scale for all."""
    rows = [
        {"table": label(name), "map": kind, "i": i * len(each) // CELLS, "cosine": short(line, 2)}
        for name, each in tables.items()
        for kind in ("raw", "centred")
        for i, line in enumerate(thinned(cosine_map(each, kind == "centred"), CELLS))
    ]
    chart, _ = unfold(rows, "cosine", "cell", 0, choice("map", "raw", "centred"))
    step = max(len(each) for each in tables.values()) // CELLS
    panel = (
        chart.transform_calculate(j=f"datum.cell * {step}")
        .mark_rect()
        .encode(
            _band("j", "position", alt.X),
            _band("i", "position", alt.Y),
            alt.Color("cosine:Q").title("cosine").scale(LIKENESS),
            tooltip=["table:N", "i:Q", "j:Q", alt.Tooltip("cosine:Q", format=".2f")],
        )
        .properties(width=PANEL, height=PANEL)
    )
    return Picture(
        _panels(panel, tables),
        "Maps of the cosine between the rows of each position table. A smooth band along the "
        "diagonal means that neighbours are alike.",
        _map_numbers(tables),
    )


def cosine_cuts(tables: Tables) -> Picture:
    """Draw the cosine of one row with all others, one line a table."""
    rows = [
        {"table": label(name), "cut": str(cut), "rows": kind, "cosine": short(line[::2])}
        for name, each in tables.items()
        for kind in ("centred", "raw")
        for cut, line in zip(CUTS, cosine_slices(each, CUTS, kind == "centred"), strict=True)
    ]
    cut = choice("cut", *map(str, CUTS))
    chart, numbers = unfold(rows, "cosine", "step", 0, cut, choice("rows", "centred", "raw"))
    lines = (
        chart.transform_calculate(position="datum.step * 2")
        .mark_line(strokeWidth=2)
        .encode(
            axis("position", "position of the other row"),
            alt.Y("cosine:Q").title("cosine").scale(domain=[-1, 1]),
            _colour(tables),
            dashes(tables),
            tooltip=["table:N", "position:Q", alt.Tooltip("cosine:Q", format=".3f")],
        )
        .properties(width=WIDTH, height=280)
    )
    numbers["position"] = numbers.pop("step") * 2
    return Picture(
        lines,
        "The cosine of one chosen row with every other row, by position of the other row, one "
        "line for each table.",
        numbers,
    )


def curves_in_space(tables: Tables) -> Picture:
    """Draw each table's first three principal components; a slider walks around it."""
    rows = []
    for name, each in tables.items():
        scores = helix(each).scores
        scores = scores / np.abs(scores).max()
        rows += [
            {"table": label(name), "position": i, **dict(zip("abc", short(scores[i]), strict=True))}
            for i in range(0, len(each), 4)
        ]
    frame = pd.DataFrame(rows)
    turn = slider("turn", 0, 360, 30, "walk around, degrees ", step=5)
    frame_of_view = alt.Scale(domain=[-1.45, 1.45])
    panel = (
        alt.Chart(frame)
        .add_params(turn)
        .transform_calculate(
            x="datum.a * cos(turn * PI / 180) + datum.b * sin(turn * PI / 180)",
            depth="datum.b * cos(turn * PI / 180) - datum.a * sin(turn * PI / 180)",
        )
        .transform_calculate(y="datum.c * 0.94 + datum.depth * 0.34")
        .mark_point(size=26)
        .encode(
            alt.X("x:Q").axis(None).scale(frame_of_view),
            alt.Y("y:Q").axis(None).scale(frame_of_view),
            alt.Color("position:Q").scale(range=list(ALONG)).title("position"),
            tooltip=["table:N", "position:Q"],
        )
        .properties(width=PANEL, height=PANEL)
    )
    return Picture(
        _panels(panel, tables),
        "Each table's rows in their first three principal components, coloured by position and "
        "seen from a side that the slider chooses.",
        frame.rename(columns={"a": "component 1", "b": "component 2", "c": "component 3"}),
    )


def waves_within(tables: Tables) -> Picture:
    """Draw how much of a table's variance lies in waves up to each frequency."""
    frames = []
    for name, each in tables.items():
        found = spectrum(each)
        share = np.cumsum(found.energy).round(4)
        frames.append(
            pd.DataFrame({"table": label(name), "cycles": found.frequencies, "share": share})
        )
    frame = pd.concat(frames, ignore_index=True)
    lines = _shares(frame, "cycles", "cycles per table, at most", tables)
    return Picture(
        _with_rule(lines, LOW),
        "The share of each table's variance in waves of at most so many cycles. The rule stands at "
        f"{LOW} cycles.",
        frame,
    )


def directions_within(tables: Tables) -> Picture:
    """Draw how much of a table its k largest singular values hold."""
    frames = []
    for name, each in tables.items():
        share = informativeness(each, centre=True).share
        count = np.arange(1, len(share) + 1)
        kept = np.unique(np.geomspace(1, len(share), 60).astype(int)) - 1
        columns = {"table": label(name), "k": count, "share": share.round(4)}
        frames.append(pd.DataFrame(columns).iloc[kept])
    frame = pd.concat(frames, ignore_index=True)
    return Picture(
        _shares(frame, "k", "largest singular values, k", tables),
        "The share of the sum of singular values that the k largest hold, one line for each table.",
        frame,
    )


def neighbours(tables: Tables) -> Picture:
    """Draw the cosine of rows k apart, band of indices by band, one panel a table."""
    frame = pd.DataFrame(
        [
            {
                "table": label(name),
                "positions": f"{band.first} to {band.last}",
                "apart": int(k),
                "cosine": round(float(cosine), 4),
            }
            for name, each in tables.items()
            for band in nearby_by_band(each, centre=True)
            for k, cosine in zip(band.offsets, band.mean, strict=True)
        ]
    )
    bands = list(frame["positions"].unique())
    panel = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2)
        .encode(
            axis("apart", "positions apart"),
            alt.Y("cosine:Q").title("mean cosine"),
            alt.Color("positions:N").sort(bands).scale(range=list(BANDS)).title("rows"),
            tooltip=["table:N", "positions:N", "apart:Q", alt.Tooltip("cosine:Q", format=".3f")],
        )
        .properties(width=PANEL, height=140)
    )
    return Picture(
        _panels(panel, tables),
        "The mean cosine of centred rows by how many positions lie between them, for four bands "
        "of each table.",
        frame,
    )


def _panels(panel: alt.Chart, tables: Tables) -> alt.FacetChart:
    """Set one panel a table, three in a row."""
    facet = alt.Facet("table:N").title(None).sort([label(name) for name in tables])
    return panel.facet(facet, columns=3).configure_legend(orient="bottom")


def _shares(frame: pd.DataFrame, count: str, title: str, tables: Tables) -> alt.Chart:
    """Draw growing shares against a count on a logarithmic axis."""
    return (
        alt.Chart(frame)
        .mark_line(strokeWidth=2)
        .encode(
            alt.X(f"{count}:Q").title(title).scale(type="log", nice=False),
            alt.Y("share:Q").title("share").axis(format="%").scale(domain=[0, 1]),
            _colour(tables),
            dashes(tables),
            tooltip=["table:N", f"{count}:Q", alt.Tooltip("share:Q", format=".1%")],
        )
        .properties(width=WIDTH, height=280)
    )


def _with_rule(lines: alt.Chart, at: float) -> alt.TopLevelMixin:
    return lines + alt.Chart().mark_rule(strokeDash=[4, 4]).encode(x=alt.datum(at))


def _colour(tables: Tables) -> alt.Color:
    return alt.Color("table:N").scale(scale(tables)).legend(orient="bottom").title(None)


def _band(field: str, title: str, channel: type[alt.X] | type[alt.Y]) -> Any:
    axis_of_positions = alt.Axis(values=[0, 128, 256, 384], labelAngle=0)
    return channel(f"{field}:O").title(title).axis(axis_of_positions)


def _map_numbers(tables: Tables) -> pd.DataFrame:
    """Return the maps in 8 x 8 cells, few enough to read."""
    rows = []
    for name, each in tables.items():
        cells = thinned(cosine_map(each), 8).round(3)
        step = len(each) // 8
        for i, line in enumerate(cells):
            first = {"table": label(name), "rows": f"{i * step} to {(i + 1) * step - 1}"}
            rows.append(first | {f"from {j * step}": value for j, value in enumerate(line)})
    return pd.DataFrame(rows)
