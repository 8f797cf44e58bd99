"""Divergence from NoPE layer by layer and length by length, beside the published curves."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions import published
from positions.book.pictures.attention.apart import FORMS, NOTHING, VARIANT
from positions.book.pictures.attention.study import SCAN, TASKS, Study, over_seeds, titled
from positions.book.pictures.length.names import colours, dashes, encoding, listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice
from positions.experiments.attention import readings

ORDER = ("t5", "alibi", "sinusoidal", "rotary")
LONGEST = 25
"""The longest SCAN output that the paper trains on."""


def by_layer(study: Study) -> Picture | Note:
    """Draw the divergence from NoPE of another seed by layer, ours and the published."""
    return _chart(study, "layer", tall=False)


def by_length(study: Study) -> Picture | Note:
    """Draw the divergence from NoPE of another seed by length, ours and the published."""
    return _chart(study, "length", tall=True)


def table(study: Study, at: str) -> pd.DataFrame:
    """Return task, variant, form, `at`, mean, low, high, seeds; NoPE's is from its own twin."""
    chosen = study.divergences
    fair = (chosen["against"] == "other_seed") & (chosen["variant"] != "nope")
    own = (chosen["against"] == "itself") & (chosen["variant"] == "nope")
    return over_seeds(readings.means(chosen[fair | own], at), "divergence", "form", at)


def printed(at: str) -> pd.DataFrame:
    """Return variant, `at` and the published mean divergence, as coded, on SCAN."""
    rows = published.load("length-generalization/attention_divergence_scan")
    if at == "length":
        rows = rows[rows["layer"] == "all_layers"].rename(columns={"example_length": "length"})
    else:
        rows = rows[rows["layer"] != "all_layers"]
        rows = rows.assign(layer=rows["layer"].str.extract(r"#(\d+)", expand=False).astype(int))
    rows = rows.assign(variant=rows["other_model"].map(VARIANT))
    found = rows.groupby(["variant", at])["mean_min_divergence_digitised"].mean()
    return found.rename("mean").reset_index()


def layers(study: Study) -> str:
    """Say in how many layers the published order holds, in the paper and among ours, on SCAN."""
    theirs = printed("layer").pivot_table(index="layer", columns="variant", values="mean")
    said = f"Of the paper's {len(theirs)} layers, {_held(theirs)}."
    ours = _wide(study, "layer")
    if not set(ORDER) <= set(ours):
        return f"{said} {NOTHING}"
    ours = ours[list(ORDER)].dropna()
    return f"{said} Of our {len(ours)}, in the mean over seeds, {_held(ours)}."


def _held(wide: pd.DataFrame) -> str:
    """Say in how many rows each step of the published order holds."""
    orders = {
        "T5's bias is nearer than ALiBi": wide["t5"] < wide["alibi"],
        "ALiBi is nearer than the sinusoid": wide["alibi"] < wide["sinusoidal"],
        "Rotary is farthest": wide["rotary"] == wide[list(ORDER)].max(axis=1),
    }
    return listed(f"{name} in {int(held.sum())}" for name, held in orders.items())


def lengths(study: Study) -> str:
    """Say how much farther apart attention is beyond the training lengths, on SCAN."""
    wide = _wide(study, "length")
    if not len(wide):
        return NOTHING
    chosen = study.divergences[study.divergences["task"] == SCAN]
    longest = chosen[chosen["trained"]]["length"].max()
    within, beyond = wide[wide.index <= longest].mean(), wide[wide.index > longest].mean()
    parts = [
        f"{encoding(name)} {within[name]:.3f} and {beyond[name]:.3f}"
        for name in study.variants
        if name in wide
    ]
    return f"Within the training lengths and beyond, in nats: {listed(parts)}."


def _wide(study: Study, at: str) -> pd.DataFrame:
    """Return the mean divergence of the closest heads on SCAN by `at` (rows) and variant."""
    found = table(study, at)
    found = found[(found["task"] == SCAN) & (found["form"] == "closest")]
    return found.pivot_table(index=at, columns="variant", values="mean")


def _chart(study: Study, at: str, tall: bool) -> Picture | Note:
    ours = table(study, at)
    if not len(ours):
        return Note(NOTHING)
    task = choice(f"{at}_task", *titled(ours["task"]), label="task")
    ours = ours.assign(
        task=ours["task"].map(lambda name: TASKS.get(name, name)), form=ours["form"].map(FORMS)
    ).round(4)
    form = choice(f"{at}_form", *FORMS.values(), label="ours as")
    shown = (f"datum.task == {task.name}", f"datum.form == {form.name}")
    size = {"width": 560, "height": 190} if tall else {"width": 235, "height": 220}
    left = _lines(ours, at, study, shown, _trained(study, shown))
    left = left.add_params(task, form).properties(title="ours, nats", **size)
    theirs = printed(at)
    theirs = theirs[theirs["variant"].isin(study.variants)].round(4)
    seen = alt.Chart(alt.InlineData(values=[{"first": 0, "longest": LONGEST}]))
    right = _lines(theirs, at, study, (), seen)
    right = right.properties(title="published, SCAN, as coded", **size)
    both = alt.vconcat(left, right) if tall else alt.hconcat(left, right)
    shaded = " Lengths trained on are shaded." if tall else ""
    return Picture(
        both.configure_legend(
            orient="top", columns=4, symbolOpacity=1, symbolType="stroke", symbolStrokeWidth=3
        ),
        f"Divergence of attention from NoPE of another seed by {at}, one line an encoding: ours "
        f"with a 95 % interval over seeds, and the published one.{shaded} NoPE's line is between "
        "two NoPEs. Buttons choose the task and how heads are compared.",
        ours[["task", "variant", "form", at, "mean", "low", "high", "seeds"]],
    )


def _trained(study: Study, shown: tuple[str, str]) -> alt.Chart:
    """Return the longest training length of the chosen task, to be shaded."""
    table = study.divergences[study.divergences["trained"]].groupby("task")["length"].max()
    rows = [
        {"task": TASKS.get(str(name), str(name)), "first": 0, "longest": int(last)}
        for name, last in table.items()
    ]
    return alt.Chart(alt.InlineData(values=rows)).transform_filter(shown[0])


def _lines(
    frame: pd.DataFrame, at: str, study: Study, shown: tuple[str, ...], seen: alt.Chart
) -> alt.LayerChart | alt.FacetChart:
    """Draw one line an encoding, with its interval where there is one, over what was trained on."""
    discrete = at == "layer"
    x = alt.X(f"{at}:{'O' if discrete else 'Q'}").title(at)
    x = x.axis(labelAngle=0) if discrete else x.scale(nice=False, zero=True).axis(tickMinStep=1)
    base = alt.Chart(frame)
    for condition in shown:
        base = base.transform_filter(condition)
    colour, dash = colours(study.variants), dashes(study.variants)
    line = base.mark_line(strokeWidth=2, point={"size": 30} if discrete else False).encode(
        x,
        alt.Y("mean:Q").title(None).scale(zero=True),
        colour,
        dash,
        tooltip=[
            alt.Tooltip("variant:N", title="encoding"),
            f"{at}:Q",
            alt.Tooltip("mean:Q", title="nats", format=".3f"),
        ],
    )
    layers = [line]
    if "low" in frame:
        band = base.mark_area(opacity=0.13)
        layers.append(band.encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), colour))
    if not discrete:
        shade = seen.mark_rect(opacity=0.13, color="#858585")
        layers.insert(0, shade.encode(alt.X("first:Q").title(at), alt.X2("longest:Q")))
    return alt.layer(*layers)
