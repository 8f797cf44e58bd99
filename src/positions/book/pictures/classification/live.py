"""Classifiers small enough to train on the page, on the language where only order tells."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from positions.book.pictures.classification.study import title
from positions.book.pictures.labels import dashes
from positions.book.pictures.labels import scale as colours
from positions.book.pictures.length.names import capital
from positions.book.pictures.sliders import Picture
from positions.experiments import Outcome
from positions.experiments.classification import ClassificationConfig, run
from positions.experiments.classification.start import ZEROS
from positions.runs import engines
from positions.tasks.sentences import GENERATED

LOOKS = 12
SHOWN = [30, 100]
"""Percent; guessing gets 50."""


@dataclass(frozen=True)
class Watched:
    """One training: where its table started, what came out, and the processor time it took."""

    table: str
    outcome: Outcome
    seconds: float


def config(table: str, epochs: int, seed: int = 0) -> ClassificationConfig:
    """Return the settings of a small classifier of the generated language; zeros stay zero.

    Raises `UnknownNameError` for an unknown table, `InvalidValueError` for epochs below 1.
    """
    return ClassificationConfig(
        task=GENERATED,
        table=table,
        frozen=table == ZEROS,
        seed=seed,
        limit=1_600,
        rows=64,
        width=64,
        heads=4,
        hidden=128,
        epochs=epochs,
        learning_rate=2e-3,
        evaluate_every=max(1, 50 * epochs // LOOKS),
    )


def train(tables: Iterable[str], epochs: int, seed: int = 0) -> list[Watched]:
    """Train one small classifier for each table, one after the other, on this machine."""
    engines.one_thread()  # models this small only wait for a second thread
    watched = []
    for name in dict.fromkeys(tables):
        started = time.process_time()
        outcome = run(config(name, epochs, seed))
        watched.append(Watched(name, outcome, time.process_time() - started))
    return watched


def chart(watched: Sequence[Watched]) -> Picture:
    """Draw accuracy on texts set aside while they train."""
    tables = [
        pd.DataFrame(
            {
                "table": title(each.table),
                "step": each.outcome.series["step"],
                "accuracy": [100 * share for share in each.outcome.series["watched"]],
            }
        )
        for each in watched
    ]
    frame = pd.concat(tables, ignore_index=True).round(2)
    names = [each.table for each in watched]
    guess = (
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rule(strokeDash=[3, 3], opacity=0.6)
        .encode(y=alt.YDatum(50).scale(domain=SHOWN))
    )
    lines = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2, point={"size": 25})
        .encode(
            alt.X("step:Q").title("training step"),
            alt.Y("accuracy:Q").title("accuracy, percent").scale(domain=SHOWN),
            alt.Color("table:N").scale(colours(names)).title(None),
            dashes(names),
            tooltip=["table:N", "step:Q", alt.Tooltip("accuracy:Q", format=".1f")],
        )
    )
    return Picture(
        (guess + lines)
        .properties(width=480, height=220)
        .configure_legend(orient="top", symbolOpacity=1),
        "Accuracy on sentences of the generated language that were set aside, while small "
        "classifiers train, one line a table; the dashed line is guessing.",
        frame.pivot_table(index="step", columns="table", values="accuracy", sort=False)
        .reset_index()
        .rename_axis(columns=None),
    )


def said(watched: Sequence[Watched]) -> str:
    """Say what each learned, and what becomes of it when the words are shuffled."""
    parts = []
    for each in watched:
        found, mixed = each.outcome.metrics["accuracy"], each.outcome.metrics["shuffled"]
        name = capital(title(each.table))
        cost = f"after {each.seconds:.0f} seconds of processor time"
        if found is None or mixed is None:
            parts.append(f"{name}: diverged {cost}.")
        else:
            parts.append(f"{name}: {found:.0%} right {cost}, {mixed:.0%} with the words shuffled.")
    return " ".join(parts)
