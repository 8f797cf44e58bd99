"""What the paper printed, as far as it is at hand, and which loss its code gives each pair."""

from __future__ import annotations

import pandas as pd

from positions import published
from positions.book.pictures.labels import label
from positions.experiments.translation.presets import PUBLISHED

ABSENT = "not at hand"


def table() -> pd.DataFrame:
    """Return a row a pair of tables: its loss, and BLEU on all and on long sentences."""
    rows = published.load("position-embeddings/translation")
    values = rows.set_index(["encoder", "decoder", "sentences"])["value"]
    found = []
    for encoder, decoder, smoothing in PUBLISHED:
        cells = [values.get((encoder, decoder, part)) for part in ("all", "long")]
        found.append(
            [
                label(encoder),
                label(decoder),
                "smoothed" if smoothing else "plain",
                *(ABSENT if cell is None or pd.isna(cell) else f"{cell:g}" for cell in cells),
            ]
        )
    columns = ["encoder", "decoder", "loss", "BLEU, all", "BLEU, long"]
    return pd.DataFrame(found, columns=columns)
