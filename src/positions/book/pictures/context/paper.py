"""The published curves of the large models: perplexity by context and length of document."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from positions import published
from positions.book.pictures.length.names import colours, encoding, listed
from positions.book.pictures.sliders import Picture, menu

CONTEXT = 1_024
"""The training context of the paper's models."""
LONG = 2_750
"""Documents from this length on have been read with every context."""
ALL_LONG = f"all from {LONG:,} tokens on"
VARIANTS = ("nope", "alibi", "rotary")
GREY = "#858585"
WIDTH = 500


def table() -> pd.DataFrame:
    """Return bucket, shortest, variant, context, times, perplexity and rise, as published.

    `bucket` is the range of the documents' lengths in tokens, and `ALL_LONG` the mean over those
    from `LONG` on; `rise` the logarithm of the perplexity over that at the training context, NaN
    where documents are too short for it.
    """
    rows = published.load("length-generalization/1b_perplexity")
    rows = rows.rename(columns={"length_bucket": "bucket", "pe": "variant"})
    rows = rows.rename(columns={"context_size": "context"})
    rows["shortest"] = rows["bucket"].str.split("-").str[0].astype(int)
    long = rows[rows["shortest"] >= LONG]
    mean = long.groupby(["variant", "context"])["perplexity"].mean().reset_index()
    rows = pd.concat([mean.assign(bucket=ALL_LONG, shortest=0), rows], ignore_index=True)
    own = rows[rows["context"] == CONTEXT].set_index(["bucket", "variant"])["perplexity"]
    keys = pd.MultiIndex.from_frame(rows[["bucket", "variant"]])
    ratio = rows["perplexity"].to_numpy() / own.reindex(keys).to_numpy()
    rows["rise"] = np.log(ratio)
    rows["times"] = rows["context"] / CONTEXT
    columns = ["bucket", "shortest", "variant", "context", "times", "perplexity", "rise"]
    return rows[columns].sort_values(["shortest", "variant", "context"], ignore_index=True)


def chart() -> Picture:
    """Draw perplexity against context on a logarithmic axis; a menu chooses the documents."""
    frame = table()
    buckets = {name: _spelt(name) for name in frame["bucket"].unique()}
    bucket = menu("paper_bucket", buckets, "documents")
    base = alt.Chart(frame).transform_filter("datum.bucket == paper_bucket")
    seen = (
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rect(opacity=0.13, color=GREY)
        .encode(x=alt.datum(0), x2=alt.datum(CONTEXT))
    )
    line = base.mark_line(strokeWidth=2, point={"size": 40}).encode(
        alt.X("context:Q")
        .title("context, tokens")
        .scale(domain=[0, 2_560], nice=False)
        .axis(values=[0, 512, 1_024, 1_536, 2_048, 2_560], format=",d"),
        alt.Y("perplexity:Q").title("perplexity").scale(type="log", domain=[2, 2_100]),
        colours(VARIANTS),
        tooltip=[
            alt.Tooltip("variant:N", title="encoding"),
            alt.Tooltip("context:Q", format=",d"),
            alt.Tooltip("perplexity:Q", format=",.4g"),
        ],
    )
    both = (seen + line).add_params(bucket)
    return Picture(
        both.properties(width=WIDTH, height=280).configure_legend(orient="top", symbolOpacity=1),
        "Published perplexity of the 1.3-billion models by context, logarithmic, one line an "
        f"encoding; contexts up to {CONTEXT:,} tokens were trained with and are shaded. A menu "
        "chooses documents by length.",
        frame[frame["bucket"] == ALL_LONG][["variant", "context", "perplexity"]],
    )


def said() -> str:
    """Say where each large model stands at its context, and where it has doubled that."""
    rows = table()
    rows = rows[rows["bucket"] == ALL_LONG]
    own = rows[rows["context"] == CONTEXT].set_index("variant")["perplexity"]
    within = listed(f"{encoding(name)} {own[name]:.2f}" for name in VARIANTS)
    broken = {
        name: int(part[part["rise"] >= np.log(2)]["context"].min())
        for name, part in rows.groupby("variant")
    }
    first = listed(f"{encoding(name)} {broken[name]:,}" for name in VARIANTS)
    return (
        f"In documents of {LONG:,} tokens and more, perplexity with the training context is: "
        f"{within}. The first of the lengths measured at which it has at least doubled: {first} "
        "tokens."
    )


def _spelt(bucket: str) -> str:
    if bucket == ALL_LONG:
        return bucket
    low, high = (f"{int(end):,}" for end in bucket.split("-"))
    return f"{low} to {high} tokens"
