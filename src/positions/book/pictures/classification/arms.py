"""What changes when one thing of the procedure does: the read-out, the freedom, the preparation."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions.analysis.statistics import paired_difference
from positions.book.pictures.classification.study import (
    MEAN,
    NOTHING,
    Study,
    over_seeds,
    title,
    titles,
)
from positions.book.pictures.length.names import listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, menu
from positions.experiments.classification.readings import PAPER
from positions.experiments.classification.start import MADE_HERE

CHANGES = ("#0797ff", "#f85e13", "#919a06", "#a781e1", "#858585")
"""One colour an arm; the book's colours of tables stay with tables."""


def table(study: Study, arms: Sequence[str]) -> pd.DataFrame:
    """Return task, table, arm, mean, low, high, seeds in percent, of tables run in several arms."""
    found = over_seeds(study.of(PAPER, *arms), "accuracy", "table", "arm")
    several = found.groupby("table")["arm"].nunique()
    return found[found["table"].isin(several[several > 1].index)].reset_index(drop=True)


def chart(study: Study, arms: Sequence[str], name: str) -> Picture | Note:
    """Draw accuracy by table and arm; a menu, called `name`, chooses the set."""
    found = table(study, arms)
    if not len(found):
        return Note("No runs with and without this change are recorded yet.")
    frame = found.assign(
        set=titles(found["task"]), label=[title(each) for each in found["table"]]
    ).round(3)
    order = [each for each in titles([MEAN, *study.sets]) if each in set(frame["set"])]
    chosen = menu(name, {each: each for each in order}, "set")
    kinds = [each for each in (PAPER, *arms) if each in set(frame["arm"])]
    colour = alt.Scale(domain=kinds, range=list(CHANGES[: len(kinds)]))
    tables = [title(each) for each in study.tables if each in set(frame["table"])]
    base = (
        alt.Chart(frame)
        .transform_filter(f"datum.set == {name}")
        .encode(
            alt.Y("label:N").sort(tables).title(None).axis(offset=8),
            alt.YOffset("arm:N").sort(kinds),
            alt.Color("arm:N").scale(colour).sort(kinds).title(None),
        )
    )
    ranges = base.mark_rule(strokeWidth=4, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=70, opacity=1).encode(
        alt.X("mean:Q").title("accuracy on unseen texts, percent").scale(zero=False),
        tooltip=[
            alt.Tooltip("label:N", title="table"),
            alt.Tooltip("arm:N"),
            alt.Tooltip("mean:Q", title="percent", format=".1f"),
            alt.Tooltip("low:Q", title="from", format=".1f"),
            alt.Tooltip("high:Q", title="to", format=".1f"),
            "seeds:Q",
        ],
    )
    return Picture(
        (ranges + dots)
        .properties(width=420, height=alt.Step(10 + 11 * len(kinds), **{"for": "position"}))
        .add_params(chosen)
        .configure_legend(orient="top", columns=2, labelLimit=260, symbolOpacity=1),
        f"Accuracy by position table, {listed(kinds)}: mean over seeds and 95 % interval. A menu "
        "chooses the set of sentences, at first the mean of all.",
        frame[["set", "label", "arm", "mean", "low", "high", "seeds"]].rename(
            columns={"label": "table"}
        ),
    )


def ranking(study: Study, arms: Sequence[str]) -> str:
    """Say in which order each arm puts the tables, in the mean over the sets."""
    found = table(study, arms)
    found = found[found["task"] == MEAN].sort_values("mean", ascending=False, kind="stable")
    parts = []
    for arm in (PAPER, *arms):
        own = found[found["arm"] == arm]
        if len(own) > 1:
            spelt = ", ".join(
                f"{title(name)} {mean:.1f}"
                for name, mean in zip(own["table"], own["mean"], strict=True)
            )
            parts.append(f"*{arm}*: {spelt}")
    return f"From the best to the worst. {'. '.join(parts)}." if parts else NOTHING


def unstable(study: Study) -> str:
    """Say how many answers depend on the batch."""
    runs = study.of(PAPER).dropna(subset="unstable")
    if not len(runs):
        return NOTHING
    shares = 100 * runs.groupby("task")["unstable"].mean()
    spelt = listed(
        f"{name} {shares[task]:.1f}"
        for task, name in zip(study.sets, titles(study.sets), strict=True)
        if task in shares
    )
    return (
        "Dealt out to other batches, the same model gives so many of the same texts another "
        f"answer, in percent: {spelt}."
    )


def kept(study: Study) -> pd.DataFrame:
    """Return a row a table: how like its start it is after training, and how far it moved.

    Over the rows that half of the training texts reach, in the mean over sets and seeds.
    """
    runs = study.of(PAPER)
    rows = {}
    for name in study.tables:
        own = runs[runs["table"] == name].dropna(subset=["kept", "changed"])
        if len(own):
            rows[title(name)] = {
                "correlation with its start": f"{own['kept'].mean():.3f}",
                "least": f"{own['kept'].min():.3f}",
                "moved, share of its size": f"{own['changed'].mean():.2f}",
                "runs": len(own),
            }
    columns = ["correlation with its start", "least", "moved, share of its size", "runs"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def freed(study: Study, arm: str) -> str:
    """Say what training the table gains over leaving it, paired by set and seed."""
    runs = study.of(PAPER, arm)
    parts = []
    for name in study.tables:
        wide = runs[runs["table"] == name].pivot_table(
            index=["task", "seed"], columns="arm", values="accuracy"
        )
        both = wide.reindex(columns=[PAPER, arm]).dropna()
        if len(both) > 1 and name not in MADE_HERE[1:]:
            gap = paired_difference(100 * both[PAPER], 100 * both[arm])
            parts.append(f"{title(name)} {gap.mean:+.1f} ({gap.low:+.1f} to {gap.high:+.1f})")
    if not parts:
        return NOTHING
    return f"A trained table beside a frozen one, in percentage points: {'; '.join(parts)}."
