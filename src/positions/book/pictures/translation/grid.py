"""BLEU by the tables of encoder and decoder."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.analysis.bleu import paired_bootstrap
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.book.pictures.translation.study import NOTHING, Study, title
from positions.experiments.translation.readings import counts_of
from positions.experiments.translation.start import PAPER, SIDES
from positions.words import many


def table(study: Study) -> pd.DataFrame:
    """Return encoder, decoder, bleu, written, spread, seeds: means over seeds of the grid.

    `spread` is the distance of the best from the worst seed.
    """
    return (
        study.grid.groupby(["encoder", "decoder"], sort=False)
        .agg(
            bleu=("bleu", "mean"),
            written=("bleu_written", "mean"),
            spread=("bleu", lambda values: values.max() - values.min()),
            seeds=("seed", "nunique"),
        )
        .reset_index()
    )


def chart(study: Study) -> Picture | Note:
    """Draw the grid: a square a pair of tables, the darker the better."""
    found = table(study)
    if not len(found):
        return Note(NOTHING)
    frame = found.assign(
        encoder=[title(name) for name in found["encoder"]],
        decoder=[title(name) for name in found["decoder"]],
    ).round(2)
    order = [title(name) for name in study.tables]
    middle = (frame["bleu"].min() + frame["bleu"].max()) / 2
    base = alt.Chart(frame).encode(
        alt.X("decoder:N").sort(order).title("table of the decoder").axis(labelAngle=-40),
        alt.Y("encoder:N").sort(order).title("table of the encoder"),
    )
    squares = base.mark_rect().encode(
        alt.Color("bleu:Q").title("BLEU").scale(scheme="blues", zero=False),
        tooltip=["encoder:N", "decoder:N", "bleu:Q", "spread:Q", "seeds:Q"],
    )
    numbers = base.mark_text(fontSize=12).encode(
        alt.Text("bleu:Q", format=".1f"),
        color=alt.condition(f"datum.bleu > {middle}", alt.value("white"), alt.value("black")),
    )
    return Picture(
        (squares + numbers)
        .properties(
            width=330, height=270, title="Which tables do encoder and decoder translate best with?"
        )
        .configure_legend(gradientLength=180),
        "BLEU on the test, mean over seeds, a square for each pair of a table in the encoder and "
        "one in the decoder.",
        frame,
    )


def said(study: Study) -> str:
    """Say which pair is best and worst, and what each side's table is worth on its own."""
    found = table(study).sort_values("bleu", ascending=False, kind="stable")
    if not len(found):
        return NOTHING
    best, worst = found.iloc[0], found.iloc[-1]
    parts = [
        f"Best of {many(len(found), 'pair')}: {title(best.encoder)} in the encoder and "
        f"{title(best.decoder)} in the decoder, {best.bleu:.1f} BLEU; worst: "
        f"{title(worst.encoder)} and {title(worst.decoder)}, {worst.bleu:.1f}. Between seeds "
        f"a pair differs by up to {found['spread'].max():.1f}."
    ]
    for side in SIDES:
        means = found.groupby(side)["bleu"].mean().sort_values(ascending=False)
        spelt = ", ".join(f"{title(str(name))} {value:.1f}" for name, value in means.items())
        parts.append(f"Mean by table of the {side}: {spelt}.")
    return " ".join(parts)


def gaps(study: Study) -> pd.DataFrame:
    """Return a row a pair: BLEU less that of the best pair, over sentences drawn again."""
    columns = ["encoder", "decoder", "BLEU", "below the best", "95 % over sentences", "p", "seeds"]
    by_pair: dict[tuple[str, str], dict[int, object]] = {}
    for record in study.of_grid():
        if record.metrics.get("bleu") is not None:
            pair = record.config["encoder"], record.config["decoder"]
            by_pair.setdefault(pair, {})[record.config["seed"]] = counts_of(record)
    scores = table(study).set_index(["encoder", "decoder"])["bleu"].sort_values(ascending=False)
    rows = []
    for pair in scores.index:
        one, other = by_pair[scores.index[0]], by_pair[pair]
        shared = sorted(one.keys() & other.keys())
        if pair == scores.index[0] or not shared:
            rows.append([*map(title, pair), f"{scores[pair]:.1f}", "", "", "", len(other)])
            continue
        gap = paired_bootstrap([other[s] for s in shared], [one[s] for s in shared])  # type: ignore[misc]
        cells = [f"{gap.mean:+.1f}", f"{gap.low:+.1f} to {gap.high:+.1f}", f"{gap.p_value:.3f}"]
        rows.append([*map(title, pair), f"{scores[pair]:.1f}", *cells, len(shared)])
    return pd.DataFrame(rows, columns=columns)


def arms(study: Study) -> pd.DataFrame:
    """Return the paper's own pairs, as published here beside the same pair of the grid: BLEU."""
    columns = ["encoder", "decoder", "loss", "as the paper does", "one loss, matched"]
    own = study.runs[study.runs["preparation"] == PAPER]
    ours = study.grid.groupby(["encoder", "decoder"])["bleu"].mean()
    rows = []
    for (one, other, smoothing), part in own.groupby(
        ["encoder", "decoder", "smoothing"], sort=False
    ):
        matched = ours.get((one, other))
        rows.append(
            [
                title(str(one)),
                title(str(other)),
                "smoothed" if smoothing else "plain",
                f"{part['bleu'].mean():.1f}",
                "not recorded" if matched is None else f"{matched:.1f}",
            ]
        )
    return pd.DataFrame(rows, columns=columns)


def without(study: Study) -> str:
    """Say what is left with no position at all, and with zeros that training fills."""
    frozen = study.runs[study.runs["frozen"].astype(bool)]["bleu"]
    if not len(frozen):
        return NOTHING
    filled = study.grid[(study.grid["encoder"] == "zeros") & (study.grid["decoder"] == "zeros")]
    beside = (
        f" Zeros that training may fill reach {filled['bleu'].mean():.1f}." if len(filled) else ""
    )
    return (
        f"With tables of zeros that stay zero on both sides, {many(len(frozen), 'run')} "
        f"reached {frozen.mean():.1f} BLEU.{beside}"
    )
