"""Which format ranks first, within each task and each encoding, beside the published ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from positions.analysis.ranking import Ranked, mean_reciprocal_rank, reciprocal_ranks
from positions.book.pictures.length.names import encoding, listed, many
from positions.book.pictures.scratchpad import paper
from positions.book.pictures.scratchpad.study import Study
from positions.book.pictures.sliders import Picture, menu
from positions.claims.length_readings import at_chance
from positions.experiments.length_generalization.readings import PAPER_VARIANTS
from positions.experiments.scratchpad.readings import MERGING, label, merged, order, ranks
from positions.tasks.scratchpad import NONE

OURS, PRINTED, SAME = "ours", "published", "published means, same formats"
SHAPES = {OURS: "circle", PRINTED: "diamond", SAME: "triangle"}
COLOUR = "#0797ff"


def table(study: Study) -> pd.DataFrame:
    """Return within, format, figure, mean, low, high, queries.

    `within`: a task, whose queries are encodings with seeds, or an encoding, whose queries are
    those tasks with seeds that have all formats, as in the paper's figure. Intervals are 95 %
    bootstraps over encodings, or over tasks. Where ours lack formats, those that are there are
    ranked, and the published means of the same formats beside them.
    """
    counted = merged(study.counted())
    theirs = paper.accuracy()
    theirs = theirs[theirs["task"].isin(list(study.tasks)) & theirs["variant"].isin(study.variants)]
    parts = []
    for name in (*study.tasks, *study.variants):
        column = "task" if name in study.tasks else "variant"
        ours, here = _of(counted, column, name), _of(theirs, column, name)
        found = _ranked(ours, column, whole=True)
        if found is None:
            found = _ranked(ours, column, whole=False)
            if found is not None:
                same = here[here["format"].isin(set(found["format"]))]
                beside = _ranked(same, column, whole=False)
                parts += [] if beside is None else [beside.assign(within=name, figure=SAME)]
        parts += [] if found is None else [found.assign(within=name, figure=OURS)]
    kept = {*study.tasks, *study.variants}
    printed = paper.ranks()
    parts.append(printed[printed["within"].isin(kept)].assign(figure=PRINTED))
    columns = ["within", "format", "figure", "mean", "low", "high", "queries"]
    return pd.concat(parts, ignore_index=True).reindex(columns=columns)


def chart(study: Study) -> Picture:
    """Draw the ranks of the formats; a menu chooses the task or the encoding."""
    frame = table(study).round(4)
    forms = [label(name) for name in order(frame["format"])]
    frame["format"] = frame["format"].map(label)
    ours = frame[frame["figure"] == OURS]["within"]
    names = dict.fromkeys([*ours, *study.tasks, *study.variants])
    titles = {
        name: encoding(name) if name in study.variants else name
        for name in names
        if name in set(frame["within"])
    }
    figures = [name for name in SHAPES if name in set(frame["figure"])]
    shape = alt.Scale(domain=figures, range=[SHAPES[name] for name in figures])
    pick = menu("ranks_within", titles, "ranked within")
    base = (
        alt.Chart(frame)
        .transform_filter("datum.within == ranks_within")
        .encode(
            alt.Y("format:N").sort(forms).title(None).axis(offset=8),
            alt.YOffset("figure:N").sort(figures),
            color=alt.value(COLOUR),
        )
    )
    ranges = base.mark_rule(strokeWidth=3, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        alt.X("mean:Q")
        .scale(domain=[0, 1])
        .title("mean reciprocal rank (1: always first)")
        .axis(tickCount=5),
        alt.Shape("figure:N").scale(shape).sort(figures).title(None),
        tooltip=[
            "format:N",
            "figure:N",
            alt.Tooltip("mean:Q", title="mean reciprocal rank", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "queries:Q",
        ],
    )
    return Picture(
        (ranges + dots)
        .properties(width=360, height=alt.Step(28, **{"for": "position"}))
        .add_params(pick)
        .configure_legend(
            orient="top", columns=2, symbolOpacity=1, symbolFillColor=COLOUR, labelLimit=260
        ),
        "Mean reciprocal rank of each format of the scratchpad within one task or one encoding, "
        "chosen by a menu: ours with a 95 % interval, and the published figures.",
        frame,
    )


def by_task(study: Study) -> pd.DataFrame:
    """Return one row a task: what ranks first, no scratchpad among it, ours and published."""
    return _firsts(table(study), study.tasks)


def by_encoding(study: Study) -> pd.DataFrame:
    """Return one row an encoding: the scratchpad that ranks first, in our runs and published."""
    every = table(study)
    return _firsts(every[every["format"] != NONE], study.variants)


def encodings(study: Study) -> pd.DataFrame:
    """Return one row an encoding: its mean reciprocal rank over all tasks and formats.

    A query is a task in one format with one seed. Beside it the published figures, of all formats
    and of the answer alone.
    """
    columns = {
        "ours, all formats": _over_formats(study),
        "published, all formats": paper.encodings(paper.POOLED),
        "published, no scratchpad": paper.encodings(paper.ALONE),
    }
    names = [name for name in study.variants if name in columns["published, all formats"]]
    return pd.DataFrame(
        {
            title: {name: f"{found[name]:.2f}" if name in found else "none" for name in names}
            for title, found in columns.items()
        },
        index=names,
    )


def compared(study: Study) -> str:
    """Say how many queries of ours the encodings are ranked over."""
    queries = _queries(study)
    if queries is None:
        return "Ours cannot be ranked yet: that takes runs of all five encodings in one format."
    return f"Ours: {many(len(queries.table), 'query')}; the paper's: 173 and 51."


def _firsts(every: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return what ranks first within each of these, a column a figure."""
    rows: dict[str, dict[str, str]] = {name: {} for name in names}
    for (within, figure), part in every.groupby(["within", "figure"], sort=False):
        if within in rows:
            best = _first(part)
            rows[str(within)][str(figure)] = f"{label(best['format'])} {best['mean']:.2f}"
    found = pd.DataFrame(rows).T.reindex(list(names))
    return found[[name for name in SHAPES if name in found]].fillna("none")


