"""Where a scratchpad helps: the best format against the answer alone."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions.analysis.statistics import interval
from positions.book import charts
from positions.book.pictures.length.leads import COUNTS
from positions.book.pictures.length.names import encoding, listed, many
from positions.book.pictures.scratchpad import paper
from positions.book.pictures.scratchpad.results import OURS, THEIRS
from positions.book.pictures.scratchpad.study import Study
from positions.book.pictures.sliders import Picture
from positions.experiments.scratchpad.readings import choices
from positions.tasks.scratchpad import NONE

SHAPES = {OURS: "circle", THEIRS: "diamond"}


def table(study: Study) -> pd.DataFrame:
    """Return whose, task, variant, gain, low, high, seeds.

    `gain`: accuracy beyond the training lengths with the best scratchpad minus that without one.
    Of ours the format is chosen on the other seeds, with one seed on that one; of the published
    it is the best mean, as single runs are not published.
    """
    rows: list[tuple[object, ...]] = []
    found = choices(study.counted(), alone=True).dropna(subset=["none", "best"])
    for (task, variant), part in found.groupby(level=["task", "variant"], sort=False):
        gap = interval(part["best"] - part["none"])
        rows.append((OURS, task, variant, gap.mean, gap.low, gap.high, gap.n))
    theirs = paper.accuracy().pivot(index=["task", "variant"], columns="format", values="accuracy")
    gain = theirs.drop(columns=NONE).max(axis=1) - theirs[NONE]
    published = gain.rename("gain").reset_index().itertuples(index=False)
    rows += [(THEIRS, each.task, each.variant, each.gain, None, None, 3) for each in published]
    columns = ["whose", "task", "variant", "gain", "low", "high", "seeds"]
    every = pd.DataFrame(rows, columns=columns).astype({"low": float, "high": float})
    kept = every["task"].isin(list(study.tasks)) & every["variant"].isin(study.variants)
    place = list(study.tasks).index
    found = every[kept].sort_values("task", key=lambda names: names.map(place), kind="stable")
    return found.reset_index(drop=True)


def chart(study: Study) -> Picture:
    """Draw the gain of each encoding on each task, ours beside the published."""
    frame = table(study).round(4)
    whose = [name for name in SHAPES if name in set(frame["whose"])]
    shape = alt.Scale(domain=whose, range=[SHAPES[name] for name in whose])
    base = alt.Chart(frame).encode(
        alt.Y("task:N").sort(list(study.tasks)).title(None).axis(offset=8),
        alt.YOffset("variant:N").sort(list(study.variants)),
        alt.Color("variant:N")
        .scale(charts.scale(study.variants))
        .sort(list(study.variants))
        .title(None),
    )
    ranges = base.mark_rule(strokeWidth=3, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=70, opacity=1).encode(
        alt.X("gain:Q").title("exact match: best scratchpad minus none").axis(tickCount=6),
        alt.Shape("whose:N").scale(shape).sort(whose).title(None),
        tooltip=[
            "task:N",
            alt.Tooltip("variant:N", title="encoding"),
            "whose:N",
            alt.Tooltip("gain:Q", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "seeds:Q",
        ],
    )
    zero = alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=[3, 3])
    layers = [zero.encode(x=alt.datum(0)), *([ranges] if frame["low"].notna().any() else []), dots]
    height = alt.Step(16 + 9 * len(study.variants), **{"for": "position"})
    return Picture(
        alt.layer(*layers)
        .properties(width=430, height=height)
        .configure_legend(orient="top", columns=4, symbolOpacity=1, symbolFillColor="#858585"),
        "What the best scratchpad adds to the exact match beyond the training lengths, for each "
        "task and encoding: ours with a 95 % interval over seeds, and the published figures. Left "
        "of the dashed line it costs.",
        frame,
    )


def counts(study: Study) -> pd.DataFrame:
    """Return how many encodings the best scratchpad helps or costs what counts, a row a task."""
    every = table(study)
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for (whose, task), part in every.groupby(["whose", "task"], sort=False):
        more, less = int((part["gain"] >= COUNTS).sum()), int((part["gain"] <= -COUNTS).sum())
        for what, number in (("helps", more), ("costs", less)):
            cells.setdefault((str(whose), what), {})[str(task)] = f"{number} of {len(part)}"
    order = [name for name in study.tasks if name in set(every["task"])]
    return pd.DataFrame(cells).reindex(order).fillna("none")


def costs(study: Study, count: int = 3) -> str:
    """Say where the published scratchpads cost most."""
    rows = table(study)
    rows = rows[rows["whose"] == THEIRS].sort_values("gain").head(count)
    each = [
        f"{encoding(str(row.variant))} on `{row.task}` ({row.gain:.2f})"
        for row in rows.itertuples()
    ]
    return f"Published, it costs most: {listed(each)}."


def helped(study: Study) -> str:
    """Say in which tasks all encodings are helped, in our runs and as published."""
    every = table(study)
    parts = []
    for whose, title in ((OURS, "in our runs"), (THEIRS, "in the paper's")):
        rows = every[every["whose"] == whose]
        tasks = rows["task"].nunique()
        if not tasks:
            parts.append(f"{title} nothing can be compared yet")
            continue
        least = rows.groupby("task", sort=False)["gain"].min()
        names = [f"`{name}`" for name in least.index[least >= COUNTS]]
        whom = listed(names) if names else "no task"
        parts.append(f"{title} it helps all encodings on {whom} of {many(tasks, 'task')}")
    return f"By at least {COUNTS}: {'; '.join(parts)}."
