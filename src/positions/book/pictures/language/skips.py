"""What other rows of a table cost a model: trained with them, or given them in the test alone."""

from __future__ import annotations

import pandas as pd

from positions.book.pictures.language import dots
from positions.book.pictures.language.study import (
    COLOURS,
    NATS,
    NOTHING,
    Study,
    objective,
    over_seeds,
    title,
)
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.experiments.language_modelling.presets import SKIPPED
from positions.experiments.language_modelling.start import ZEROS
from positions.experiments.language_modelling.text import OBJECTIVES

WAYS = {"trained": "trained with them, as in the paper", "swapped": "given them in the test only"}


def rows(first: int, stride: int) -> str:
    """Return what a selection of rows is called."""
    if stride == 1:
        return "rows 0, 1, 2, ..." if first == 0 else f"rows from {first} on"
    return f"rows {first}, {first + stride}, {first + 2 * stride}, ..."


def table(study: Study, way: str, first: int = 0, stride: int = SKIPPED["stride"]) -> pd.DataFrame:
    """Return objective, table, mean, low, high, seeds of the rise in loss with other rows, nats.

    `way`: "trained" or "swapped", see `readings.skipped`.
    """
    costs = study.costs
    chosen = costs[(costs["first"] == first) & (costs["stride"] == stride)]
    return over_seeds(chosen[chosen["table"] != ZEROS], way, "objective", "table")


def chart(study: Study, way: str) -> Picture | Note:
    """Draw what every fourth row costs, by table and objective."""
    found = table(study, way)
    if not len(found):
        return Note("No runs with skipped positions are recorded yet.")
    frame = found.assign(
        kind=[objective(name) for name in found["objective"]],
        table=[title(name) for name in found["table"]],
    ).round(4)
    return Picture(
        dots.drawn(
            frame,
            [title(name) for name in study.tables],
            {objective(name): COLOURS[name] for name in OBJECTIVES},
            f"rise in loss with rows 0, 4, 8, ..., {NATS}",
        ),
        f"The rise in test loss with every fourth row of a table, by table and objective; models "
        f"{WAYS[way]}. Mean over seeds and 95 % interval.",
        frame[["kind", "table", "mean", "low", "high", "seeds"]].rename(
            columns={"kind": "objective"}
        ),
    )


def said(study: Study) -> str:
    """Say what skipping costs either way, for the tables that were also trained with."""
    parts = []
    names = set(table(study, "trained")["table"])
    for way, words in WAYS.items():
        found = table(study, way)
        found = found[found["table"].isin(names)]
        spelt = [
            f"{title(each)}, {name}: {mean:+.3f}"
            for name, each, mean in zip(
                found["objective"], found["table"], found["mean"], strict=True
            )
        ]
        if spelt:
            parts.append(f"*{words[:1].upper()}{words[1:]}*, in nats: {'; '.join(spelt)}.")
    return " ".join(parts) or NOTHING


def density(study: Study) -> pd.DataFrame:
    """Return a row a table and objective, a column a selection of rows trained with: rise, nats."""
    found = over_seeds(study.costs, "trained", "objective", "table", "first", "stride")
    if not len(found):
        return pd.DataFrame({"": [NOTHING]})
    found = found.sort_values(["stride", "first"], ascending=[False, True], kind="stable")
    selections = zip(found["first"], found["stride"], strict=True)
    frame = pd.DataFrame(
        {
            "table": [title(name) for name in found["table"]],
            "objective": found["objective"],
            "rows": [rows(first, stride) for first, stride in selections],
            "rise": [f"{mean:+.3f}" for mean in found["mean"]],
        }
    )
    wide = frame.pivot(index=["table", "objective"], columns="rows", values="rise")
    return wide[frame["rows"].unique()].rename_axis(columns=None).fillna("not recorded")
