"""What no weights can do, in pictures: equal words told apart, far neighbours kept apart."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions.analysis.theory import symmetry
from positions.analysis.theory.decoder import Precision
from positions.book.pictures.sliders import Picture
from positions.book.pictures.theory.shared import HEIGHT, POWERS, WIDTH, colours, spaced


def drawing_together(length: int = 512, seed: int = 0) -> Picture:
    """How far neighbours' states lie apart in a text of one word behind a marked first token."""
    tokens = symmetry.repeated(length, marked=True)
    shown = spaced(length - 1)
    extremes: tuple[Precision, ...] = ("float64", "bfloat16")
    frame = pd.DataFrame(
        [
            {"precision": precision, "position": int(t) + 1, "gap": float(f"{gaps[t - 1]:.3g}")}
            for precision in extremes
            for gaps in [
                symmetry.steps(
                    symmetry.states(symmetry.network(precision=precision, seed=seed), tokens)
                )
            ]
            for t in shown
        ]
    )
    chart = (
        alt.Chart(frame)
        .mark_line(point=True)
        .encode(
            alt.X("position:Q").title("position t").scale(type="log", nice=False),
            alt.Y("gap:Q").title("distance to the state before").scale(type="log").axis(POWERS),
            colours("precision", extremes),
            tooltip=["precision:N", "position:Q", alt.Tooltip("gap:Q", format=".2e")],
        )
        .properties(width=WIDTH, height=HEIGHT)
        .configure_legend(orient="bottom")
    )
    return Picture(
        chart,
        "The distance between the states of neighbours, by position, on logarithmic axes. It falls "
        "steadily in float64; in bfloat16 it stops falling after some thirty positions, where "
        "rounding is all that is left.",
        frame,
    )


def alike(encodings: Sequence[str], length: int = 64, seed: int = 0) -> pd.DataFrame:
    """Return by encoding how far states of one repeated word differ, without and with a mark.

    Columns: the greatest difference over all positions, in any entry of the last layer's states.
    """
    rows = []
    for name in encodings:
        model = symmetry.network(name, longest=length, seed=seed)
        spreads = [
            symmetry.spread(symmetry.states(model, symmetry.repeated(length, marked)))
            for marked in (False, True)
        ]
        rows.append({"encoding": name, "one word only": spreads[0], "marked first": spreads[1]})
    return pd.DataFrame(rows)
