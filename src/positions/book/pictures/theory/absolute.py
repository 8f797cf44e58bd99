"""Theorem 1 in pictures: how exactly positions are read, and what spoils it."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import pandas as pd

from positions.analysis.theory import absolute
from positions.analysis.theory.decoder import BOS, decoder, texts, to_precision
from positions.analysis.theory.hinges import FACINGS, Facing
from positions.book.charts import colour
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, axis, choice, slider, unfold
from positions.book.pictures.theory.shared import (
    HEIGHT,
    LEAST,
    POWERS,
    PRECISIONS,
    STEPS,
    WIDTH,
    colours,
    spaced,
)
from positions.model import LanguageModel
from positions.runs import Record

_MAKE = "The note at the head of the page says which command records it."


def counting(longest: int, facing: Facing = "rising", seed: int = 0) -> LanguageModel:
    """Make a decoder of one layer that writes the positions up to `longest`."""
    model = decoder(longest, layers=1, seed=seed)
    absolute.write_positions(model, longest, facing=facing)
    return model


def errors(longest: int = 512, step: int = 16, seed: int = 0) -> Picture:
    """Theorem 1: the error of the position read, by position, N, number format and hinges."""
    rows = []
    for n in range(step, longest + 1, step):
        shown = spaced(n)
        for facing in FACINGS:
            for precision in PRECISIONS:
                model = to_precision(counting(n, facing, seed), precision)
                found = absolute.errors(model, texts(n, 1, seed))[shown - 1]
                settings = {"N": n, "precision": precision, "hinges": facing}
                rows.append({**settings, "error": [_two_digits(value) for value in found]})
    chosen = (
        slider("N", step, longest, longest, "N ", step=step),
        choice("precision", *PRECISIONS),
        choice("hinges", *FACINGS),
    )
    lines, numbers = unfold(rows, "error", "step", 0, *chosen)
    chart = (
        lines.transform_calculate(position=f"round(pow(datum.N, datum.step / {STEPS - 1}))")
        .mark_point(color=colour("nope"), opacity=1)
        .encode(
            alt.X("position:Q").title("position t").scale(type="log", nice=False),
            alt.Y("error:Q")
            .title("error, positions")
            .scale(type="log", domain=[LEAST, 1e4])
            .axis(POWERS),
            tooltip=["position:Q", alt.Tooltip("error:Q", format=".1e")],
        )
        .properties(width=WIDTH, height=HEIGHT)
    )
    numbers["position"] = spaced(longest)
    numbers = numbers.drop(columns="step").drop_duplicates("position", ignore_index=True)
    return Picture(
        chart,
        "How far the position read is off, by position, on logarithmic axes. A slider sets N, "
        "buttons the number format and the way the hinges face. In float64 it is off by less than "
        "a billionth, in float32 by thousandths, in bfloat16 by whole positions.",
        numbers,
    )


def worst_by_length(records: Iterable[Record]) -> Picture | Note:
    """Theorem 1: the worst error of recorded constructions, by N, number format and hinges.

    A note where none is recorded.
    """
    frame = pd.DataFrame(
        [
            {
                "N": record.config["longest"],
                "precision": record.config["precision"],
                "hinges": record.config["facing"],
                "error": max(record.metrics["error"] or 0.0, LEAST),
            }
            for record in records
            if record.config["theorem"] == "absolute"
            and record.config["norm"] == "none"
            and record.config["shortest"] == record.config["longest"]
        ],
        columns=["N", "precision", "hinges", "error"],
    )
    if not len(frame):
        return Note(f"No construction for one N, without a norm, is recorded. {_MAKE}")
    last = frame[frame["N"] == frame["N"].max()]
    worst = last.groupby("precision", sort=False)["error"].agg(["min", "max"])
    chart = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            alt.X("N:Q").title("N, greatest position").scale(type="log", base=2, nice=False),
            alt.Y("error:Q").title("worst error, positions").scale(type="log").axis(POWERS),
            colours("precision", PRECISIONS),
            alt.StrokeDash("hinges:N")
            .scale(domain=list(FACINGS), range=[[1, 0], [5, 4]])
            .title("hinges"),
            tooltip=["N:Q", "precision:N", "hinges:N", alt.Tooltip("error:Q", format=".1e")],
        )
        .properties(width=WIDTH, height=HEIGHT)
        .configure_legend(orient="bottom")
    )
    return Picture(
        chart,
        "The worst error over all positions up to N, by N, on logarithmic axes, one line for each "
        f"number format and way of facing. At N = {last['N'].iloc[0]}: "
        f"{_spelt(worst)}.",
        frame,
    )


def outside(longest: int = 32, seed: int = 0) -> Picture:
    """Theorem 1: what is read where its conditions don't hold."""
    model = counting(longest, seed=seed)
    length = 2 * longest
    marked = texts(length, 1, seed)
    again = marked.clone()
    again[0, longest // 2] = BOS
    cases = {
        "marked first token": marked,
        "no mark": texts(length, 1, seed, first="any"),
        "mark comes again": again,
    }
    frame = pd.DataFrame(
        [
            {"text": name, "position": t, "read": round(float(value), 3)}
            for name, tokens in cases.items()
            for t, value in enumerate(absolute.read(model, tokens).position[0], start=1)
        ]
    )
    lines = (
        alt.Chart(frame)
        .mark_line()
        .encode(
            axis("position", "position t"),
            alt.Y("read:Q").title("position read"),
            colours("text", cases),
            tooltip=["text:N", "position:Q", alt.Tooltip("read:Q", format=".2f")],
        )
    )
    end = alt.Chart().mark_rule(strokeDash=[4, 4]).encode(x=alt.datum(longest))
    chart = (lines + end).properties(width=WIDTH, height=HEIGHT)
    return Picture(
        chart.configure_legend(orient="bottom"),
        f"The position read by a construction for N = {longest}, by position. With a marked first "
        f"token it is right up to {longest} and stays there; without a mark it is always "
        f"{longest}; where the mark comes again it falls to half and rises at half the pace.",
        frame,
    )


def by_norm(records: Iterable[Record]) -> Picture | Note:
    """Theorem 1 under a norm: the worst error by the constant and by what queries read.

    A note where none is recorded.
    """
    reads = {"content": "all but the constant", "all": "all", "zero": "nothing"}
    frame = pd.DataFrame(
        [
            {
                "norm": {"rms": "RMS norm", "layer": "layer norm"}[record.config["norm"]],
                "constant": record.config["large"],
                "queries read": reads[record.config["queries"]],
                "error": record.metrics["error"],
            }
            for record in records
            if record.config["theorem"] == "absolute" and record.config["norm"] != "none"
        ],
        columns=["norm", "constant", "queries read", "error"],
    )
    if not len(frame):
        return Note(f"No construction under a norm is recorded. {_MAKE}")
    last = frame[frame["constant"] == frame["constant"].max()]
    worst = last.groupby("queries read", sort=False)["error"].agg(["min", "max"])
    panel = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            alt.X("constant:Q").title("constant C").scale(type="log").axis(format=",.0f"),
            alt.Y("error:Q").title("worst error, positions").scale(type="log").axis(POWERS),
            colours("queries read", reads.values()),
            alt.StrokeDash("queries read:N")
            .scale(domain=list(reads.values()), range=[[1, 0], [1, 0], [4, 6]])
            .title("queries read"),
            tooltip=["constant:Q", "queries read:N", alt.Tooltip("error:Q", format=".1e")],
        )
        .properties(width=WIDTH // 2 - 40, height=220)
    )
    facet = alt.Facet("norm:N").title(None).sort(["RMS norm", "layer norm"])
    return Picture(
        panel.facet(facet, columns=2).configure_legend(orient="bottom"),
        "The worst error under each norm, by the size of the constant, on logarithmic axes, one "
        f"line by what the queries read. At the constant {last['constant'].iloc[0]:,.0f}: "
        f"{_spelt(worst)}.",
        frame,
    )


def _spelt(worst: pd.DataFrame) -> str:
    """Return "float64 1e-13 to 2e-11, ...", or one number where both ends are the same."""
    parts = []
    for name, low, high in worst.itertuples():
        ends = dict.fromkeys((f"{low:.0e}", f"{high:.0e}"))
        parts.append(f"{name} {' to '.join(ends)}")
    return ", ".join(parts)


def _two_digits(value: float) -> float:
    return float(f"{max(value, LEAST):.2g}")
