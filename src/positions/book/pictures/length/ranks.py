"""Mean reciprocal ranks, ours beside the published ones, over all tasks or by group."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from positions import published
from positions.analysis.ranking import Ranked, mean_reciprocal_rank, reciprocal_ranks
from positions.analysis.statistics import paired_difference
from positions.book import charts
from positions.book.pictures.length import paper
from positions.book.pictures.length.names import capital, encoding, listed, many, span
from positions.book.pictures.length.study import Study, unranked
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.claims.length_readings import at_chance
from positions.experiments.length_generalization.readings import GROUPS, PAPER_VARIANTS

ALL = "all tasks"
OURS, PRINTED, SAME = "ours", "published", "published, same tasks"
SHAPES = {OURS: "circle", PRINTED: "diamond", SAME: "triangle"}
_PRINTED = {
    ALL: "overall_no_scratchpad_51_queries",
    "primitive": "category:Primitive Tasks",
    "mathematical": "category:Mathematical & Reasoning",
    "classic": "category:Classic Len. Gen. Datasets",
}


def rank(runs: pd.DataFrame, variants: Sequence[str], learned: bool = True) -> Ranked | None:
    """Rank encodings in each query (task, seed) that all have a run of; None where there is none.

    A run that has not learned its task counts as one that isn't there, unless `learned` is False.
    Tasks on which nobody is beyond chance are not ranked. Equal scores share their mean rank.
    """
    if learned:
        runs = runs.assign(accuracy=runs["accuracy"].where(runs["learned"]))
    if len(variants) < 2 or not set(runs["variant"]).issuperset(variants):
        return None
    ranked = reciprocal_ranks(runs, variants, ties="mean")
    beyond = ranked.table.drop(at_chance(runs, variants), level="task")
    return Ranked(beyond, ranked.dropped) if len(beyond) else None


def table(study: Study) -> pd.DataFrame:
    """Return group, variant, figure, mean, low, high, queries: ours and the published ranks.

    Groups are those of the paper and all tasks together. Intervals are 95 % bootstraps over
    tasks. Where not all tasks of a group are ranked, the published ranks stand there twice: as
    printed, and computed anew from the published accuracies on the tasks that are.
    """
    variants = study.paper()
    parts = []
    for group in (ALL, *dict.fromkeys(GROUPS.values())):
        runs = study.of(*variants)
        ours = rank(runs if group == ALL else runs[runs["group"] == group], variants)
        if ours is not None:
            parts.append(mean_reciprocal_rank(ours).assign(group=group, figure=OURS))
        theirs = _printed(group) if variants == list(PAPER_VARIANTS) else None
        if theirs is not None:
            parts.append(theirs.assign(group=group, figure=PRINTED))
        ranked = [] if ours is None else list(ours.table.index.unique("task"))
        if ranked and (theirs is None or set(ranked) != set(_members(group))):
            same = rank(paper.scores(ranked).assign(learned=True), variants)
            if same is not None:
                known = mean_reciprocal_rank(same)[["variant", "mean", "queries"]]
                parts.append(known.assign(group=group, figure=SAME))
    columns = ["group", "variant", "figure", "mean", "low", "high", "queries"]
    return (pd.concat(parts) if parts else pd.DataFrame()).reindex(columns=columns)


def chart(study: Study, groups: bool = False) -> Picture | Note:
    """Draw the ranks over all tasks, or for each group of tasks."""
    frame = table(study)
    frame = frame[(frame["group"] != ALL) if groups else (frame["group"] == ALL)]
    variants = study.paper()
    if not len(frame):
        takes = "To rank encodings it takes two of the paper's five, with runs of both."
        return Note(unranked(study, variants) or takes)
    figures = [name for name in SHAPES if name in set(frame["figure"])]
    shape = alt.Scale(domain=figures, range=[SHAPES[name] for name in figures])
    base = alt.Chart(frame).encode(
        alt.Y("variant:N").sort(variants).title(None).axis(offset=8),
        alt.Color("variant:N").scale(charts.scale(variants)).legend(None),
        alt.YOffset("figure:N").sort(figures),
    )
    title = "mean reciprocal rank" if groups else "mean reciprocal rank (1: always first)"
    value = alt.X("mean:Q").scale(domain=[0, 1]).title(title).axis(tickCount=5)
    ranges = base.mark_rule(strokeWidth=3, opacity=0.45).encode(x="low:Q", x2="high:Q")
    dots = base.mark_point(size=80, opacity=1).encode(
        value,
        alt.Shape("figure:N").scale(shape).sort(figures).title(None),
        tooltip=[
            alt.Tooltip("variant:N", title="encoding"),
            "figure:N",
            alt.Tooltip("mean:Q", title="mean reciprocal rank", format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
            "queries:Q",
        ],
    )
    drawn = (ranges + dots).properties(
        width=142 if groups else 470, height=alt.Step(32, **{"for": "position"})
    )
    if groups:
        order = list(dict.fromkeys(frame["group"]))
        facet = alt.Facet("group:N").sort(order).title(None).header(labelAnchor="start")
        drawn = drawn.facet(facet, columns=3)
    return Picture(
        drawn.configure_legend(orient="top", symbolOpacity=1, symbolFillColor="#858585"),
        f"Mean reciprocal rank of {len(variants)} encodings"
        f"{', by group of tasks' if groups else ''}: {_shown(figures)}.",
        frame.drop(columns=[] if groups else "group").reset_index(drop=True),
    )


def _shown(figures: Sequence[str]) -> str:
    """Say which figures a chart holds."""
    told = {
        OURS: "ours with 95 % intervals over tasks",
        PRINTED: "the published figures as printed",
        SAME: "the published figures on the tasks ranked here",
    }
    return listed(told[name] for name in figures)


def headline(study: Study) -> str:
    """Say who ranks first, by how much, and whether the paper found the same: a Markdown list."""
    variants = study.paper()
    ours = rank(study.of(*variants), variants)
    every = table(study)
    every = every[every["group"] == ALL]
    if ours is None:
        theirs = _spelt(every[every["figure"] == PRINTED])
        said = nothing(study)
        return said if theirs == "none" else f"{said} Published: {theirs}."
    found = every[every["figure"] == OURS]
    first, second = found["variant"].iloc[:2]
    tasks, seeds = (ours.table.index.unique(level) for level in ("task", "seed"))
    over = f"{many(len(ours.table), 'query')}, {many(len(tasks), 'task')}"
    lines = [
        f"**Ours** ({over}, {many(len(seeds), 'seed')}): {_spelt(found)}."
        f"{' In brackets are 95 % intervals over tasks.' if len(tasks) > 1 else ''}",
        *_compared(every),
        _lead(first, second, ours),
        _dropped(study, ours, first),
        unranked(study, variants),
    ]
    return "\n".join(f"- {line}" for line in lines if line)


def nothing(study: Study) -> str:
    """Say why nothing can be ranked."""
    variants = study.paper()
    if len(variants) < 2:
        return "Nothing is ranked: that takes two of the paper's five encodings."
    return f"Nothing of ours can be ranked yet. {unranked(study, variants)}".rstrip()


def leader(study: Study) -> str:
    """Say in short who ranks first, by how much, and whether it is so in the paper."""
    variants = study.paper()
    ours = rank(study.of(*variants), variants)
    if ours is None:
        return nothing(study)
    every = table(study)
    every = every[every["group"] == ALL]
    first, second = _order(every, OURS)[:2]
    theirs = _order(every, PRINTED) or _order(every, SAME)
    if not theirs:
        where = "Of all encodings, "
    else:
        where = "As in the paper, " if theirs[0] == first else "Other than in the paper, "
    return f"{where}{encoding(first)} ranks first. {_lead(first, second, ours)}"


def by_group(study: Study) -> str:
    """Say which two encodings lead each group of tasks, in our runs and in the paper's."""
    every = table(study)
    sentences = []
    for group, part in every[every["group"] != ALL].groupby("group", sort=False):
        ours, theirs = _order(part, OURS), _order(part, PRINTED) or _order(part, SAME)
        if not ours:
            why = unranked(study, study.paper(), _members(str(group)))
            sentences.append(f"Of the {group} tasks nothing can be ranked. {why}".rstrip())
            continue
        queries = part[part["figure"] == OURS]["queries"].iloc[0]
        said = f"On the {group} tasks ({many(queries, 'query')}) {encoding(ours[0])} leads, then "
        said += encoding(ours[1])
        if theirs:
            same = ours[:2] == theirs[:2]
            pair = f"{encoding(theirs[0])}, then {encoding(theirs[1])}"
            said += ", as published" if same else f"; published: {pair}"
        sentences.append(f"{said}.")
    return " ".join(sentences) or nothing(study)


