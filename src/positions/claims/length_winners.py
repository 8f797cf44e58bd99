"""Tests of which encoding wins in which task (Kazemnejad et al. 2023, section 4, Figure F.5)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from positions.analysis.statistics import RESAMPLES
from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.claims.length_ranks import LEADERS
from positions.claims.length_readings import SHARE, WHOLE, LengthReadings, by_column, too_few
from positions.claims.length_tests import EFFECT
from positions.claims.rules import Step, certain, compare, mean_figure
from positions.experiments.length_generalization.readings import GROUPS, PAPER_VARIANTS
from positions.words import many

EXPLICIT = ("t5", "alibi", "rotary", "sinusoidal")
FLAT = 0.01
"""Where encodings differ by less, as where all fail, none of them is the best."""
EDGES = (0.025, 0.975)
WINNERS = {"polynomial": "alibi", "lego": "alibi", "sort_multi": "rotary"}


def t5_best_in_most(claim: Claim, evidence: Evidence) -> Finding:
    """C3: T5's bias is the best explicit encoding in more than half of the tasks, whatever seeds.

    The tasks are those of the claim, so that only seeds are drawn anew: the interval is that of the
    count over resamples of each task's seeds.
    """
    readings = LengthReadings(evidence)
    if readings.missing(*EXPLICIT):
        return readings.untested(claim, *EXPLICIT)
    means, runs = readings.by_task(*EXPLICIT), readings.runs(*EXPLICIT)
    flat = list(means.index[means.max(axis=1) - means.min(axis=1) < FLAT])
    seeds = runs.groupby(level="task").size()
    single = [task for task in means.index if seeds[task] == 1 and task not in flat]
    runs = runs[~runs.index.isin([*flat, *single], level="task")]
    tasks = len(means) - len(flat) - len(single)
    counts, known = _counts(runs), claim.published()
    figures = [_count_figure(name, known[name], counts.get(name), tasks) for name in EXPLICIT]
    too_little = too_few(tasks, len(GROUPS))
    steps: list[Step] = []
    context = []
    if counts:
        low, high = np.quantile(counts["t5"][1:], EDGES)
        best = f"T5's bias is best in {counts['t5'][0]:.0f} of {many(tasks, 'task')}"
        context.append(f"{best} ({low:.0f} to {high:.0f} over resampled seeds).")
        if not too_little and low <= tasks / 2 < high:
            too_little = "Chance among seeds decides whether T5's bias is best in most tasks."
        elif not too_little:
            lead = float(counts["t5"][0]) - tasks / 2
            steps = [certain("half of the tasks", "t5", lead, 0.5, "tasks")]
    if flat:
        context.append(f"Left out, all four being within {FLAT}: {', '.join(flat)}.")
    if single:
        context.append(f"Left out, having one seed to compare: {', '.join(single)}.")
    return readings.finding(steps, figures, " ".join(context), too_little, variants=EXPLICIT)


def winners_by_task(claim: Claim, evidence: Evidence) -> Finding:
    """C9: ALiBi is ahead on polynomials and LEGO, Rotary on sorting numbers of several digits.

    Ahead of NoPE and of T5 by what counts, and of the best other at all; paired by seed.
    """
    readings = LengthReadings(evidence, WINNERS)
    if readings.missing(*PAPER_VARIANTS):
        return readings.untested(claim, *PAPER_VARIANTS)
    steps: list[Step] = []
    too_little = []
    for task, winner in WINNERS.items():
        table = _of_task(readings, task, *PAPER_VARIANTS)
        if not len(table):
            too_little.append(f"On {task} no seed has runs of all five to compare.")
            continue
        table = table.add_prefix(f"{task}: ")
        first = f"{task}: {winner}"
        leaders = [f"{task}: {name}" for name in LEADERS]
        rival = str(table.drop(columns=[first, *leaders]).mean().idxmax())
        values = by_column(table)
        steps += compare([(name, first) for name in leaders], values, EFFECT, SHARE)
        steps += compare([(rival, first)], values, 0.0, SHARE)
    figures = []
    for name, value in claim.published().items():
        task, variant = name.split(": ")
        figures.append(mean_figure(name, list(_of_task(readings, task, variant)[variant]), value))
    context = f"{_few_seeds(steps)} {_whole(readings)}"
    return readings.finding(steps, figures, context, " ".join(too_little), paired_by="seed")


def _of_task(readings: LengthReadings, task: str, *variants: str) -> pd.DataFrame:
    """Return the accuracy in one task by seed (rows) and variant."""
    runs = readings.runs(*variants)
    return runs[runs.index.get_level_values("task") == task].droplevel("task")


def _counts(runs: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return by variant in how many tasks it is best: first as recorded, then for each resample.

    All that share the highest mean are best, as in the paper's count.
    """
    rng = np.random.default_rng(0)
    found = np.zeros((RESAMPLES + 1, runs.shape[1]))
    for _, rows in runs.groupby(level="task", sort=False):
        seeds = len(rows)
        drawn = rng.multinomial(seeds, np.full(seeds, 1 / seeds), RESAMPLES)
        means = np.vstack([np.ones(seeds), drawn]) @ rows.to_numpy() / seeds
        found += means >= means.max(axis=1, keepdims=True) - 1e-9
    return dict(zip(runs.columns, found.T, strict=True)) if len(runs) else {}


def _count_figure(name: str, published: float, counts: np.ndarray | None, tasks: int) -> Figure:
    """Return a count with its interval, which only a count over as many tasks compares with."""
    if counts is None:
        return Figure(name, published)
    if tasks < len(GROUPS):
        return Figure(name, published, float(counts[0]), n=tasks)
    low, high = np.quantile(counts[1:], EDGES)
    return Figure(name, published, float(counts[0]), float(low), float(high), tasks)


def _few_seeds(steps: list[Step]) -> str:
    """Say where there are so few seeds that no difference can be told from chance."""
    seeds = min((step.difference.n for step in steps), default=0)
    if not steps or 2 ** (1 - seeds) < 0.05:
        return ""
    return (
        f"{many(seeds, 'seed')} cannot tell a difference from chance: p is never below "
        f"{2.0 ** (1 - seeds):.2g}."
    )


def _whole(readings: LengthReadings) -> str:
    """Say how Rotary does on sorting numbers where it rotates the whole head."""
    found = _of_task(readings, "sort_multi", WHOLE)[WHOLE]
    if not len(found):
        return ""
    return f"Rotating the whole head, Rotary reaches {found.mean():.3f} on sort_multi."
