"""A training small enough to watch: two encodings, one task, some seconds each."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from positions.book.pictures.length.names import capital, colours, dashes, encoding
from positions.book.pictures.sliders import Picture
from positions.experiments import Outcome
from positions.experiments.length_generalization import LengthConfig, run
from positions.experiments.length_generalization.presets import ENCODINGS
from positions.experiments.length_generalization.readings import variant
from positions.runs import engines

LONGEST = 8


@dataclass(frozen=True)
class Watched:
    """One training: its encoding with options, what came out, and the CPU time it took."""

    variant: str
    outcome: Outcome
    cpu_seconds: float


def config(name: str, steps: int, seed: int = 0) -> LengthConfig:
    """Return the settings of a small decoder that copies one repeated symbol, up to 8 times.

    Raises `UnknownNameError` for an unknown encoding, `InvalidValueError` for steps below 1.
    """
    options = dict(ENCODINGS)  # of two kinds of Rotary the last: what the paper's code ran
    return LengthConfig(
        task="copy_v1_repeat",
        encoding=name,
        encoding_options=options.get(name, ""),
        seed=seed,
        longest=LONGEST,
        test_longest=2 * LONGEST,
        symbols=200,
        train=1_200,
        test=400,
        width=64,
        heads=4,
        layers=2,
        hidden=128,
        dropout=0.0,
        steps=steps,
        batch_size=32,
        learning_rate=3e-3,
        evaluate_every=max(steps // 14, 1),
    )


def train(encodings: Iterable[str], steps: int, seed: int = 0) -> list[Watched]:
    """Train one small decoder for each encoding, one after the other, on this machine."""
    engines.one_thread()  # models this small only wait for a second thread
    watched = []
    for name in encodings:
        settings = config(name, steps, seed)
        started = time.process_time()
        outcome = run(settings)
        seconds = time.process_time() - started
        watched.append(Watched(variant(name, settings.encoding_options), outcome, seconds))
    return watched


def chart(watched: Sequence[Watched]) -> Picture:
    """Draw exact match while they train, and afterwards by length."""
    names = [each.variant for each in watched]
    learning = _long(watched, "step", "validation_accuracy")
    lengths = _long(watched, "length", "accuracy_best")
    colour, dash = colours(names), dashes(names)
    y = alt.Y("exact match:Q").scale(domain=[0, 1]).axis(format="%", tickCount=5)
    tooltip = alt.Tooltip("exact match:Q", format=".3f")
    left = (
        alt.Chart(learning)
        .mark_line(strokeWidth=2)
        .encode(
            alt.X("step:Q").title("training step").axis(tickCount=4),
            y.title("exact match"),
            colour,
            dash,
            tooltip=["variant:N", "step:Q", tooltip],
        )
        .properties(width=220, height=200, title="while training")
    )
    seen = (
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rect(opacity=0.13, color="#858585")
        .encode(x=alt.datum(0), x2=alt.datum(LONGEST))
    )
    line = (
        alt.Chart(lengths)
        .mark_line(strokeWidth=2, point={"size": 20})
        .encode(
            alt.X("length:Q").scale(domain=[0, 2 * LONGEST]).axis(tickCount=8),
            y.title(None),
            colour,
            dash,
            tooltip=["variant:N", "length:Q", tooltip],
        )
    )
    right = (seen + line).properties(width=220, height=200, title="then, by length")
    numbers = lengths.pivot_table(index="length", columns="variant", values="exact match")
    return Picture(
        (left | right).configure_legend(orient="top", symbolOpacity=1),
        "Two views of small trainings on the page: exact match on held-out inputs of the training "
        f"lengths at each evaluation, and by length at the end. Lengths up to {LONGEST} were "
        "trained on and are shaded.",
        numbers[names].reset_index().rename_axis(columns=None),
    )


def said(watched: Sequence[Watched]) -> str:
    """Say what each training learned, within its lengths and beyond, and what it cost."""
    parts = []
    for each in watched:
        within, beyond = each.outcome.metrics["iid_best"], each.outcome.metrics["ood_best"]
        cost = f"{each.cpu_seconds:.0f} seconds of processor time"
        if within is None or beyond is None:
            parts.append(f"{capital(encoding(each.variant))} diverged after {cost}.")
        else:
            parts.append(
                f"{capital(encoding(each.variant))} solves {within:.0%} within the training "
                f"lengths and {beyond:.0%} beyond them, after {cost}."
            )
    return " ".join(parts)


def _long(watched: Sequence[Watched], at: str, series: str) -> pd.DataFrame:
    """Return variant, `at` and exact match, one row an entry."""
    tables = [
        pd.DataFrame(
            {
                "variant": each.variant,
                at: each.outcome.series.get(at, []),
                "exact match": each.outcome.series.get(series, []),
            }
        )
        for each in watched
    ]
    return pd.concat(tables, ignore_index=True).round(4)