def _lead(first: str, second: str, ranked: Ranked) -> str:
    """Say by how much the first leads the second in the mean over tasks, as claims are judged."""
    means = ranked.table.groupby(level="task").mean()
    gap = paired_difference(means[first], means[second])
    said = f"{capital(encoding(first))} leads {encoding(second)} by {gap.mean:.2f}"
    if gap.n == 1:
        return f"{said}, on one task."
    said += f"; over tasks the interval, {span(gap.low, gap.high)},"
    if gap.low > 0:
        return f"{said} leaves zero out."
    return f"{said} holds zero: on other tasks of this kind the two could change places."


def _compared(every: pd.DataFrame) -> list[str]:
    """Say what is published, as printed and on the tasks ranked, and whether our order is that."""
    ours, lines = _order(every, OURS), []
    for figure, title in ((PRINTED, "Published"), (SAME, "Published, on the same tasks")):
        theirs = _order(every, figure)
        if theirs:
            spelt = _spelt(every[every["figure"] == figure])
            told = "The order is the same." if theirs == ours else "The order is another."
            lines.append(f"**{title}**: {spelt}. {told}")
    return lines


def _dropped(study: Study, ours: Ranked, first: str) -> str:
    """Say how many queries are not ranked, and who is first if nothing is asked of a run."""
    if not ours.dropped:
        return ""
    said = (
        f"Left out: {many(len(ours.dropped), 'query')}, as an encoding has no run there or has not "
        "learned the task."
    )
    every = rank(study.of(*study.paper()), study.paper(), learned=False)
    if every is None or len(every.table) == len(ours.table):
        return said
    best = mean_reciprocal_rank(every).iloc[0]
    stays = "stays first" if best["variant"] == first else "is first"
    return (
        f"{said} Over {many(len(every.table), 'query')}, learned or not, "
        f"{encoding(best['variant'])} {stays}, at {best['mean']:.2f}."
    )


def _members(group: str) -> list[str]:
    return [name for name, its in GROUPS.items() if group in (ALL, its)]


def _printed(group: str) -> pd.DataFrame:
    """Return variant and mean, as Figures 1 and 2 of the paper have them, best first."""
    rows = published.load("length-generalization/mrr")
    rows = rows[rows["group"] == _PRINTED[group]]
    names = rows["pe"].replace({"ape": "sinusoidal"})
    found = pd.DataFrame({"variant": names, "mean": rows["mrr"]})
    return found.sort_values("mean", ascending=False, ignore_index=True)


def _order(every: pd.DataFrame, figure: str) -> list[str]:
    return list(every[every["figure"] == figure]["variant"])


def _spelt(found: pd.DataFrame) -> str:
    """Return "NoPE 0.71 (0.60 to 0.80), T5's bias ..." from the first to the last."""
    parts = []
    for row in found.to_dict("records"):
        part = f"{encoding(row['variant'])} {row['mean']:.2f}"
        known = pd.notna(row.get("low"))
        parts.append(f"{part} ({span(row['low'], row['high'])})" if known else part)
    return listed(parts)
