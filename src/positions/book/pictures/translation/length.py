"""BLEU by the length of the source."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.book.pictures.labels import scale as colours
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.book.pictures.translation.study import NOTHING, Study, is_grid, title
from positions.experiments.translation import readings


def table(study: Study) -> pd.DataFrame:
    """Return part, sentences, table, bleu: pairs of one table on both sides, means over seeds."""
    found = readings.by_length(study.records)
    same = found[is_grid(found) & (found["encoder"] == found["decoder"])]
    means = same.groupby(["part", "sentences", "encoder"], sort=False)["bleu"].mean()
    return means.reset_index().rename(columns={"encoder": "table"})


def chart(study: Study) -> Picture | Note:
    """Draw BLEU by part of the test, a dot a table that serves both sides."""
    found = table(study)
    if not len(found):
        return Note(NOTHING)
    names = list(dict.fromkeys(found["table"]))
    frame = found.assign(
        part=[f"{p} ({n})" for p, n in zip(found["part"], found["sentences"], strict=True)],
        table=[title(name) for name in found["table"]],
    ).round(2)
    drawn = (
        alt.Chart(frame)
        .mark_point(filled=True, size=70, opacity=0.85)
        .encode(
            alt.X("bleu:Q").title("BLEU").scale(zero=False),
            alt.Y("part:N").sort(list(dict.fromkeys(frame["part"]))).title("words of the source"),
            alt.Color("table:N").scale(colours(names)).title(None),
            tooltip=["table:N", "part:N", "bleu:Q"],
        )
        .properties(width=380, height=240, title="Do other tables win on long sentences?")
        .configure_legend(orient="top", columns=3)
    )
    return Picture(
        drawn,
        "BLEU of translators with one table on both sides, by how many words the source has; in "
        "brackets how many sentences that are.",
        frame[["part", "table", "bleu"]],
    )


def said(study: Study) -> str:
    """Say which pair is best on all sentences and which on long ones, by every cut."""
    found = readings.by_length(study.records)
    found = found[is_grid(found)]
    found = found[(found["part"] == "all") | found["part"].str.startswith("over")]
    if not len(found):
        return NOTHING
    by = ["part", "sentences", "encoder", "decoder"]
    means = found.groupby(by, sort=False)["bleu"].mean().reset_index()
    spelt = []
    for part, scores in means.groupby("part", sort=False):
        best = scores.nlargest(1, "bleu").iloc[0]
        words = "all sentences" if part == "all" else f"{part} words"
        pair = f"{title(best['encoder'])} and {title(best['decoder'])}"
        spelt.append(f"{words} ({best['sentences']}): {pair}, {best['bleu']:.1f} BLEU")
    return f"Best pair (encoder and decoder) on {'; '.join(spelt)}."