def _first(part: pd.DataFrame) -> dict[str, Any]:
    """Return the row that ranks first."""
    first = part.sort_values("mean", ascending=False).iloc[0]
    return {"format": str(first["format"]), "mean": float(first["mean"])}


def _of(table: pd.DataFrame, column: str, name: str) -> pd.DataFrame:
    """Return the rows of a task, or of an encoding on the tasks that have all formats."""
    rows = table[table[column] == name]
    return rows[~rows["task"].isin(MERGING)] if column == "variant" else rows


def _ranked(rows: pd.DataFrame, column: str, whole: bool) -> pd.DataFrame | None:
    """Return format, mean, low, high, queries; None where nothing can be ranked."""
    every = ranks(rows, whole)
    other = "variant" if column == "task" else "task"
    found = every.droplevel(column).dropna(axis=1, how="all").dropna()
    if not len(found):
        return None
    ranked = Ranked(found.rename_axis(index={other: "task"}), [])
    return mean_reciprocal_rank(ranked).rename(columns={"variant": "format"})


def _queries(study: Study) -> Ranked | None:
    """Rank the encodings in each task, format and seed where all five have learned it.

    Where none is beyond chance in a task and format, nobody is ranked.
    """
    counted = study.counted()
    if not set(counted["variant"]).issuperset(PAPER_VARIANTS):
        return None
    counted = counted.assign(task=counted["task"] + ", " + counted["format"])
    ranked = reciprocal_ranks(counted, PAPER_VARIANTS, ties="mean")
    beyond = ranked.table.drop(at_chance(counted, PAPER_VARIANTS), level="task")
    return Ranked(beyond, ranked.dropped) if len(beyond) else None


def _over_formats(study: Study) -> dict[str, float]:
    ranked = _queries(study)
    return {} if ranked is None else {str(k): float(v) for k, v in ranked.table.mean().items()}


def first(study: Study) -> str:
    """Name the scratchpads that rank first, and for how many encodings each does."""
    found = by_encoding(study)
    parts = []
    for figure in found:
        names = found[figure][found[figure] != "none"].str.rpartition(" ")[0]
        if len(names):
            counts = names.value_counts()
            each = listed(f"{name} for {count}" for name, count in counts.items())
            parts.append(f"{figure}: {each}")
    return f"The scratchpad that ranks first, by number of encodings: {'; '.join(parts)}."
