"""How well position is read from each layer, before training and after."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.analysis.statistics import intervals
from positions.book.pictures.hidden.study import NOTHING, Study
from positions.book.pictures.length.names import colours, dashes, encoding, listed, many
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.experiments.hidden_states.readings import STATES

TITLES = {"untrained": "first weights, nothing learned", "trained": "trained"}
GREY = "#858585"
_COLUMNS = ["variant", "state", "layer", "mean", "low", "high", "seeds"]


def over_seeds(layers: pd.DataFrame) -> pd.DataFrame:
    """Return variant, state, layer, mean, low, high and seeds of the error, 95 % over seeds.

    Of one seed low and high are the mean.
    """
    parts = []
    for keys, part in layers.groupby(["variant", "state"], sort=False):
        name, state = map(str, keys)
        wide = part.pivot_table(index="seed", columns="layer", values="error")
        mean, low, high = intervals(wide.to_numpy())
        found = pd.DataFrame({"layer": wide.columns, "mean": mean, "low": low, "high": high})
        for end in ("low", "high"):
            found[end] = found[end].fillna(found["mean"])
        parts.append(found.assign(variant=name, state=state, seeds=len(wide)))
    return (
        pd.concat(parts, ignore_index=True)[_COLUMNS] if parts else pd.DataFrame(columns=_COLUMNS)
    )


def chart(study: Study) -> Picture | Note:
    """Draw the probe's error by layer in two panels, untrained and trained."""
    if not len(study.layers):
        return Note(NOTHING)
    table = over_seeds(study.layers)
    guess = float(study.layers["guess"].mean())
    panels = [
        _panel(table[table["state"] == state], study, guess).properties(
            title=TITLES[state], width=210, height=230
        )
        for state in STATES
        if (table["state"] == state).any()
    ]
    return Picture(
        alt.hconcat(*panels)
        .resolve_scale(y="shared")
        .configure_legend(orient="top", columns=3, symbolOpacity=1),
        "Error of the index probe on hidden states by layer, in positions, in two panels: models "
        "as their first weights are drawn, and trained ones. One line an encoding with a 95 % "
        "interval over seeds; a dashed line marks the error of knowing nothing.",
        table.round(2),
    )


def _panel(table: pd.DataFrame, study: Study, guess: float) -> alt.LayerChart:
    base = alt.Chart(table)
    x = alt.X("layer:O").title("layer (0: the embedded tokens)").axis(labelAngle=0)
    y = alt.Y("mean:Q").title("error, positions").scale(zero=True)
    tooltip = [
        "variant:N",
        "layer:O",
        *(alt.Tooltip(f"{name}:Q", format=".1f") for name in ("mean", "low", "high")),
        "seeds:Q",
    ]
    line = base.mark_line(strokeWidth=2, point={"size": 40}).encode(
        x, y, colours(study.variants), dashes(study.variants), tooltip=tooltip
    )
    band = base.mark_area(opacity=0.15).encode(
        x, alt.Y("low:Q"), alt.Y2("high:Q"), colours(study.variants)
    )
    nothing = (
        alt.Chart(pd.DataFrame({"guess": [guess]}))
        .mark_rule(strokeDash=[5, 4], color=GREY)
        .encode(alt.Y("guess:Q"))
    )
    return nothing + band + line


def said(study: Study) -> str:
    """Say how far the probe is off in the best layer of each encoding, before and after."""
    if not len(study.layers):
        return NOTHING
    table = over_seeds(study.layers)
    parts = []
    for state, opening in (("untrained", "Before training"), ("trained", "After training")):
        there = table[table["state"] == state]
        if not len(there):
            continue
        each = []
        for name in study.variants:
            errors = there[there["variant"] == name].set_index("layer")["mean"]
            if len(errors):
                each.append(f"{encoding(name)} {errors.min():.1f} (layer {errors.idxmin()})")
        parts.append(f"{opening} the probe is off, in its best layer, by: {listed(each)}.")
    guess = study.layers["guess"].mean()
    return " ".join([*parts, f"Knowing nothing costs {guess:.1f} positions."])


def without_encoding(study: Study) -> str:
    """Say what layers and training add to a model that is told nothing of positions."""
    table = over_seeds(study.layers[study.layers["variant"] == "nope"])
    if not len(table):
        return "No run of NoPE is among the chosen."
    guess = study.layers["guess"].mean()
    sentences = []
    for state, what in (("untrained", "with its first weights"), ("trained", "trained")):
        there = table[table["state"] == state].set_index("layer")["mean"]
        if len(there):
            last = there.index.max()
            sentences.append(
                f"{what}, the error falls from {there[0]:.1f} at the embedded tokens to "
                f"{there.min():.1f} in layer {there.idxmin()}, and is {there[last]:.1f} in the last"
            )
    return f"NoPE: {'; '.join(sentences)} (knowing nothing: {guess:.1f})."


def changed(study: Study) -> str:
    """Say for how many encodings training makes position easier or harder to read."""
    table = over_seeds(study.layers)
    best = table.groupby(["variant", "state"])["mean"].min().unstack()
    if not {*STATES} <= {*best.columns} or not len(best.dropna()):
        return NOTHING
    both = best.dropna()
    harder = int((both["trained"] > both["untrained"]).sum())
    return (
        f"In its best layer, position is harder to read after training than before with {harder} "
        f"of {many(len(both), 'encoding')}."
    )
