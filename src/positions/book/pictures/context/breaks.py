"""Where each encoding breaks: the first measured context at which perplexity has doubled."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pandas as pd

from positions.book.pictures.context import paper
from positions.book.pictures.context.study import NOTHING, Study, over_seeds, title
from positions.book.pictures.length.names import encoding, listed

DOUBLED = math.log(2)
PUBLISHED = "published"
SHOWN = (2.0, 8.0)
"""Multiples of the training context whose perplexity stands in the table."""


def table(study: Study) -> pd.DataFrame:
    """Return one row an encoding: where perplexity has doubled, and how much it has risen; by text.

    Means over seeds, in multiples of the training context and of the perplexity there. "never"
    says: up to the longest context that was measured.
    """
    columns: dict[tuple[str, str], dict[str, str]] = {}
    for name, rise in _each(study):
        for variant in rise.columns:
            found = {"doubled at": _spelt(_doubled(rise[variant]))}
            for times in SHOWN:
                near = [at for at in rise.index if abs(at / times - 1) < 0.05]
                if near:
                    found[f"at {times:g}"] = f"{math.exp(rise.loc[near[0], variant]):,.3g}"
            for what, value in found.items():
                columns.setdefault((name, what), {})[str(variant)] = value
    rows = [*study.variants] if study.variants else list(paper.VARIANTS)
    return pd.DataFrame(columns).reindex(rows).fillna("none")


def said(study: Study) -> str:
    """Say who has doubled its perplexity, at which multiple of its training context, and who not.

    Means over seeds, text by text.
    """
    if not len(study.curves):
        return NOTHING
    parts = []
    for name, rise in _each(study):
        if name == PUBLISHED:
            continue
        at = {who: _doubled(rise[who]) for who in study.variants if who in rise}
        broken = sorted((times, who) for who, times in at.items() if times is not None)
        said = listed(f"{encoding(who)} at {times:.2f}" for times, who in broken)
        whole = [encoding(who) for who, times in at.items() if times is None]
        longest = f"{rise.index.max():g} times"
        text = (
            f"On {name}, perplexity has at least doubled, in multiples of the training context: "
            f"{said}."
            if broken
            else f"On {name} no encoding has doubled its perplexity up to {longest} the context."
        )
        if whole and broken:
            text += f" Not doubled up to {longest} the context: {listed(whole)}."
        parts.append(text)
    return " ".join(parts)


def _each(study: Study) -> Iterable[tuple[str, pd.DataFrame]]:
    """Give each text's name, and how loss rises by multiple (rows) and encoding."""
    rows = paper.table()
    rows = rows[rows["bucket"] == paper.ALL_LONG]
    yield PUBLISHED, rows.pivot_table(index="times", columns="variant", values="rise")
    rise = over_seeds(study, "rise")
    for corpus in study.corpora:
        found = rise[rise["corpus"] == corpus]
        wide = found.pivot_table(index="times", columns="variant", values="mean", sort=False)
        yield title(corpus), wide.sort_index()


def _doubled(rise: pd.Series) -> float | None:
    """Return the first multiple at which perplexity has at least doubled."""
    beyond = rise[(rise >= DOUBLED) & (rise.index > 1)]
    return float(beyond.index.min()) if len(beyond) else None


def _spelt(times: float | None) -> str:
    return "never" if times is None else f"{times:.2f}"
