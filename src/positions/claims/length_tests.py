"""Tests of what Kazemnejad et al. 2023 say of accuracy within and beyond the training lengths."""

from __future__ import annotations

import pandas as pd

from positions.claims.base import Claim, Evidence, Finding
from positions.claims.length_ranks import LEADERS, OTHERS
from positions.claims.length_readings import (
    SHARE,
    WHOLE,
    LengthReadings,
    by_column,
    in_order,
    too_few,
)
from positions.claims.rules import compare, mean_figure
from positions.experiments.length_generalization.readings import GROUPS, PAPER_VARIANTS
from positions.words import many

EFFECT = 0.05
"""In exact match: about the noise of three seeds."""
SOLVED = 0.97
"""Exact match that counts as almost perfect."""


def ill_suited(claim: Claim, evidence: Evidence) -> Finding:
    """C2: on average over tasks ALiBi, Rotary and sinusoidal stay below NoPE and below T5."""
    readings = LengthReadings(evidence)
    if readings.missing(*PAPER_VARIANTS):
        return readings.untested(claim, *PAPER_VARIANTS)
    pairs = [(other, leader) for leader in LEADERS for other in OTHERS]
    steps, fewest = readings.steps(pairs, EFFECT)
    too_little = too_few(fewest, len(GROUPS))
    common, known = readings.by_task(*PAPER_VARIANTS), claim.published()
    figures = [mean_figure(name, list(common[name]), known[name]) for name in PAPER_VARIANTS]
    context = f"Means over {many(len(common), 'task')}.{_whole(readings)}"
    return readings.finding([] if too_little else steps, figures, context, too_little)


def perfect_within(claim: Claim, evidence: Evidence) -> Finding:
    """C4: over the tasks that some encoding solves within its training lengths, each does.

    A task that none solves says that the training was too short for it, and nothing of encodings.
    A run that diverged has solved nothing.
    """
    readings = LengthReadings(evidence)
    if readings.missing(*PAPER_VARIANTS):
        return readings.untested(claim, *PAPER_VARIANTS)
    table = readings.table.assign(iid=readings.table.iid.fillna(0.0))
    means = in_order(table.pivot_table(index="task", columns="variant", values="iid"))
    known = claim.published()
    figures = [
        mean_figure(name, list(means[name].dropna()), known[name]) for name in PAPER_VARIANTS
    ]
    means = means[list(PAPER_VARIANTS)]
    solved = means[means.max(axis=1) >= SOLVED]
    too_little = too_few(int(solved.notna().sum().min()), len(GROUPS))
    bar = f"{SOLVED}"
    values = {name: solved[name].dropna().to_dict() for name in PAPER_VARIANTS}
    values[bar] = dict.fromkeys(solved.index, SOLVED)
    steps = compare([(bar, name) for name in PAPER_VARIANTS], values, 0.0, SHARE)
    none = [task for task in means.index if task not in solved.index]
    context = f"No encoding reaches {bar} in {', '.join(none)}: left out." if none else ""
    return readings.finding(
        [] if too_little else steps, figures, context, too_little, only_fitted=False
    )


def rotary_like_absolute(claim: Claim, evidence: Evidence) -> Finding:
    """C5: on average over tasks Rotary is nearer to sinusoidal than to T5."""
    readings = LengthReadings(evidence)
    variants = ("rotary", "sinusoidal", "t5")
    if readings.missing(*variants):
        return readings.untested(claim, *variants)
    gaps = _gaps(readings, "rotary")
    near, far = gaps
    too_little = too_few(len(gaps[near]), len(GROUPS))
    steps = compare([(near, far)], gaps, EFFECT, SHARE)
    known = claim.published()
    figures = [
        mean_figure(name, list(values.values()), known[name]) for name, values in gaps.items()
    ]
    context = ""
    whole = {} if readings.missing(WHOLE) else _gaps(readings, WHOLE)
    if any(whole.values()):
        spelt = ", ".join(
            f"{name.rpartition(' to ')[2]} {sum(values.values()) / len(values):.3f}"
            for name, values in whole.items()
        )
        context = f"Rotating the whole head, the distances are: {spelt}."
    return readings.finding(
        [] if too_little else steps, figures, context, too_little, variants=variants
    )


def nope_at_least_t5(claim: Claim, evidence: Evidence) -> Finding:
    """C7: NoPE is surely not further below T5 than the smallest effect that counts.

    Judged over all tasks; the published figures are of the primitive and classic ones, and so are
    ours beside them.
    """
    readings = LengthReadings(evidence)
    if readings.missing(*LEADERS):
        return readings.untested(claim, *LEADERS)
    means = readings.by_task(*LEADERS)
    too_little = too_few(len(means), len(GROUPS))
    bar = f"t5 less {EFFECT}"
    values = {"nope": means["nope"].to_dict(), bar: (means["t5"] - EFFECT).to_dict()}
    steps = compare([(bar, "nope")], values, 0.0, SHARE)
    runs = readings.runs(*LEADERS)
    lead = runs["nope"] - runs["t5"]
    lead = lead[[GROUPS[task] != "mathematical" for task in lead.index.get_level_values("task")]]
    known = claim.published()
    figures = [
        mean_figure(name, list(each.groupby(level="task").mean()), known[name])
        for name, each in (
            ("mean lead of nope", lead),
            ("share of pairs", (lead > 0).astype(float)),
        )
    ]
    context = (
        f"Over {many(len(means), 'task')} NoPE leads by "
        f"{(means['nope'] - means['t5']).mean():.3f} in the mean and in "
        f"{int((means['nope'] > means['t5']).sum())} of them."
        if len(means)
        else ""
    )
    return readings.finding(
        [] if too_little else steps, figures, context, too_little, variants=LEADERS
    )


def _gaps(readings: LengthReadings, rotary: str) -> dict[str, dict[str, float]]:
    """Return by task how far Rotary is from sinusoidal and from T5, as the means have it.

    Signed so that the mean over tasks is the distance of the means.
    """
    means = readings.by_task(rotary, "sinusoidal", "t5")
    gaps = {f"rotary to {other}": means[rotary] - means[other] for other in ("sinusoidal", "t5")}
    return by_column(
        pd.DataFrame({name: gap if gap.mean() >= 0 else -gap for name, gap in gaps.items()})
    )


def _whole(readings: LengthReadings) -> str:
    """Say how Rotary does that rotates the whole head, on the tasks where both are compared."""
    both = readings.by_task("rotary", WHOLE)
    if not len(both):
        return ""
    return (
        f" Rotary that rotates the whole head, as the paper writes, reaches "
        f"{both[WHOLE].mean():.3f} where the quarter that its code rotates reaches "
        f"{both['rotary'].mean():.3f} ({many(len(both), 'task')})."
    )
