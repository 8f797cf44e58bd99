"""How far back attention looks, beside the published figure and a head without preference."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions import published
from positions.analysis.attention import distance
from positions.book import charts
from positions.book.pictures.attention.study import ADDITION, TASKS, Study, over_seeds
from positions.book.pictures.length.names import encoding, listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice, menu, short
from positions.experiments.attention.readings import IDENTITY

COUNTS = {"most_attended": "most attended key", "mass": "all attention"}
ALL = "all"
PANEL = {"width": 150, "height": 105}
NOTHING = "No model that has learned its task is recorded yet."


def table(study: Study) -> pd.DataFrame:
    """Return task, variant, layer, count, distance, mean, low, high, seeds.

    `layer` is "all" (their mean) or a number from 1; `count` one of `COUNTS`.
    """
    parts = []
    for count in COUNTS:
        by_layer = over_seeds(study.distances, count, "layer", "distance")
        keys = [*IDENTITY, "distance"]
        pooled = study.distances.groupby(keys, sort=False)[count].mean().reset_index()
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
    """Draw shares by distance, a panel an encoding; buttons choose task, count and layer."""
    ours = table(study)
    if not len(ours):
        return Note(NOTHING)
    rows = [*_packed(ours), *_paper(study), *_even(study)]
    frame = pd.DataFrame(rows)
    tasks = [TASKS[name] for name in reversed(TASKS) if TASKS[name] in set(frame["task"])]
    numbers = sorted(set(ours["layer"]) - {ALL}, key=int)
    controls = (
        choice("far_task", *tasks, label="task"),
        menu("far_count", COUNTS, "share of"),
        choice("far_layer", ALL, *numbers, label="layer"),
    )
    names = list(study.variants)
    base = (
        alt.Chart()
        .transform_filter("datum.task == far_task")
        .transform_filter("datum.whose != 'ours' || datum.count == far_count")
        .transform_filter("datum.whose != 'ours' || datum.layer == far_layer")
        .transform_flatten(["distance", "mean", "low", "high"])
        .encode(alt.X("distance:Q").title("distance / length").axis(tickCount=3))
    )
    ours_only = base.transform_filter("datum.whose == 'ours'")
    others = base.transform_filter("datum.whose != 'ours'")
    y = alt.Y("mean:Q").title("share").scale(type="sqrt", domain=[0, 1], clamp=True)
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
    panels = layers.facet(alt.Facet("variant:N").title(None).sort(names), data=frame, columns=3)
    return Picture(
        panels.add_params(*controls).configure_legend(orient="top"),
        "Share of attention by distance from the query to the key, divided by the length so far, "
        "one panel an encoding, on lengths beyond training: ours with a 95 % interval over seeds, "
        "the published figure dashed, a head that looks at everything alike dotted. Controls "
        "choose the task, whether the most attended key counts or all attention, and the layer.",
        _numbers(study),
    )


def near_and_far(study: Study) -> pd.DataFrame:
    """Return one row an encoding with the shares near (below 0.075) and far (from 0.825).

    Ours are of addition, in the mean over seeds; the last row is a head without preference.
    """
    theirs = printed()
    rows: dict[str, dict[str, float]] = {}
    chosen = study.runs[study.runs["task"] == ADDITION]
    for name in study.variants:
        part = chosen[chosen["variant"] == name]
        bins = theirs[theirs["variant"] == name]["share"].tolist()
        rows[name] = {}
        for side, measure in (("near", distance.near), ("far", distance.far)):
            rows[name] |= {
                f"{side}: ours": part[side].mean(),
                f"{side}: published": measure(bins) if bins else float("nan"),
                f"{side}: ours, all attention": part[f"{side}_mass"].mean(),
            }
    even = chosen[["near_even", "far_even"]].mean()
    rows["a head without preference"] = {
        f"{side}: ours": even[f"{side}_even"] for side in ("near", "far")
    }
    return pd.DataFrame(rows).T.round(2)


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


def _packed(found: pd.DataFrame) -> list[dict[str, object]]:
    """Pack each curve into one row, which the chart unfolds."""
    keys = ["task", "variant", "layer", "count"]
    return [
        {
            **dict(zip(keys, values, strict=True)),
            "task": TASKS.get(str(values[0]), str(values[0])),
            "whose": "ours",
            **{name: short(part[name], 4) for name in ("distance", "mean", "low", "high")},
        }
        for values, part in found.groupby(keys, sort=False)
    ]


def _paper(study: Study) -> list[dict[str, object]]:
    return [
        _plain(TASKS[ADDITION], str(name), "published", part["distance"], part["share"])
        for name, part in printed().groupby("variant", sort=False)
        if name in study.variants
    ]


def _even(study: Study) -> list[dict[str, object]]:
    rows = study.distances.groupby(["task", "distance"], sort=False)["even"].mean().reset_index()
    return [
        _plain(TASKS.get(str(task), str(task)), name, "even head", part["distance"], part["even"])
        for task, part in rows.groupby("task", sort=False)
        for name in study.variants
    ]


def _plain(
    task: str, variant: str, whose: str, where: pd.Series, share: pd.Series
) -> dict[str, object]:
    values = short(share, 4)
    found: dict[str, object] = {"task": task, "variant": variant, "whose": whose}
    return found | {"distance": short(where, 2), "mean": values, "low": values, "high": values}


def _numbers(study: Study) -> pd.DataFrame:
    """Return the shares of the most attended key on addition, one column an encoding."""
    found = table(study)
    task = ADDITION if ADDITION in set(found["task"]) else found["task"].iloc[0]
    found = found[(found["task"] == task) & (found["layer"] == ALL)]
    found = found[found["count"] == "most_attended"]
    wide = found.pivot_table(index="distance", columns="variant", values="mean", sort=False)
    return wide.reset_index().rename_axis(columns=None)
