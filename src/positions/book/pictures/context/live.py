"""A language model small enough to train on the page, byte by byte, on some of Python's source."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd

from positions.book.pictures.length.names import capital, colours, dashes, encoding
from positions.book.pictures.sliders import Picture
from positions.experiments import Outcome
from positions.experiments.context import ContextConfig
from positions.experiments.context.presets import ENCODINGS, contexts
from positions.experiments.context.run import measured, set_up, train
from positions.experiments.length_generalization.readings import variant
from positions.runs import engines
from positions.tasks.corpora import standard_library
from positions.tasks.corpora.byte_pairs import BYTES

CONTEXT = 64
FILES = 60
GREY = "#858585"


@dataclass(frozen=True)
class Watched:
    """One training: its encoding with options, what came out, and the CPU time it took."""

    variant: str
    outcome: Outcome
    cpu_seconds: float


def config(name: str, steps: int, seed: int = 0) -> ContextConfig:
    """Return the settings of a small model that reads 64 bytes at a time.

    Raises `UnknownNameError` for an unknown encoding, `InvalidValueError` for steps below 1 and
    for an encoding that has no positions beyond its training context.
    """
    return ContextConfig(
        corpus=standard_library.NAME,
        encoding=name,
        encoding_options=dict(ENCODINGS).get(name, ""),
        seed=seed,
        documents=FILES,
        vocabulary=BYTES + 1,
        context=CONTEXT,
        contexts=contexts(CONTEXT),
        scored=12,
        stretches=1,
        width=64,
        heads=4,
        layers=2,
        hidden=128,
        steps=steps,
        batch_size=8,
        learning_rate=5e-3,
        evaluate_every=steps,
    )


def watch(encodings: Iterable[str], steps: int, seed: int = 0) -> list[Watched]:
    """Train one small model for each encoding, one after the other, on this machine."""
    engines.one_thread()  # models this small only wait for a second thread
    watched = []
    for name in dict.fromkeys(encodings):
        settings = config(name, steps, seed)
        started = time.process_time()
        setup = set_up(settings)
        outcome = measured(settings, setup, train(settings, setup))
        label = variant(name, settings.encoding_options)
        watched.append(Watched(label, outcome, time.process_time() - started))
    return watched


def chart(watched: Sequence[Watched]) -> Picture:
    """Draw the perplexity of each against its context, with its error over files."""
    frame = pd.concat([_table(each) for each in watched], ignore_index=True)
    names = [each.variant for each in watched]
    base = alt.Chart(frame)
    x = alt.X("context:Q").title("context, bytes")
    x = x.scale(type="log", base=2, domain=[CONTEXT / 2, CONTEXT * 8], nice=False)
    x = x.axis(values=[32, 64, 128, 256, 512], format="d")
    y = alt.Y("perplexity:Q").title("perplexity, byte by byte").scale(type="log")
    seen = (
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rect(opacity=0.13, color=GREY)
        .encode(x=alt.datum(CONTEXT / 2), x2=alt.datum(CONTEXT))
    )
    line = base.mark_line(strokeWidth=2, point={"size": 40}).encode(
        x,
        y.axis(tickCount=6),
        colours(names),
        dashes(names),
        tooltip=["variant:N", "context:Q", alt.Tooltip("perplexity:Q", format=".3g")],
    )
    band = base.mark_area(opacity=0.15).encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), colours(names))
    return Picture(
        (seen + band + line)
        .properties(width=490, height=240)
        .configure_legend(orient="top", symbolOpacity=1),
        f"Perplexity of models trained on the page with {CONTEXT} bytes of context, by context up "
        "to eight times that, both axes logarithmic, with one standard error over files. What was "
        "trained with is shaded.",
        frame[["variant", "context", "perplexity", "low", "high"]],
    )


def said(watched: Sequence[Watched]) -> str:
    """Say what each model reaches at its context and at eight times that, and what it cost."""
    parts = []
    for each in watched:
        who, cost = capital(encoding(each.variant)), f"{each.cpu_seconds:.0f} seconds"
        if each.outcome.status != "ok":
            parts.append(f"{who} diverged after {cost} of processor time.")
            continue
        curve = dict(
            zip(each.outcome.series["context"], each.outcome.series["perplexity"], strict=True)
        )
        longest = max(curve)
        parts.append(
            f"{who} has a perplexity of {curve[CONTEXT]:.3g} with {CONTEXT} bytes of context and "
            f"{curve[longest]:.3g} with {longest}, after {cost} of processor time."
        )
    return " ".join(parts)


def _table(each: Watched) -> pd.DataFrame:
    names = ("context", "loss", "standard_error")
    series = each.outcome.series
    found = pd.DataFrame({name: series.get(name, []) for name in names}, dtype=float)
    ends = {"perplexity": 0.0, "low": -1.0, "high": 1.0}
    for name, sign in ends.items():
        error = found["standard_error"].fillna(0)
        found[name] = np.exp(found["loss"] + sign * error).round(4)
    return found.assign(variant=each.variant, context=found["context"].astype(int))
