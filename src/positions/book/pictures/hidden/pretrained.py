"""Pretrained models that a reader names, read on the page."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.errors import NotAtHandError
from positions.experiments.hidden_states import pretrained
from positions.tasks import corpora
from positions.tasks.corpora import standard_library, wikitext

LENGTH = 128
TEXTS = 200
NONE = (
    "No pretrained model is named. With a network, or a model's folder: "
    "positions run hidden-states -p pretrained gpt2,bert-base-uncased"
)


def read(models: Sequence[str], seed: int = 0) -> tuple[pd.DataFrame, list[str]]:
    """Return model, place, input, error, rank, guess, and the reasons why models could not be read.

    The texts: the test articles of WikiText-2, or, where it is not at hand, Python's source.
    """
    rows, reasons = [], []
    texts = _texts() if models else ()
    for model in dict.fromkeys(models):
        try:
            layers = pretrained.probe(model, texts, LENGTH, seed, TEXTS)
        except NotAtHandError as error:
            reasons.append(str(error))
            continue
        rows += [
            {
                "model": model,
                "place": place,
                "input": layer.name,
                "error": layer.reading.error,
                "rank": layer.reading.spearman,
                "guess": layer.reading.guess,
            }
            for place, layer in enumerate(layers)
        ]
    columns = ["model", "place", "input", "error", "rank", "guess"]
    return pd.DataFrame(rows, columns=columns), reasons


def chart(table: pd.DataFrame, reasons: Sequence[str] = ()) -> Picture | Note:
    """Draw the error by the probe's input, one panel a model; a note where there is nothing."""
    if not len(table):
        return Note(" ".join(reasons) or NONE)
    order = list(dict.fromkeys(table.sort_values("place")["input"]))
    bars = (
        alt.Chart(table)
        .mark_point(filled=True, size=60)
        .encode(
            alt.Y("input:N").sort(order).title(None),
            alt.X("error:Q").title("error, positions").scale(zero=True),
            tooltip=["input:N", *(alt.Tooltip(f"{n}:Q", format=".2f") for n in ("error", "rank"))],
        )
        .properties(width=400, height={"step": 18})
    )
    panels = [
        bars.transform_filter(alt.datum.model == model).properties(title=model)
        for model in table["model"].unique()
    ]
    return Picture(
        alt.vconcat(*panels),
        "Error of the index probe on what pretrained models make of word and position, layer by "
        "layer, one panel a model.",
        table.drop(columns="place").round(3),
    )


def _texts() -> tuple[str, ...]:
    name = standard_library.NAME if corpora.missing(wikitext.NAME) else wikitext.NAME
    return corpora.load(name).test
