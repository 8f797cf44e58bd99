"""How well each table does on each set, as the paper reports it and as it should be read."""

from __future__ import annotations

import altair as alt
import pandas as pd

from positions import published
from positions.analysis.statistics import interval
from positions.book.pictures.classification.study import (
    MEAN,
    NOTHING,
    Study,
    over_seeds,
    title,
    titles,
)
from positions.book.pictures.labels import label
from positions.book.pictures.labels import scale as colours
from positions.book.pictures.length.names import listed
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture, choice
from positions.experiments.classification.readings import PAPER
from positions.tasks.sentences import SETS
from positions.words import many

HOW = {"reported": "as reported", "accuracy": "on unseen texts"}
WIDTH = 190


def printed() -> pd.DataFrame:
    """Return task, table, published (percent) of the cells of Table 3 that are at hand."""
    rows = published.load("position-embeddings/classification").dropna(subset="value")
    kept = rows[["task", "encoding", "value"]].reset_index(drop=True)
    return kept.rename(columns={"encoding": "table", "value": "published"})


def table(study: Study) -> pd.DataFrame:
    """Return task, table, how, mean, low, high, seeds, published, in percent: the paper's arm."""
    runs = study.of(PAPER)
    parts = [over_seeds(runs, score, "table").assign(how=how) for score, how in HOW.items()]
    found = pd.concat(parts, ignore_index=True)
    return found.merge(printed().assign(how=HOW["reported"]), "left", ["task", "table", "how"])


def chart(study: Study) -> Picture | Note:
    """Draw accuracy by table, a panel a set; buttons choose how it is read."""
    frame = table(study)
    if not len(frame):
        return Note(NOTHING)
    order = titles([*study.sets, MEAN])
    frame["set"] = titles(frame["task"])
    frame["label"] = [title(name) for name in frame["table"]]
    long = _long(frame).round(3)
    how = choice("scores_how", *HOW.values(), label="accuracy")
    names = [title(name) for name in study.tables]
    base = (
        alt.Chart()
        .transform_filter("datum.how == scores_how")
        .encode(alt.Y("label:N").sort(names).title(None).axis(labelFontSize=12, offset=6))
    )
    x = alt.X("value:Q").title(None).scale(zero=False).axis(tickCount=4, labelFontSize=11)
    rule = base.transform_filter("datum.figure == 'ours'").mark_rule(strokeWidth=4, opacity=0.4)
    dots = base.mark_point(size=55, opacity=1).encode(
        x,
        alt.Color("label:N").scale(colours(study.tables)).legend(None),
        alt.Shape("figure:N").scale(domain=["ours", "published"], range=["circle", "diamond"]),
        tooltip=[
            alt.Tooltip("set:N"),
            alt.Tooltip("label:N", title="table"),
            alt.Tooltip("figure:N"),
            alt.Tooltip("value:Q", title="percent", format=".1f"),
            alt.Tooltip("low:Q", title="from", format=".1f"),
            alt.Tooltip("high:Q", title="to", format=".1f"),
            "seeds:Q",
        ],
    )
    rule = rule.encode(
        x="low:Q", x2="high:Q", color=alt.Color("label:N").scale(colours(study.tables)).legend(None)
    )
    header = alt.Header(labelFontSize=13, labelPadding=2)
    layers = alt.layer(rule, dots).properties(width=WIDTH, height=alt.Step(15))
    panels = (
        layers.facet(
            alt.Facet("set:N").title(None).header(header).sort(order),
            data=long,
            columns=2,
            spacing={"row": 10, "column": 14},
        )
        .resolve_scale(x="independent")
        .add_params(how)
        .configure_legend(orient="top", symbolFillColor="#858585", title=None)
    )
    return Picture(
        panels,
        "Accuracy in percent by position table, a panel for each set of sentences and one for "
        "their mean: mean over seeds, 95 % interval, and the published figure where it is at hand.",
        _numbers(frame, study),
    )


