"""Translations of the test, to be read."""

from __future__ import annotations

import pandas as pd
from IPython.display import HTML

from positions.book.pictures.translation.study import NOTHING, Study, title


def table(study: Study, seed: int = 0) -> pd.DataFrame | HTML:
    """Return a row a sentence and translator, for translators with one table on both sides."""
    rows = []
    for record in study.of_grid():
        config, series = record.config, record.series
        if config["encoder"] == config["decoder"] and config["seed"] == seed:
            for source, written, reference in zip(
                *(series.get(f"example_{name}", []) for name in ("source", "written", "reference")),
                strict=True,
            ):
                rows.append([source, title(config["encoder"]), written, reference])
    if not rows:
        return HTML(f"<p>{NOTHING}</p>")
    frame = pd.DataFrame(rows, columns=["source", "table", "written", "reference"])
    order = {source: place for place, source in enumerate(dict.fromkeys(frame["source"]))}
    frame["place"] = frame["source"].map(order)
    references = frame.drop_duplicates("source").assign(
        table="reference", written=lambda each: each["reference"]
    )
    every = pd.concat([references, frame]).sort_values("place", kind="stable")
    return every.set_index(["source", "table"])[["written"]]
