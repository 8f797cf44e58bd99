"""What an encoding's options decide: the sinusoid's size, how much of a head Rotary turns."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions.analysis.statistics import interval, paired_difference
from positions.book import charts
from positions.book.pictures.length.leads import COUNTS
from positions.book.pictures.length.names import capital, encoding, listed, many, span, tasks
from positions.book.pictures.length.study import Study
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture

SHAPES = ("circle", "square", "triangle", "diamond", "cross")
SINUSOID, WHOLE, QUARTER = "sinusoidal", "rotary, whole", "rotary"


def amplitudes(study: Study) -> list[str]:
    """Return the sinusoids that are recorded, and NoPE beside them, where there are several."""
    found = [name for name in study.runs["variant"].unique() if name.startswith("sinusoidal")]
    if len(found) < 2:
        return []
    return [*(["nope"] if "nope" in study.variants else []), *found]


def rotaries(study: Study) -> list[str]:
    """Return both ways to rotate, where both are recorded."""
    here = set(study.runs["variant"])
    return [QUARTER, WHOLE] if {QUARTER, WHOLE} <= here else []


def table(study: Study, variants: Sequence[str]) -> pd.DataFrame:
    """Return task, variant, mean, low, high, iid, seeds on the tasks that all variants have."""
    runs = study.of(*variants).dropna(subset="accuracy")
    rows = []
    for name, part in runs.groupby("task", sort=False):
        if set(part["variant"]) == set(variants):
            for variant in variants:
                its = part[part["variant"] == variant]
                found = interval(its["accuracy"])
                rows.append(
                    {"task": name, "variant": variant, "mean": found.mean}
                    | {"low": found.low, "high": found.high}
                    | {"iid": its["iid"].mean(), "seeds": found.n}
                )
    columns = ["task", "variant", "mean", "low", "high", "iid", "seeds"]
    return pd.DataFrame(rows, columns=columns)


def chart(study: Study, variants: Sequence[str]) -> Picture | Note:
    """Draw the exact match beyond the training lengths of these variants, task by task."""
    frame = table(study, variants)
    if not len(frame):
        return Note("No task has recorded runs with several settings of this option.")
    shape = alt.Scale(domain=list(variants), range=[*SHAPES][: len(variants)])
    base = alt.Chart(frame).encode(
        alt.Y("task:N").sort(list(study.tasks)).title(None).axis(offset=8),
        alt.Color("variant:N").scale(charts.scale(variants)).sort(list(variants)).title(None),
        alt.YOffset("variant:N").sort(list(variants)),
    )
    ranges = base.mark_rule(strokeWidth=3, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        alt.X("mean:Q").title("exact match beyond the training lengths").scale(domain=[0, 1]),
        alt.Shape("variant:N").scale(shape).sort(list(variants)).title(None),
        tooltip=[
            "task:N",
            alt.Tooltip("variant:N", title="encoding"),
            alt.Tooltip("mean:Q", title="exact match beyond", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            alt.Tooltip("iid:Q", title="within", format=".3f"),
            "seeds:Q",
        ],
    )
    height = alt.Step(14 + 10 * len(variants), **{"for": "position"})
    return Picture(
        (ranges + dots)
        .properties(width=430, height=height)
        .configure_legend(orient="top", columns=2, labelLimit=260, symbolOpacity=1),
        f"Exact match beyond the training lengths for each task with {', '.join(variants)}: mean "
        "over seeds and 95 % interval.",
        frame,
    )


def of_sinusoids(study: Study) -> str:
    """Say what the sinusoid's size does on the tasks where several are recorded."""
    found = table(study, amplitudes(study)) if amplitudes(study) else pd.DataFrame()
    if not len(found):
        return "Among these runs no task has several sizes of the sinusoid."
    parts = []
    for name, part in found.groupby("task", sort=False):
        each = listed(
            f"{encoding(variant)} ({mean:.2f})"
            for variant, mean in zip(part["variant"], part["mean"], strict=True)
        )
        parts.append(f"On `{name}`, beyond the training lengths: {each}.")
    wide = found.pivot(index="task", columns="variant", values="mean")
    for name in wide.columns.drop(["nope", SINUSOID], errors="ignore"):
        if SINUSOID in wide:
            gap = wide[name] - wide[SINUSOID]
            more, less = int((gap >= COUNTS).sum()), int((gap <= -COUNTS).sum())
            parts.append(
                f"{capital(encoding(name))} goes further than that of size 1 on "
                f"{many(more, 'task')} of {len(gap)}, less far on {less}."
            )
    return " ".join(parts)


def of_rotaries(study: Study) -> str:
    """Say on which tasks the part of each head that turns makes a difference."""
    if not rotaries(study):
        return "Among these runs Rotary is not there in both ways."
    runs = study.of(*rotaries(study))
    runs = runs.assign(accuracy=runs["accuracy"].where(runs["learned"]))
    wide = runs.pivot(index=["task", "seed"], columns="variant", values="accuracy").dropna()
    if not len(wide):
        return "On no task have both learned it yet."
    means = wide.groupby(level="task", sort=False).mean()
    gap = paired_difference(means[QUARTER], means[WHOLE])
    said = (
        f"Over {many(gap.n, 'task')} that both have learned, a quarter of the head solves "
        f"{means[QUARTER].mean():.2f} beyond the training lengths and the whole head "
        f"{means[WHOLE].mean():.2f}"
    )
    if gap.n < 2:
        return f"{said}."
    sure = "surely" if gap.low > 0 or gap.high < 0 else "not surely"
    apart = (means[QUARTER] - means[WHOLE]).abs()
    far = list(apart[apart >= COUNTS].index)
    return (
        f"{said}: {sure} a difference ({gap.mean:.2f}, {span(gap.low, gap.high)} over "
        f"tasks). By {COUNTS} or more they differ on: {tasks(far)}."
    )
