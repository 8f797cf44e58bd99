"""Translators small enough to train on the page, into the made-up language."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from positions.book.pictures.labels import label
from positions.book.pictures.labels import scale as colours
from positions.book.pictures.sliders import Picture
from positions.experiments import Outcome
from positions.experiments.translation import TranslationConfig, run
from positions.runs import engines
from positions.tasks.translations import generated

LOOKS = 6


@dataclass(frozen=True)
class Watched:
    """One training: its table on both sides, what came out, and the processor time it took."""

    table: str
    outcome: Outcome
    seconds: float


def config(table: str, steps: int, seed: int = 0) -> TranslationConfig:
    """Return the settings of a small translator with one table on both sides, left as it is.

    Raises `UnknownNameError` for an unknown table, `InvalidValueError` for steps below 1.
    """
    return TranslationConfig(
        corpus=generated.NAME,
        encoder=table,
        decoder=table,
        frozen=True,
        seed=seed,
        pairs=2_000,
        validation_pairs=60,
        test_pairs=40,
        vocabulary=500,
        rows=128,
        width=64,
        heads=4,
        layers=1,
        hidden=128,
        dropout=0.0,
        steps=steps,
        batch_tokens=640,
        learning_rate=5e-3,
        warmup=max(1, steps // 5),
        evaluate_every=max(1, steps // LOOKS),
        beams=2,
        examples=2,
    )


def train(tables: Iterable[str], steps: int, seed: int = 0) -> list[Watched]:
    """Train one small translator for each table, one after the other."""
    engines.one_thread()  # models this small only wait for a second thread
    watched = []
    for name in dict.fromkeys(tables):
        started = time.process_time()
        outcome = run(config(name, steps, seed))
        watched.append(Watched(name, outcome, time.process_time() - started))
    return watched


def chart(watched: Sequence[Watched]) -> Picture:
    """Draw the loss on sentences set aside while they train."""
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "table": label(each.table),
                    "step": each.outcome.series["step"],
                    "loss": each.outcome.series["validation_loss"],
                }
            )
            for each in watched
        ],
        ignore_index=True,
    ).round(4)
    drawn = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2, point={"size": 25})
        .encode(
            alt.X("step:Q").title("training step").axis(tickCount=4),
            alt.Y("loss:Q").title("loss, nats a token"),
            alt.Color("table:N").scale(colours([each.table for each in watched])).title(None),
            tooltip=["table:N", "step:Q", alt.Tooltip("loss:Q", format=".3f")],
        )
        .properties(width=400, height=200, title="Is position needed to translate?")
        .configure_legend(orient="top")
    )
    return Picture(
        drawn,
        "Loss on sentences of the made-up language that were set aside, while small translators "
        "train, one line a table.",
        frame,
    )


def said(watched: Sequence[Watched]) -> str:
    """Say what each reached, on the made-up language."""
    parts = []
    for each in watched:
        found = each.outcome.metrics["bleu"]
        score = "diverged" if found is None else f"{found:.0f} BLEU"
        parts.append(f"{label(each.table)}: {score} after {each.seconds:.0f} s of processor time")
    return f"On the made-up language, {'; '.join(parts)}."


def read(watched: Sequence[Watched]) -> pd.DataFrame:
    """Return what each wrote for the same sentence, beside the right translation."""
    rows = [
        [label(each.table), *(each.outcome.series[f"example_{name}"][-1] for name in names)]
        for names in [("source", "written", "reference")]
        for each in watched
        if each.outcome.series.get("example_source")
    ]
    return pd.DataFrame(rows, columns=["table", "source", "written", "right"]).set_index("table")
