"""The divergence as the text has it and as the code computes it, on rows made for the purpose."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
import torch

from positions import published
from positions.analysis.attention.divergence import MOST, divergences
from positions.book.charts import SPARE_COLOURS
from positions.book.pictures.sliders import Picture

WIDTH = 560
NAMES = ("Jensen-Shannon divergence", "as coded")


def two_rows(rest: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the attention of two heads to two keys: one has `rest` left where the other has 1."""
    row = torch.tensor([[[1 - rest, rest]]], dtype=torch.float64)
    return row, row.flip(-1)


def table(rests: tuple[float, ...] = (0.5, 0.1, 1e-2, 1e-4, 1e-6)) -> pd.DataFrame:
    """Return both forms for two rows that share less and less, one row a share."""
    rows = []
    for rest in rests:
        found = divergences(*two_rows(rest))
        rows.append(dict(zip(NAMES, map(float, found), strict=True)))
    return pd.DataFrame(rows, index=[f"{rest:g} left" for rest in rests]).round(3)


def chart() -> Picture:
    """Draw both forms against what two rows share, down to one part in 10^12."""
    rows = []
    for power in np.linspace(-12, np.log10(0.5), 60):
        found = divergences(*two_rows(10**power))
        for name, value in zip(NAMES, found, strict=True):
            rows.append({"rest": float(10**power), "form": name, "nats": round(float(value), 4)})
    frame = pd.DataFrame(rows)
    form = alt.Scale(domain=list(NAMES), range=list(SPARE_COLOURS[:2]))
    lines = (
        alt.Chart(frame)
        .mark_line()
        .encode(
            alt.X("rest:Q")
            .scale(type="log", reverse=True, nice=False)
            .title("share left to the other's key")
            .axis(format="~e", tickCount=6, labelFlush=True),
            alt.Y("nats:Q").title("divergence, nats"),
            alt.Color("form:N").scale(form).title(None),
            alt.StrokeDash("form:N").scale(domain=list(NAMES), range=[[1, 0], [6, 3]]).title(None),
            tooltip=["form:N", alt.Tooltip("rest:Q", format=".1e"), "nats:Q"],
        )
    )
    bound = alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[2, 2])
    return Picture(
        (lines + bound.encode(y=alt.datum(MOST)))
        .properties(width=WIDTH, height=240)
        .configure_legend(orient="top", labelLimit=300),
        "The divergence of two heads that look at two different keys, against the share that each "
        "leaves to the other's. The Jensen-Shannon divergence levels off at 0.69, the dotted line; "
        "the coded form goes on rising.",
        frame.pivot_table(index="rest", columns="form", values="nats", sort=False).reset_index(),
    )


def above_the_bound() -> str:
    """Say how many of the published divergences no Jensen-Shannon divergence can reach."""
    rows = published.load("length-generalization/attention_divergence_scan")
    values = rows[rows["layer"] != "all_layers"]["mean_min_divergence_digitised"]
    return (
        f"Of the {len(values):,} published means over examples, one a layer, length and encoding, "
        f"{int((values > MOST).sum()):,} lie above {MOST:.2f}; the greatest is {values.max():.2f}."
    )
