"""What the paper printed, as far as it is at hand, beside what its code lists."""

from __future__ import annotations

import pandas as pd

from positions import published
from positions.book.pictures.labels import label

ABSENT = "not at hand"


def table() -> pd.DataFrame:
    """Return a row a pair of objective and table, a column a corpus and kind: perplexity."""
    rows = published.load("position-embeddings/language-modelling")
    frame = pd.DataFrame(
        {
            "objective": rows["objective"],
            "table": [label(name) for name in rows["encoding"]],
            "column": rows["corpus"] + ", " + rows["rows"],
            "value": [ABSENT if pd.isna(value) else f"{value:g}" for value in rows["value"]],
        }
    )
    columns = list(dict.fromkeys(frame["column"]))
    wide = frame.pivot(index=["objective", "table"], columns="column", values="value")
    return wide[columns].rename_axis(columns=None).fillna(ABSENT)
