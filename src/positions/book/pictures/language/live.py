"""Language models small enough to train on the page, on the generated language."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from positions.book.pictures.labels import dashes
from positions.book.pictures.labels import scale as colours
from positions.book.pictures.language.study import NATS, objective, title
from positions.book.pictures.length.names import capital
from positions.book.pictures.sliders import Picture
from positions.experiments import Outcome
from positions.experiments.language_modelling import LanguageConfig, run
from positions.experiments.language_modelling.text import MASKED, OBJECTIVES, Objective
from positions.runs import engines
from positions.tasks.corpora import generated

LOOKS = 8
FEWER = 3
"""A causal model is asked about every token, and gets so many times fewer steps."""
MOVED = 16
"""The first row that a trained model is given in the test."""


@dataclass(frozen=True)
class Watched:
    """One training: its objective and table, what came out, and the processor time it took."""

    objective: Objective
    table: str
    outcome: Outcome
    seconds: float


def config(objective: Objective, table: str, steps: int, seed: int = 0) -> LanguageConfig:
    """Return the settings of a small model of the generated language.

    Raises `UnknownNameError` for an unknown table, `InvalidValueError` for steps below 1.
    """
    return LanguageConfig(
        corpus=generated.NAME,
        objective=objective,
        table=table,
        seed=seed,
        documents=300,
        vocabulary=384,
        length=32,
        rows=128,
        offsets=(MOVED, 64),
        validation_blocks=64,
        test_blocks=128,
        width=48,
        heads=4,
        layers=2,
        hidden=96,
        dropout=0.0,
        steps=steps,
        batch_size=16,
        learning_rate=5e-3,
        warmup=0.1,
        evaluate_every=max(1, steps // LOOKS),
    )


def train(tables: Iterable[str], steps: int, seed: int = 0) -> list[Watched]:
    """Train one small model of either objective for each table, one after the other.

    `steps` are those of the masked ones, see `FEWER`.
    """
    engines.one_thread()  # models this small only wait for a second thread
    watched = []
    for name in dict.fromkeys(tables):
        for each in OBJECTIVES:
            started = time.process_time()
            own = steps if each == MASKED else max(1, steps // FEWER)
            outcome = run(config(each, name, own, seed))
            watched.append(Watched(each, name, outcome, time.process_time() - started))
    return watched


def chart(watched: Sequence[Watched]) -> Picture:
    """Draw the loss on text set aside while they train, a panel an objective."""
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "objective": objective(each.objective),
                    "table": title(each.table),
                    "step": each.outcome.series["step"],
                    "loss": each.outcome.series["validation_loss"],
                }
            )
            for each in watched
        ],
        ignore_index=True,
    ).round(4)
    names = [each.table for each in watched]
    panels = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2, point={"size": 25})
        .encode(
            alt.X("step:Q").title("training step").axis(tickCount=4),
            alt.Y("loss:Q").title(f"loss, {NATS}").scale(zero=False),
            alt.Color("table:N").scale(colours(names)).title(None),
            dashes(names),
            tooltip=["table:N", "step:Q", alt.Tooltip("loss:Q", format=".3f")],
        )
        .properties(width=200, height=200)
        .facet(alt.Column("objective:N").title(None))
        .resolve_scale(x="independent", y="independent")
        .configure_legend(orient="top", symbolOpacity=1)
    )
    return Picture(
        panels,
        "Loss on text of the generated language that was set aside, while small language models "
        "train, one line a table, one panel an objective.",
        frame.pivot_table(index=["objective", "step"], columns="table", values="loss", sort=False)
        .reset_index()
        .rename_axis(columns=None),
    )


def said(watched: Sequence[Watched]) -> str:
    """Say what each reached, and what it pays when its positions are moved on."""
    parts = []
    for each in watched:
        name = f"{each.objective}, {title(each.table)}"
        found, series = each.outcome.metrics["loss"], each.outcome.series
        if found is None:
            parts.append(f"{capital(name)}: diverged after {each.seconds:.0f} seconds.")
            continue
        places = list(zip(series["first"], series["stride"], strict=True))
        moved = series["loss"][places.index((MOVED, 1))]
        parts.append(
            f"{capital(name)}: {found:.2f} nats a token after {each.seconds:.0f} seconds of "
            f"processor time, {moved:.2f} from row {MOVED} on."
        )
    return " ".join(parts)
