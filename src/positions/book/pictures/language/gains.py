"""How much each table helps either objective: loss beside that with no positions at all."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from positions.analysis.statistics import paired_difference
from positions.book.pictures.labels import label
from positions.book.pictures.language import dots
from positions.book.pictures.language.study import (
    COLOURS,
    NATS,
    NOTHING,
    Study,
    objective,
    over_seeds,
    title,
)
from positions.book.pictures.note import Note
from positions.book.pictures.sliders import Picture
from positions.claims.table_readings import BERT, COPIES, GPT2
from positions.experiments.language_modelling.readings import is_published
from positions.experiments.language_modelling.start import ZEROS
from positions.experiments.language_modelling.text import CAUSAL, MASKED, OBJECTIVES, Objective
from positions.words import many

OURS, PAPERS = "crossed here", "a pair of the paper's code"


def table(study: Study, objectives: Sequence[Objective] = OBJECTIVES) -> pd.DataFrame:
    """Return objective, table, mean, low, high, seeds of the gain over a table of zeros, nats."""
    runs = study.plain
    helped = runs[(runs["table"] != ZEROS) & runs["objective"].isin(objectives)]
    return over_seeds(helped, "gain", "objective", "table")


def chart(study: Study, objectives: Sequence[Objective] = OBJECTIVES) -> Picture | Note:
    """Draw the gain of each table, a colour an objective; the paper's pairs have a shape."""
    found = table(study, objectives)
    if not len(found):
        return Note(NOTHING)
    pairs = zip(found["objective"], found["table"], strict=True)
    frame = found.assign(
        kind=[objective(name) for name in found["objective"]],
        table=[title(name) for name in found["table"]],
        grid=[PAPERS if _is_papers(*pair) else OURS for pair in pairs],
    ).round(4)
    return Picture(
        dots.drawn(
            frame,
            [title(name) for name in study.tables],
            {objective(name): COLOURS[name] for name in objectives},
            f"how much lower the loss is than without positions, {NATS}",
            marks=len(objectives) > 1,
        ),
        "How much lower the test loss is with a table of positions than with a table of zeros, by "
        f"table: mean over seeds and 95 % interval, for {' and '.join(objectives)} models. The "
        "gains of the two objectives are in other tokens and do not compare in size.",
        frame[["kind", "table", "mean", "low", "high", "seeds", "grid"]].rename(
            columns={"kind": "objective"}
        ),
    )


def _is_papers(objective: str, table: str) -> bool:
    """Whether the pair is one of the paper's, a copy standing for BERT's table."""
    return is_published(objective, BERT if table in COPIES else table)


def said(study: Study) -> str:
    """Say in which order each objective puts the tables."""
    found = table(study).sort_values("mean", ascending=False, kind="stable")
    parts = []
    for name in OBJECTIVES:
        own = found[found["objective"] == name]
        if len(own):
            spelt = "; ".join(
                f"{title(each)} {mean:.2f}"
                for each, mean in zip(own["table"], own["mean"], strict=True)
            )
            parts.append(f"*{objective(name)}*: {spelt}")
    return f"Gain in nats, from the most to the least. {'. '.join(parts)}." if parts else NOTHING


def cells(study: Study) -> pd.DataFrame:
    """Return a row a table: loss and perplexity by objective, means over seeds."""
    return _cells(study.plain, study.order)


def generated(study: Study) -> pd.DataFrame:
    """Return the same of the generated language, which needs no text at hand."""
    return _cells(study.made_up, study.order)


def _cells(runs: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    if not len(runs):
        return pd.DataFrame({"": ["No runs on this text are recorded yet."]})
    rows = {}
    for each in order:
        row = {}
        for name in OBJECTIVES:
            own = runs[(runs["table"] == each) & (runs["objective"] == name)]
            if len(own):
                spread = f" ± {own['loss'].std():.3f}" if len(own) > 1 else ""
                row[f"{name}: loss"] = f"{own['loss'].mean():.3f}{spread}"
                row[f"{name}: perplexity"] = f"{own['perplexity'].mean():.1f}"
        if row:
            rows[title(each)] = row
    columns = [f"{name}: {what}" for name in OBJECTIVES for what in ("loss", "perplexity")]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).fillna("not recorded")


def order_matters(study: Study) -> str:
    """Say what a table loses when its rows are shuffled, paired by seed."""
    runs = study.plain
    parts = []
    for each in study.tables:
        kind, _, base = each.partition(":")
        for name in OBJECTIVES if base and kind == "shuffled" else ():
            wide = runs[runs["objective"] == name].pivot_table(
                index="seed", columns="table", values="loss"
            )
            both = wide.reindex(columns=[each, base]).dropna()
            if len(both) > 1:
                gap = paired_difference(both[each], both[base])
                parts.append(
                    f"{label(base)}, {name}: {gap.mean:+.3f} ({gap.low:+.3f} to {gap.high:+.3f})"
                )
    if not parts:
        return NOTHING
    return f"Loss with the rows shuffled over that with them in order, in nats: {'; '.join(parts)}."


def suited(study: Study) -> str:
    """Say whether each objective does better with the table of its own kind, paired by seed."""
    runs = study.plain
    encoders = [name for name in study.tables if name == BERT or name in COPIES]
    if GPT2 not in study.tables or not encoders:
        return NOTHING
    encoder = encoders[0]
    parts, seeds = [], 0
    for name, own, other in ((MASKED, encoder, GPT2), (CAUSAL, GPT2, encoder)):
        wide = runs[runs["objective"] == name].pivot_table(
            index="seed", columns="table", values="loss"
        )
        both = wide.reindex(columns=[own, other]).dropna()
        if len(both):
            gap = paired_difference(both[other], both[own])
            seeds = max(seeds, gap.n)
            spelt = f" ({gap.low:+.3f} to {gap.high:+.3f})" if gap.n > 1 else ""
            parts.append(
                f"a {name} model's loss with {label(other)}'s table is {gap.mean:+.3f}{spelt} nats "
                f"beside that with {label(own)}'s"
            )
    if not parts:
        return NOTHING
    spelt = "; ".join(parts)
    return f"Over {many(seeds, 'seed')}, {spelt}. Above zero, the table of its own kind wins."
