"""How far back attention looks, beside the published figure and a head without preference."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions import published
from positions.analysis.attention import distance
from positions.book import charts
from positions.book.pictures.attention.study import ADDITION, Study, over_seeds
from positions.book.pictures.length.names import encoding, listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice, menu, short
from positions.experiments.attention.readings import IDENTITY

COUNTS = {"most_attended": "most attended key", "mass": "all attention"}
ALL = "all"
PANEL = {"width": 150, "height": 105}
NOTHING = "No model that has learned addition with steps is recorded yet."


def table(study: Study) -> pd.DataFrame:
    """Return variant, layer, count, distance, mean, low, high, seeds on addition.

    `layer` is "all" (their mean) or a number from 1; `count` one of `COUNTS`.
    """
    shares = study.distances[study.distances["task"] == ADDITION]
    parts = []
    for count in COUNTS:
        by_layer = over_seeds(shares, count, "layer", "distance")
        pooled = shares.groupby([*IDENTITY, "distance"], sort=False)[count].mean().reset_index()
        whole = over_seeds(pooled, count, "distance").assign(layer=ALL)
        parts += [each.assign(count=count) for each in (whole, by_layer)]
    found = pd.concat(parts, ignore_index=True)
    return found.assign(layer=found["layer"].astype(str))


def printed() -> pd.DataFrame:
    """Return variant, distance and share of the published figure."""
    rows = published.load("length-generalization/attention_distance_hist")
    rows = rows.assign(variant=rows["pe"].replace({"ape": "sinusoidal"}))
    return rows.rename(columns={"bin_centre": "distance", "fraction": "share"})[
        ["variant", "distance", "share"]
    ]


def chart(study: Study) -> Picture | Note:
    """Draw shares by distance, a panel an encoding; controls choose count and layer."""
    ours = table(study)
    if not len(ours):
        return Note(NOTHING)
    names = _recorded(study)
    frame = pd.DataFrame([*_packed(ours), *_paper(names), *_even(study, names)])
    numbers = sorted(set(ours["layer"]) - {ALL}, key=int)
    controls = (
        menu("far_count", COUNTS, "share of"),
        choice("far_layer", ALL, *numbers, label="layer"),
    )
    base = alt.Chart().encode(alt.X("distance:Q").title("distance / length").axis(tickCount=3))
    ours_only = base.transform_filter("datum.whose == 'ours'")
    others = base.transform_filter("datum.whose != 'ours'")
    y = alt.Y("mean:Q").title("share").scale(type="sqrt", domain=[0, 1])
    y = y.axis(values=[0, 0.1, 0.4, 1], tickCount=4, labelOverlap=False)
    colour = alt.Color("variant:N").scale(charts.scale(names)).legend(None)
    whose = alt.Scale(domain=["published", "even head"], range=[[5, 3], [1, 3]])
    layers = alt.layer(
        others.mark_line(strokeWidth=1.5, color="#858585").encode(
            y, alt.StrokeDash("whose:N").scale(whose).title(None)
        ),
        ours_only.mark_area(opacity=0.2).encode(alt.Y("low:Q"), alt.Y2("high:Q"), colour),
        ours_only.mark_line(strokeWidth=2, point={"size": 14}).encode(
            y,
            colour,
            tooltip=[
                alt.Tooltip("variant:N", title="encoding"),
                alt.Tooltip("distance:Q"),
                alt.Tooltip("mean:Q", title="share", format=".3f"),
                alt.Tooltip("low:Q", title="from", format=".3f"),
                alt.Tooltip("high:Q", title="to", format=".3f"),
            ],
        ),
    ).properties(**PANEL)
    panels = (
        layers.facet(alt.Facet("variant:N").title(None).sort(names), data=frame, columns=3)
        .transform_filter("datum.whose != 'ours' || datum.count == far_count")
        .transform_filter("datum.whose != 'ours' || datum.layer == far_layer")
        .transform_flatten(["distance", "mean", "low", "high"])
    )
    return Picture(
        panels.add_params(*controls).configure_legend(orient="top"),
        "Share of attention by distance from the query to the key, divided by the length so far, "
        "one panel an encoding, on additions longer than in training: ours with a 95 % interval "
        "over seeds, the published figure dashed, a head that looks at everything alike dotted. "
        "Controls choose whether the most attended key counts or all attention, and the layer.",
        _numbers(ours),
    )


def near_and_far(study: Study) -> pd.DataFrame:
    """Return one row an encoding with the shares near (below 0.075) and far (from 0.825).

    Ours are of addition, in the mean over seeds; the last row is a head without preference.
    """
    theirs = printed()
    chosen = study.runs[study.runs["task"] == ADDITION]
    rows: dict[str, dict[tuple[str, str], float]] = {}
    for name in _recorded(study):
        part = chosen[chosen["variant"] == name]
        bins = theirs[theirs["variant"] == name]["share"].tolist()
        rows[name] = {}
        for side, measure in (("near", distance.near), ("far", distance.far)):
            rows[name] |= {
                (side, "ours"): part[side].mean(),
                (side, "published"): measure(bins) if bins else float("nan"),
                (side, "ours, all attention"): part[f"{side}_mass"].mean(),
            }
    if rows:
        even = chosen[["near_even", "far_even"]].mean()
        rows["even head"] = {
            (side, what): even[f"{side}_even"]
            for side in ("near", "far")
            for what in ("ours", "ours, all attention")
        }
    return pd.DataFrame(rows).T.map(lambda share: "none" if pd.isna(share) else f"{share:.2f}")


def said(study: Study) -> str:
    """Say who looks more near and far than a head without preference, and who does not."""
    chosen = study.runs[study.runs["task"] == ADDITION]
    if not len(chosen):
        return NOTHING
    means = chosen.groupby("variant")[["near", "far", "near_even", "far_even"]].mean()
    parts = []
    for words, near, far in (
        ("more near and more far", True, True),
        ("more near and less far", True, False),
        ("less near and more far", False, True),
        ("less of both", False, False),
    ):
        kept = means[
            ((means["near"] > means["near_even"]) == near)
            & ((means["far"] > means["far_even"]) == far)
        ]
        if len(kept):
            names = [encoding(name) for name in study.variants if name in kept.index]
            parts.append(f"{listed(names)} {'look' if len(names) > 1 else 'looks'} {words}")
    return f"Beside a head without preference, {'; '.join(parts)}."


def _recorded(study: Study) -> list[str]:
    """Return the encodings of which a model has learned addition."""
    found = set(study.runs[study.runs["task"] == ADDITION]["variant"])
    return [name for name in study.variants if name in found]


def _packed(found: pd.DataFrame) -> list[dict[str, object]]:
    """Pack each curve into one row, which the chart unfolds."""
    keys = ["variant", "layer", "count"]
    return [
        {
            **dict(zip(keys, values, strict=True)),
            "whose": "ours",
            **{name: short(part[name], 4) for name in ("distance", "mean", "low", "high")},
        }
        for values, part in found.groupby(keys, sort=False)
    ]


def _paper(names: Sequence[str]) -> list[dict[str, object]]:
    return [
        _plain(str(name), "published", part["distance"], part["share"])
        for name, part in printed().groupby("variant", sort=False)
        if name in names
    ]


def _even(study: Study, names: Sequence[str]) -> list[dict[str, object]]:
    rows = study.distances[study.distances["task"] == ADDITION]
    even = rows.groupby("distance", sort=False)["even"].mean().reset_index()
    return [_plain(name, "even head", even["distance"], even["even"]) for name in names]


def _plain(variant: str, whose: str, where: pd.Series, share: pd.Series) -> dict[str, object]:
    values = short(share, 4)
    found: dict[str, object] = {"variant": variant, "whose": whose, "distance": short(where, 2)}
    return found | dict.fromkeys(("mean", "low", "high"), values)


def _numbers(ours: pd.DataFrame) -> pd.DataFrame:
    """Return the shares of the most attended key over all layers, one column an encoding."""
    found = ours[(ours["layer"] == ALL) & (ours["count"] == "most_attended")]
    wide = found.pivot_table(index="distance", columns="variant", values="mean", sort=False)
    return wide.reset_index().rename_axis(columns=None)
