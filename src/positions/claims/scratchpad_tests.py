"""Tests of what Kazemnejad et al. 2023 say of scratchpads (section 6, Figures 6 and F.8)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from positions.analysis.statistics import RESAMPLES
from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.claims.length_readings import SHARE
from positions.claims.length_tests import EFFECT
from positions.claims.length_winners import EDGES
from positions.claims.rules import Step, compare, mean_figure
from positions.claims.scratchpad_readings import ScratchpadReadings
from positions.experiments.length_generalization.readings import PAPER_VARIANTS
from positions.experiments.scratchpad.readings import MERGING, label, merged, ranks
from positions.tasks.scratchpad import NONE

RANK = 0.05
"""In mean reciprocal rank."""
HELPED = "addition"
"""The task in which a scratchpad helps all encodings, by the claim."""
CHOSEN = "Best and worst are chosen on the other seeds, so that chance alone makes no difference."


def helps_all_in_addition_only(claim: Claim, evidence: Evidence) -> Finding:
    """C14: the best scratchpad helps all encodings in addition, and in no other task.

    In addition it must help in the mean over encodings, and each of them by what counts. In
    another task the mean must stay below what counts, so that not all can be helped; where it does
    not, the encoding that is helped least must stay below.
    """
    readings = ScratchpadReadings(evidence)
    if readings.missing():
        return readings.untested(claim)
    choices = readings.choices().dropna()
    steps: list[Step] = []
    for task, part in choices.groupby(level="task", sort=False):
        steps += _all(part) if task == HELPED else _not_all(str(task), part)
    table = merged(readings.table)
    figures = [_helped(table, task, value) for task, value in claim.published().items()]
    here = choices[choices.index.get_level_values("task") == HELPED]
    lacking = set(PAPER_VARIANTS) - set(here.index.get_level_values("variant"))
    names = ", ".join(name for name in PAPER_VARIANTS if name in lacking)
    too_little = f"On {HELPED} there is nothing to compare of {names}." if lacking else ""
    return readings.finding(steps, figures, CHOSEN, "encoding and seed", too_little)


def format_matters(claim: Claim, evidence: Evidence) -> Finding:
    """C15: over tasks and encodings, the best way to write a scratchpad leads the worst.

    A pair is a task with an encoding, in the mean over its seeds.
    """
    readings = ScratchpadReadings(evidence)
    if readings.missing():
        return readings.untested(claim)
    cells = readings.choices().groupby(level=["task", "variant"], sort=False).mean()
    values = {f"{name} format": cells[name].to_dict() for name in ("worst", "best")}
    steps = compare([("worst format", "best format")], values, EFFECT, SHARE)
    table = merged(readings.table)
    figures = [
        mean_figure(task, _spreads(table[table.task == task]), value)
        for task, value in claim.published().items()
    ]
    context = f"{CHOSEN} The figures are the best mean minus the worst, as published."
    return readings.finding(steps, figures, context, "task and encoding")


def best_format_differs(claim: Claim, evidence: Evidence) -> Finding:
    """C16: each encoding's own best format ranks above the one that is best for all together."""
    readings = ScratchpadReadings(evidence)
    if readings.missing():
        return readings.untested(claim)
    table = ranks(readings.table)
    one, own = "one format for all encodings", "each encoding's own"
    steps = compare(
        [(one, own)], dict(zip((one, own), _chosen(table), strict=True)), RANK, "in rank"
    )
    shown = table[~table.index.isin(MERGING, level="task")]
    figures = []
    for name, value in claim.published().items():
        variant, form = name.split(": ")
        rows = shown[shown.index.get_level_values("variant") == variant]
        by_task = list(rows[form].groupby(level="task").mean()) if form in rows else []
        figures.append(mean_figure(name, by_task, value))
    return readings.finding(steps, figures, f"{CHOSEN} {_ours(table)}", "task, encoding and seed")


def _all(part: pd.DataFrame) -> list[Step]:
    """Compare no scratchpad with the best in addition, and where it helps least if too little."""
    least = _least(part)
    steps = _helps(HELPED, part)
    if (least.best - least.none).mean() < EFFECT:
        steps += _helps(f"{HELPED}, {least.index[0][1]}", least)
    return steps


