"""How a trained model bears it to start at another row of its table."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.book.pictures.labels import dashes
from positions.book.pictures.labels import scale as colours
from positions.book.pictures.language.study import NATS, NOTHING, Study, over_seeds, title
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice
from positions.experiments.language_modelling.readings import TRAINED
from positions.experiments.language_modelling.start import ZEROS
from positions.experiments.language_modelling.text import CAUSAL, OBJECTIVES


def table(study: Study) -> pd.DataFrame:
    """Return objective, table, first, mean, low, high, seeds: the rise in loss by first row."""
    costs = study.costs
    moved = costs[(costs["stride"] == 1) & ~costs["table"].str.contains(TRAINED)]
    return over_seeds(moved[moved["table"] != ZEROS], "swapped", "objective", "table", "first")


def chart(study: Study, name: str) -> Picture | Note:
    """Draw the rise by first row, a line a table; buttons, called `name`, choose the objective."""
    found = table(study)
    if not len(found):
        return Note(NOTHING)
    names = [each for each in study.tables if each in set(found["table"])]
    frame = found.assign(table=[title(each) for each in found["table"]]).round(4)
    there = [each for each in (CAUSAL, *OBJECTIVES) if each in set(found["objective"])]
    chosen = choice(name, *dict.fromkeys(there), label="objective")
    lines = (
        alt.Chart(frame)
        .transform_filter(f"datum.objective == {name}")
        .mark_line(strokeWidth=2, point={"size": 30})
        .encode(
            alt.X("first:Q").title("first row used in the test").scale(type="log"),
            alt.Y("mean:Q").title(f"rise in loss, {NATS}"),
            alt.Color("table:N").scale(colours(names)).title(None),
            dashes(names),
            tooltip=[
                "table:N",
                "first:Q",
                alt.Tooltip("mean:Q", title="nats", format=".3f"),
                alt.Tooltip("low:Q", title="from", format=".3f"),
                alt.Tooltip("high:Q", title="to", format=".3f"),
                "seeds:Q",
            ],
        )
        .properties(width=480, height=240)
        .add_params(chosen)
        .configure_legend(orient="top", columns=3, symbolOpacity=1)
    )
    return Picture(
        lines,
        "The rise in test loss when a model trained from row 0 on is given the rows from another "
        "one on, a line a table. Buttons choose the objective.",
        frame,
    )
