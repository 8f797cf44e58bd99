"""Our curves over the published ones, with contexts in multiples of the one trained with."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from positions.book.pictures.context import paper
from positions.book.pictures.context.study import NOTHING, Study, over_seeds, title
from positions.book.pictures.length.names import capital, colours, dashes, encoding, listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice, menu

KINDS = {"rise": "times that with the training context", "loss": "perplexity"}
"""What the logarithm of each column is taken of."""
GREY = "#858585"
WIDTH = 490
_TIMES = [0.5, 1, 2, 4, 8]


def chart(study: Study) -> Picture | Note:
    """Draw perplexity by context, ours over the published; buttons choose the corpus."""
    if not len(study.curves):
        return Note(NOTHING)
    ours = pd.concat([_ours(study, column) for column in KINDS], ignore_index=True)
    theirs = _published(study)
    corpus = menu("context_corpus", {name: title(name) for name in study.corpora}, "our text")
    kind = choice("context_kind", *KINDS.values(), label="perplexity as")
    shown = "datum.kind == context_kind"
    top = _panel(ours, study, f"{shown} && datum.corpus == context_corpus")
    top = top.add_params(corpus, kind).properties(title="ours", width=WIDTH, height=250)
    bottom = _panel(theirs, study, shown)
    bottom = bottom.properties(title="published", width=WIDTH, height=210)
    return Picture(
        alt.vconcat(top, bottom).configure_legend(orient="top", columns=5, symbolOpacity=1),
        "Perplexity against context in two panels, both axes logarithmic: our models over the "
        "published ones (long documents), one line an encoding, with a 95 % interval over seeds in "
        "ours. Contexts are multiples of the one trained with; what was trained with is shaded. "
        "Menus choose our text, and perplexity or its multiple of that with the training context.",
        _numbers(ours, study),
    )


def worth(study: Study) -> str:
    """Say what more context is worth to each model while it is within its training context."""
    if not len(study.curves):
        return NOTHING
    parts = []
    for corpus in study.corpora:
        rise = over_seeds(study, "rise")
        rise = rise[rise["corpus"] == corpus]
        shortest = rise["times"].min()
        first = rise[rise["times"] == shortest].set_index("variant")["mean"]
        gains = [
            f"{encoding(name)} {100 * np.expm1(-first[name]):+z.1f} %"
            for name in study.variants
            if name in first
        ]
        parts.append(
            f"On {title(corpus)}, going from {shortest:g} times the training context to all of it "
            f"changes perplexity by: {listed(gains)}."
        )
    return " ".join(parts)


def within(study: Study) -> str:
    """Say what perplexity the models have at their training context, text by text."""
    if not len(study.curves):
        return NOTHING
    loss = over_seeds(study, "loss")
    loss = loss[loss["times"] == 1]
    parts = []
    for corpus in study.corpora:
        found = loss[loss["corpus"] == corpus].set_index("variant")["mean"].sort_values()
        spelt = listed(f"{encoding(str(name))} {np.exp(each):.1f}" for name, each in found.items())
        parts.append(f"On {title(corpus)}, from the lowest: {spelt}.")
    return capital(" ".join(parts))


def _ours(study: Study, column: str) -> pd.DataFrame:
    table = over_seeds(study, column)
    for end in ("mean", "low", "high"):
        table[end] = np.exp(table[end].astype(float))
    return table.assign(kind=KINDS[column])


def _published(study: Study) -> pd.DataFrame:
    """Return the mean curves of long documents in the form of ours, without intervals."""
    rows = paper.table()
    rows = rows[(rows["bucket"] == paper.ALL_LONG) & rows["variant"].isin(study.variants)]
    each = {
        "rise": np.exp(rows["rise"]),
        "loss": rows["perplexity"],
    }
    columns = ["variant", "context", "times"]
    return pd.concat(
        [rows[columns].assign(mean=values, kind=KINDS[name]) for name, values in each.items()],
        ignore_index=True,
    )


def _panel(frame: pd.DataFrame, study: Study, shown: str) -> alt.LayerChart | alt.FacetChart:
    """Draw one line an encoding over what was trained with, and its interval where there is one."""
    frame = frame.assign(**{end: _short(frame[end]) for end in _ENDS if end in frame})
    base = alt.Chart(frame.round({"times": 4})).transform_filter(shown)
    x = alt.X("times:Q").title("context / training context")
    x = x.scale(type="log", base=2, domain=[0.5, 8], nice=False).axis(values=_TIMES, format="~g")
    y = alt.Y("mean:Q").title(None).scale(type="log", nice=False)
    colour, dash = colours(study.variants), dashes(study.variants)
    seen = (
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rect(opacity=0.13, color=GREY)
        .encode(x=alt.datum(0.5), x2=alt.datum(1))
    )
    line = base.mark_line(strokeWidth=2, point={"size": 25}).encode(
        x,
        y.axis(format=",~g", tickCount=5),
        colour,
        dash,
        tooltip=[
            alt.Tooltip("variant:N", title="encoding"),
            alt.Tooltip("context:Q", title="tokens", format=",d"),
            alt.Tooltip("times:Q", format=".3g"),
            alt.Tooltip("mean:Q", title="value", format=",.4g"),
        ],
    )
    layers = [seen, line]
    if "low" in frame:
        band = base.mark_area(opacity=0.15)
        layers.insert(1, band.encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), colour))
    return alt.layer(*layers)


_ENDS = ("mean", "low", "high")


def _short(values: pd.Series) -> pd.Series:
    """Round to four digits that count: perplexities go from 1 to thousands."""
    return values.map(lambda value: float(f"{value:.4g}"))


def _numbers(ours: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Return mean perplexities by corpus and context, one column an encoding."""
    table = ours[ours["kind"] == KINDS["loss"]]
    table = table.assign(corpus=table["corpus"].map(title))
    wide = table.pivot_table(
        index=["corpus", "context"], columns="variant", values="mean", sort=False
    )
    return wide[list(study.variants)].reset_index().rename_axis(columns=None)