def _helps(where: str, part: pd.DataFrame) -> list[Step]:
    less, more = f"{where}: no scratchpad", f"{where}: best scratchpad"
    return compare(
        [(less, more)], {less: part.none.to_dict(), more: part.best.to_dict()}, EFFECT, SHARE
    )


def _not_all(task: str, part: pd.DataFrame) -> list[Step]:
    """Test that a scratchpad stays below what counts, for all in the mean or for one encoding."""
    where = task
    if (part.best - part.none).mean() >= EFFECT:
        part = _least(part)
        where = f"{task}, {part.index[0][1]}"
    less, more = f"{where}: best scratchpad", f"{where}: no scratchpad plus {EFFECT}"
    values = {less: part.best.to_dict(), more: (part.none + EFFECT).to_dict()}
    return compare([(less, more)], values, 0.0, SHARE)


def _least(part: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the encoding that the best scratchpad helps least."""
    name = (part.best - part.none).groupby(level="variant").mean().idxmin()
    return part[part.index.get_level_values("variant") == name]


def _helped(table: pd.DataFrame, task: str, published: float) -> Figure:
    """Count the encodings whose best format has a higher mean than no scratchpad, as published.

    The interval is that of the count over resampled seeds. Without all five there is no count.
    """
    rng = np.random.default_rng(0)
    helped = []
    for _, part in table[table.task == task].groupby("variant", sort=False):
        wide = part.pivot(index="seed", columns="format", values="accuracy")
        wide = wide.dropna(axis=1, how="all")
        pads = [name for name in wide if name != NONE]
        if NONE not in wide or not pads:
            continue
        seeds = len(wide)
        drawn = rng.multinomial(seeds, np.full(seeds, 1 / seeds), RESAMPLES)
        weights = np.vstack([np.ones(seeds), drawn])
        there = weights @ wide.notna().to_numpy()
        means = weights @ wide.fillna(0).to_numpy() / np.where(there, there, np.nan)
        gain = pd.DataFrame(means, columns=wide.columns)
        helped.append(gain[pads].max(axis=1) > gain[NONE])
    if len(helped) < len(PAPER_VARIANTS):
        return Figure(task, published)
    counts = np.sum(helped, axis=0)
    low, high = np.quantile(counts[1:], EDGES)
    return Figure(task, published, float(counts[0]), float(low), float(high), len(helped))


def _spreads(rows: pd.DataFrame) -> list[float]:
    """Return best minus worst mean over the formats, one number an encoding with two or more."""
    pads = rows[rows.format != NONE]
    means = pads.pivot_table(index="variant", columns="format", values="accuracy")
    return list((means.max(axis=1) - means.min(axis=1))[means.count(axis=1) > 1])


def _chosen(table: pd.DataFrame) -> tuple[dict[object, float], dict[object, float]]:
    """Return the rank of the format best for all and of the encoding's own, by row of `table`.

    Both are chosen on the other seeds. Where a task has no variable, to leave it out is to leave
    out nothing.
    """
    pads = table.drop(columns=NONE, errors="ignore")
    if "full-V" in pads:
        pads = pads.assign(**{"full-V": pads["full-V"].fillna(pads["full"])})
    one: dict[object, float] = {}
    own: dict[object, float] = {}
    for seed in pads.index.unique("seed"):
        here = pads.index.get_level_values("seed") == seed
        others = pads[~here].groupby(level="variant").mean()
        for row, values in pads[here].iterrows():
            if row[1] in others.index:
                one[row] = values[others.mean().idxmax()]
                own[row] = values[others.loc[row[1]].idxmax()]
    return one, own


def _ours(table: pd.DataFrame) -> str:
    """Say which format is the best of each encoding in our runs."""
    pads = table.drop(columns=NONE, errors="ignore")
    means = pads.groupby(level=["variant", "task"]).mean().groupby(level="variant").mean()
    best = [
        f"{name} {label(str(means.loc[name].idxmax()))} ({means.loc[name].max():.2f})"
        for name in PAPER_VARIANTS
        if name in means.index
    ]
    return f"Ours, over all recorded tasks: {', '.join(best)}." if best else ""
