"""Tests of what Kazemnejad et al. 2023 say of ranks over tasks (Figures 1 and 2)."""

from __future__ import annotations

from itertools import pairwise

from positions.analysis.ranking import Ranked, mean_reciprocal_rank
from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.claims.length_readings import (
    BEYOND,
    WHOLE,
    LengthReadings,
    at_chance,
    by_column,
    too_few,
)
from positions.claims.rules import Step, compare
from positions.experiments.length_generalization.readings import GROUPS, PAPER_VARIANTS

RANK = 0.03
"""In mean reciprocal rank: what it takes that first and second change places in 3 of 51 queries."""
LEADERS = ("nope", "t5")
OTHERS = ("alibi", "rotary", "sinusoidal")


def order_of_ranks(claim: Claim, evidence: Evidence) -> Finding:
    """C1: each encoding of the order NoPE, T5, ALiBi, Rotary, sinusoidal ranks above the next.

    A pair is a task, with the mean over its seeds of 1 / rank. Equal scores share their rank: the
    paper's rule, by the order of rows, would favour Rotary wherever all are equal. A task on which
    nobody is beyond chance ranks nobody.
    """
    readings = LengthReadings(evidence)
    if readings.missing(*PAPER_VARIANTS):
        return readings.untested(claim, *PAPER_VARIANTS)
    ranked = readings.ranked()
    by_task = ranked.table.groupby(level="task").mean()
    too_little = too_few(len(by_task), len(GROUPS))
    pairs = [(worse, better) for better, worse in pairwise(PAPER_VARIANTS)]
    steps = compare(pairs, by_column(by_task), RANK, "in rank")
    return readings.finding(
        [] if too_little else steps,
        _figures(ranked, claim.published()),
        f"{_queries(readings, ranked)}{_whole(readings)}",
        too_little,
    )


def leaders_of_groups(claim: Claim, evidence: Evidence) -> Finding:
    """C6: in each group of tasks the weaker of NoPE and T5 ranks above the best of the others.

    The claim is about these tasks, two of them in one group, so that a pair is a query: one task
    with one seed.
    """
    readings = LengthReadings(evidence)
    if readings.missing(*PAPER_VARIANTS):
        return readings.untested(claim, *PAPER_VARIANTS)
    ranked = readings.ranked()
    steps: list[Step] = []
    figures: list[Figure] = []
    too_little = []
    for group in dict.fromkeys(GROUPS.values()):
        members = [task for task in GROUPS if GROUPS[task] == group]
        table = ranked.table[ranked.table.index.isin(members, level="task")]
        figures += _figures(Ranked(table, []), claim.published(), f"{group}: ")
        compared = table.index.get_level_values("task").nunique()
        lack = too_few(compared, len(members), f"{group} tasks")
        if lack:
            too_little.append(lack)
        else:
            table = table.add_prefix(f"{group}: ")
            mean = table.groupby(level="task").mean().mean()
            weaker = str(mean[[f"{group}: {name}" for name in LEADERS]].idxmin())
            best = str(mean[[f"{group}: {name}" for name in OTHERS]].idxmax())
            steps += compare([(best, weaker)], by_column(table), RANK, "in rank")
    return readings.finding(
        steps,
        figures,
        _queries(readings, ranked),
        " ".join(too_little),
        paired_by="task and seed",
    )


def _figures(ranked: Ranked, published: dict[str, float], prefix: str = "") -> list[Figure]:
    """Return our mean reciprocal ranks, with intervals over tasks, beside the published ones."""
    names = [f"{prefix}{name}" for name in PAPER_VARIANTS]
    if not len(ranked.table):
        return [Figure(name, published[name]) for name in names]
    found = mean_reciprocal_rank(ranked).set_index("variant").loc[list(PAPER_VARIANTS)]
    count = ranked.table.index.get_level_values("task").nunique()
    known = count > 1
    return [
        Figure(name, published[name], mean, low if known else None, high if known else None, count)
        for name, mean, low, high in zip(names, found["mean"], found.low, found.high, strict=True)
    ]


def _queries(readings: LengthReadings, ranked: Ranked) -> str:
    """Say how many queries are ranked, and on which tasks nobody is beyond chance."""
    count = len(ranked.table)
    are = "query is" if count == 1 else "queries are"
    said = f"{count} {are} ranked (51 in the paper); intervals are over tasks."
    guessed = at_chance(readings.table, PAPER_VARIANTS)
    if not guessed:
        return said
    return f"{said} Not ranked, nobody being {BEYOND} beyond chance: {', '.join(guessed)}."


def _whole(readings: LengthReadings) -> str:
    """Say how Rotary ranks where it rotates the whole head, in its own place."""
    if readings.missing(WHOLE):
        return ""
    five = [WHOLE if name == "rotary" else name for name in PAPER_VARIANTS]
    table = readings.ranked(five).table
    if not len(table):
        return ""
    mean = table[WHOLE].groupby(level="task").mean().mean()
    return (
        f" Rotary that rotates the whole head, as the paper writes, ranks at "
        f"{mean:.3f} in the place of the quarter that its code rotates "
        f"({len(table)} queries)."
    )