def cells(study: Study) -> pd.DataFrame:
    """Return a row a table and a column a set: mean accuracy as reported, with half its interval.

    A published row follows a table's own where any of its cells is at hand.
    """
    found = table(study)
    found = found[found["how"] == HOW["reported"]]
    rows: dict[str, dict[str, str]] = {}
    for name in study.tables:
        own = found[found["table"] == name]
        if len(own):
            rows[title(name)] = {SETS[t].title if t in SETS else t: _cell(r) for t, r in _rows(own)}
    for key, part in printed().groupby("table", sort=False):
        known = dict(zip(titles(part["task"]), part["published"], strict=True))
        rows[f"{label(str(key))}, published"] = {k: f"{v:.1f}" for k, v in known.items()}
    columns = titles([*study.sets, MEAN])
    if not rows:
        return pd.DataFrame(columns=columns)
    wide = pd.DataFrame.from_dict(rows, orient="index")
    more = [name for name in wide if name not in columns]
    order = sorted(wide.index, key=lambda name: _place(name, study))
    return wide.reindex(order)[
        [name for name in (*columns[:-1], *more, MEAN) if name in wide]
    ].fillna("")


def said(study: Study) -> str:
    """Say which tables do best and worst in the mean over the sets, and what lies between."""
    found = over_seeds(study.of(PAPER), "accuracy", "table")
    found = found[found["task"] == MEAN].sort_values("mean", ascending=False, kind="stable")
    if len(found) < 2:
        return NOTHING
    spelt = listed(
        f"{title(name)} {mean:.1f}"
        for name, mean in zip(found["table"], found["mean"], strict=True)
    )
    gap = found["mean"].iloc[0] - found["mean"].iloc[-1]
    return (
        f"On texts that had no say in anything, in the mean of {many(len(study.sets), 'set')} and "
        f"in percent: {spelt}. From the first to the last it is {gap:.1f} percentage points."
    )


def optimism(study: Study) -> pd.DataFrame:
    """Return a row a set without a test part: by how much the reported score is above the honest.

    In percentage points, over all tables and seeds of the paper's arm.
    """
    runs = study.of(PAPER)
    rows = {}
    for name in study.sets:
        if SETS[name].test is None:
            part = runs[runs["task"] == name].dropna(subset=["reported", "accuracy"])
            gap = interval(100 * (part["reported"] - part["accuracy"]))
            rows[SETS[name].title] = {
                "as reported": f"{100 * part['reported'].mean():.1f}",
                "on unseen texts": f"{100 * part['accuracy'].mean():.1f}",
                "difference": _span(gap.mean, gap.low, gap.high),
                "runs": gap.n,
            }
    columns = ["as reported", "on unseen texts", "difference", "runs"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _rows(part: pd.DataFrame) -> list[tuple[str, pd.Series]]:
    return [(str(row["task"]), row) for _, row in part.iterrows()]


def _cell(row: pd.Series) -> str:
    if row["seeds"] == 1:
        return f"{row['mean']:.1f}"
    return f"{row['mean']:.1f} ± {(row['high'] - row['low']) / 2:.1f}"


def _place(name: str, study: Study) -> tuple[int, bool]:
    """Place a row of `cells`: a published one behind its table, those without one last."""
    own = name.removesuffix(", published")
    names = [title(table) for table in study.tables]
    return (names.index(own) if own in names else len(names)), own != name


def _span(mean: float, low: float, high: float) -> str:
    if pd.isna(low):
        return f"{mean:+.1f}"
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"


def _long(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each figure that is drawn: ours, and the published one."""
    ours = frame.assign(figure="ours", value=frame["mean"])
    theirs = frame.dropna(subset="published")
    theirs = theirs.assign(figure="published", value=theirs["published"], low=None, high=None)
    both = pd.concat([ours, theirs]) if len(theirs) else ours
    numbers = both[["value", "low", "high"]].astype(float)
    return pd.concat([both[["set", "label", "how", "figure", "seeds"]], numbers], axis=1)


def _numbers(frame: pd.DataFrame, study: Study) -> pd.DataFrame:
    kept = ["set", "label", "how", "mean", "low", "high", "seeds", "published"]
    return frame[kept].rename(columns={"label": "table", "how": "accuracy"})
