"""Mean reciprocal rank: which encoding does best, task by task and seed by seed.

Kazemnejad et al. (2023), Figures 1 and 2. A query is one task with one seed; the variants compared
are ranked in it by their score, the highest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from positions.analysis.statistics import RESAMPLES, interval
from positions.errors import InvalidValueError, unknown_name

Ties = Literal["mean", "rows"]
Unit = Literal["task", "query"]

PAPER_ROWS = ("rotary", "alibi", "t5", "sinusoidal", "nope")
"""The order of the rows in the authors' table, which breaks ties there: first, so better."""

_NEEDED = ("task", "seed", "variant", "accuracy")


class Dropped(NamedTuple):
    """A query that was not ranked, and the variants that have no score in it."""

    task: str
    seed: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Ranked:
    """1 / rank by query (task, seed) and variant, and the queries that were left out."""

    table: pd.DataFrame
    dropped: list[Dropped]

    def explain(self) -> str:
        """Say which queries were left out and what they lack; empty where none was."""
        if not self.dropped:
            return ""
        each = "; ".join(
            f"{query.task}, seed {query.seed} (no {', '.join(query.missing)})"
            for query in self.dropped
        )
        count = len(self.dropped) + len(self.table)
        return f"{len(self.dropped)} of {count} queries are left out: {each}."


def reciprocal_ranks(scores: pd.DataFrame, variants: Sequence[str], ties: Ties = "rows") -> Ranked:
    """Rank the variants in each query that has a score of all, and return 1 / rank.

    `scores` has the columns task, seed, variant and accuracy (NaN: no score), one row a run.
    `ties`: "rows" ranks equal scores in the order of the authors' table (`PAPER_ROWS`, then as
    given), as their code does; "mean" gives them their mean rank, so that no encoding gains by
    where it is listed. Raises `InvalidValueError` for a missing column, two scores of one variant
    in a query and fewer than two different variants; `UnknownNameError` for a variant that no
    query has.
    """
    if ties not in ("mean", "rows"):
        raise unknown_name("rule for ties", ties, ("mean", "rows"))
    wide, dropped = _queries(scores, variants)
    if ties == "rows":
        rows = [name for name in PAPER_ROWS if name in variants]
        wide = wide[rows + [name for name in variants if name not in rows]]
    method: Literal["average", "first"] = "average" if ties == "mean" else "first"
    ranks = wide.rank(axis=1, ascending=False, method=method)
    return Ranked((1 / ranks)[list(variants)], dropped)


def mean_reciprocal_rank(
    ranked: Ranked, unit: Unit = "task", level: float = 0.95, seed: int = 0
) -> pd.DataFrame:
    """Return variant, mean, low, high, queries: the mean of 1 / rank, best first.

    With `unit="task"` each task counts alike, as the mean over its seeds, however many it has;
    where all have as many, as in the paper, that is the mean over queries. The interval is a
    percentile bootstrap over tasks: seeds of one task rank alike, and how it would be on other
    tasks is the question. With `unit="query"` single queries count and are drawn as if they had
    nothing in common, which makes the interval too narrow for that. A single unit has no interval
    (NaN). Raises `InvalidValueError` where no query is left.
    """
    if unit not in ("task", "query"):
        raise unknown_name("unit", unit, ("query", "task"))
    table = ranked.table
    if not len(table):
        raise InvalidValueError(
            "No query has a score of every variant, so there is nothing to rank. "
            f"{ranked.explain()} Record the missing runs, or ask for fewer variants."
        )
    units = table.groupby(level=["task"] if unit == "task" else ["task", "seed"]).mean().to_numpy()
    mean = units.mean(axis=0)
    low = high = np.full_like(mean, np.nan)
    if len(units) > 1:
        draws = np.random.default_rng(seed).multinomial(
            len(units), np.full(len(units), 1 / len(units)), RESAMPLES
        )
        tail = (1 - level) / 2
        low, high = np.quantile(draws @ units / len(units), [tail, 1 - tail], axis=0)
    found = pd.DataFrame(
        {"variant": table.columns, "mean": mean, "low": low, "high": high, "queries": len(table)}
    )
    return found.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def agreement(
    scores: pd.DataFrame, published: pd.DataFrame, variants: Sequence[str]
) -> pd.DataFrame:
    """Return task, tau, low, high, seeds: how far our ranking in a task is the published one.

    `published` has the columns task, variant and accuracy. Kendall's tau-b of each seed's scores
    with the published ones (1: the same order, -1: reversed), its mean over seeds and the
    bootstrap interval of that mean (NaN for one seed). A seed that lacks a variant, or whose
    scores are all equal, has no order and does not count; a task without any has a tau of NaN.
    Raises as `reciprocal_ranks`, also where a published score is missing.
    """
    wide, _ = _queries(scores, variants)
    truth, dropped = _queries(published.assign(seed=0), variants)
    lacking = {query.task: query.missing for query in dropped}
    tasks = list(dict.fromkeys(scores.task))
    rows = []
    for task in tasks:
        if task not in truth.index.get_level_values("task"):
            raise InvalidValueError(
                f"No published accuracy of {', '.join(lacking.get(task, variants))} on {task} to "
                "compare with. Leave the task or the variant out."
            )
        want = truth.loc[(task, 0)]
        queries = wide[wide.index.get_level_values("task") == task]
        taus = [stats.kendalltau(row, want).statistic for _, row in queries.iterrows()]
        known = [float(tau) for tau in taus if np.isfinite(tau)]
        found = interval(known) if known else None
        rows.append(
            {
                "task": task,
                "tau": found.mean if found else np.nan,
                "low": found.low if found else np.nan,
                "high": found.high if found else np.nan,
                "seeds": len(known),
            }
        )
    return pd.DataFrame(rows, columns=["task", "tau", "low", "high", "seeds"])


def _queries(scores: pd.DataFrame, variants: Sequence[str]) -> tuple[pd.DataFrame, list[Dropped]]:
    """Return the scores by query and variant where all are there, and the other queries."""
    _check(scores, variants)
    wide = scores.pivot(index=["task", "seed"], columns="variant", values="accuracy")
    # tasks keep the order in which they come
    order = pd.MultiIndex.from_frame(scores[["task", "seed"]].drop_duplicates())
    names = list(variants)
    wide = wide.reindex(index=order, columns=names)
    lacking = wide.isna()
    dropped = [
        Dropped(
            str(task), int(seed), tuple(name for name, gone in zip(names, row, strict=True) if gone)
        )
        for (task, seed), row in zip(order, lacking.to_numpy(), strict=True)
        if row.any()
    ]
    return wide[~lacking.any(axis=1)], dropped


def _check(scores: pd.DataFrame, variants: Iterable[str]) -> None:
    names = list(variants)
    missing = [name for name in _NEEDED if name not in scores]
    if missing:
        raise InvalidValueError(
            f"Scores to rank lack the columns {', '.join(missing)}; needed: {', '.join(_NEEDED)}."
        )
    if not len(scores):
        raise InvalidValueError("There are no scores to rank: the table is empty.")
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise InvalidValueError(
            f"A ranking takes two or more different variants, not: {', '.join(names) or 'none'}."
        )
    known = set(scores.variant)
    for name in names:
        if name not in known:
            raise unknown_name("variant", name, known)
    twice = scores[scores.duplicated(["task", "seed", "variant"])]
    if len(twice):
        first = twice.iloc[0]
        raise InvalidValueError(
            f"{first.variant} has more than one score on {first.task} with seed {first.seed}. "
            "Rank runs of the same settings only."
        )
