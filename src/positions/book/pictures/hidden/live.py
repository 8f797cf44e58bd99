"""Small models to read on the page, with their first weights and after a short training."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from positions.book.pictures.length.names import capital, colours, encoding
from positions.book.pictures.sliders import Picture
from positions.experiments.context import ContextConfig
from positions.experiments.context.run import set_up
from positions.experiments.hidden_states.presets import ENCODINGS
from positions.experiments.hidden_states.run import before_and_after
from positions.experiments.length_generalization.readings import variant
from positions.runs import engines
from positions.tasks.corpora import standard_library
from positions.tasks.corpora.byte_pairs import BYTES

CONTEXT = 64
FILES = 60


@dataclass(frozen=True)
class Read:
    """One model: its encoding with options, its errors by state and layer, and the CPU time."""

    variant: str
    layers: pd.DataFrame
    guess: float
    cpu_seconds: float


def config(name: str, steps: int, seed: int = 0) -> ContextConfig:
    """Return the settings of a small model that reads 64 bytes of Python's source at a time.

    Raises `UnknownNameError` for an unknown encoding, `InvalidValueError` for steps below 1.
    """
    return ContextConfig(
        corpus=standard_library.NAME,
        encoding=name,
        encoding_options=dict(ENCODINGS).get(name, ""),
        seed=seed,
        documents=FILES,
        vocabulary=BYTES + 1,
        context=CONTEXT,
        contexts=(CONTEXT // 2, CONTEXT),
        scored=12,
        stretches=2,
        width=32,
        heads=2,
        layers=4,
        hidden=64,
        steps=steps,
        batch_size=8,
        learning_rate=5e-3,
        evaluate_every=steps,
    )


def watch(encodings: Iterable[str], steps: int, seed: int = 0) -> list[Read]:
    """Read one small model for each encoding before and after training, one after the other."""
    engines.one_thread()  # models this small only wait for a second thread
    return [_read(name, steps, seed) for name in dict.fromkeys(encodings)]


def _read(name: str, steps: int, seed: int) -> Read:
    settings = config(name, steps, seed)
    started = time.process_time()
    found, _, _ = before_and_after(settings, set_up(settings))
    rows = [
        {"state": state, "layer": number, "error": layer.error}
        for state, layers in found.items()
        for number, layer in enumerate(layers)
    ]
    label = variant(name, settings.encoding_options)
    table = pd.DataFrame(rows).assign(variant=label)
    return Read(label, table, found["untrained"][0].guess, time.process_time() - started)


def chart(read: Sequence[Read]) -> Picture:
    """Draw the error of each model by layer: dashed with its first weights, solid when trained."""
    table = pd.concat([each.layers for each in read], ignore_index=True).round(3)
    names = [each.variant for each in read]
    shape = alt.StrokeDash("state:N").title(None)
    shape = shape.scale(domain=["untrained", "trained"], range=[[4, 3], [1, 0]])
    lines = (
        alt.Chart(table)
        .mark_line(strokeWidth=2, point={"size": 40})
        .encode(
            alt.X("layer:O").title("layer (0: the embedded bytes)").axis(labelAngle=0),
            alt.Y("error:Q").title("error, positions").scale(zero=True),
            colours(names),
            shape,
            tooltip=["variant:N", "state:N", "layer:O", alt.Tooltip("error:Q", format=".1f")],
        )
    )
    return Picture(
        lines.properties(width=480, height=220).configure_legend(orient="top", symbolOpacity=1),
        "Error of the index probe by layer for the models read on this page, with their first "
        "weights (dashed) and after a short training (solid).",
        table,
    )


def said(read: Sequence[Read]) -> str:
    """Say what each model's best layer holds before and after, and what it cost."""
    parts = []
    for each in read:
        best = each.layers.groupby("state")["error"].min()
        after = f", and by {best['trained']:.1f} when trained" if "trained" in best else ""
        parts.append(
            f"{capital(encoding(each.variant))}: off by {best['untrained']:.1f} with its first "
            f"weights{after} (knowing nothing: {each.guess:.1f}; {each.cpu_seconds:.0f} seconds "
            "of processor time)."
        )
    return " ".join(parts)
