"""The rules by which figures and orders are judged, the same for every claim.

A published figure that is one run agrees with ours where it lies inside the middle 95 % of our
single runs; one that is a mean, where it lies in the 95 % interval of ours. An order holds where
each step of it, paired by seed or by task, is at least the smallest effect that counts and has
p < 0.05 after Holm's correction over all steps of the claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from positions.analysis.statistics import (
    Difference,
    Interval,
    central_range,
    holm,
    interval,
    paired_difference,
)
from positions.claims.base import Figure, Status
from positions.words import many

LEVEL = 0.05
ROUNDING = 0.005
"""Published figures are printed with two decimals."""
MANY = 7
"""Of more figures than this the number is told and not each name."""


@dataclass(frozen=True)
class Step:
    """One step of a claimed order: `more` above `less` by `difference`, with a corrected p-value.

    `effect` is the smallest difference that counts, in `unit`. A step that leaves nothing to
    chance, being computed from fixed rows, has p = 0 and no interval.
    """

    less: str
    more: str
    difference: Difference
    p: float
    effect: float
    unit: str

    @property
    def holds(self) -> bool:
        """Whether the step is as claimed, large enough and not by chance."""
        return self.p < LEVEL and self.difference.mean >= self.effect

    @property
    def fails(self) -> bool:
        """Whether the step is the other way round, or surely smaller than what counts."""
        reversed_ = self.p < LEVEL and self.difference.mean <= -self.effect
        return reversed_ or self.difference.high < self.effect


def figure(name: str, values: Sequence[float], published: float | None = None) -> Figure:
    """Return our figure over single runs beside the published one; no values, no figure of ours."""
    return _figure(name, central_range(values) if values else None, published)


def mean_figure(name: str, values: Sequence[float], published: float | None = None) -> Figure:
    """Return our mean with its interval beside a published mean; no values, no figure of ours."""
    return _figure(name, interval(values) if values else None, published)


def _figure(name: str, found: Interval | None, published: float | None) -> Figure:
    if found is None:
        return Figure(name, published)
    if found.n == 1:
        return Figure(name, published, found.mean, n=1)
    return Figure(name, published, found.mean, found.low, found.high, found.n)


def agrees(item: Figure) -> bool | None:
    """Whether the published figure lies in our range; None where one of them is not at hand."""
    if item.published is None or item.low is None or item.high is None:
        return None
    return item.low - ROUNDING <= item.published <= item.high + ROUNDING


def compare(
    pairs: Sequence[tuple[str, str]],
    values: Mapping[str, Mapping[Any, float]],
    effect: float,
    unit: str,
) -> list[Step]:
    """Test that in each (less, more) the second is greater, paired by seed.

    `values`: by name, the value of each run by seed (or by task, or by task and seed). Only those
    that both sides have are compared; a pair without any is left out. Correct with `correct`.
    """
    steps = []
    for less, more in pairs:
        seeds = sorted(values[less].keys() & values[more].keys())
        if seeds:
            difference = paired_difference(
                [values[more][seed] for seed in seeds], [values[less][seed] for seed in seeds]
            )
            steps.append(Step(less, more, difference, difference.p_value, effect, unit))
    return steps


def certain(less: str, more: str, gap: float, effect: float, unit: str) -> Step:
    """Return a step whose difference is computed from fixed rows, chance playing no part."""
    return Step(less, more, Difference(gap, gap, gap, 1, 0.0), 0.0, effect, unit)


def correct(steps: Sequence[Step]) -> list[Step]:
    """Correct the p-values of all of a claim's steps together (Holm)."""
    tested = [step for step in steps if step.p > 0]
    corrected = iter(holm([step.p for step in tested]) if tested else [])
    return [replace(step, p=next(corrected)) if step.p > 0 else step for step in steps]


def decide(steps: Sequence[Step], figures: Sequence[Figure] = ()) -> Status:
    """Return the status that steps and figures give together.

    Any failed step: not reproduced. All steps hold: reproduced where there are published figures
    to compare with and all agree, else same direction. Anything between: undecided.
    """
    if not steps:
        raise ValueError("An order without a step cannot be judged.")
    if any(step.fails for step in steps):
        return "not reproduced"
    if not all(step.holds for step in steps):
        return "undecided"
    agreement = [agrees(item) for item in figures]
    known = [one for one in agreement if one is not None]
    return "reproduced" if known and all(known) else "same direction"


def explain_steps(steps: Sequence[Step], paired_by: str = "seed") -> str:
    """Say how many steps hold, and by how much the others miss."""
    held = [step for step in steps if step.holds]
    by_chance = [step.p for step in held if step.p > 0]
    largest = f", largest corrected p {max(by_chance):.2g}" if by_chance else ""
    comes = "comes" if len(steps) == 1 else "come"
    words = f"{len(held)} of {many(len(steps), 'comparison')} {comes} out as claimed"
    words += f" (paired by {paired_by}{largest})." if any(step.p > 0 for step in steps) else "."
    for step in steps:
        if not step.holds:
            gap = step.difference
            words += f" {step.more} minus {step.less}: {gap.mean:z.2f} {step.unit}"
            if gap.n > 1:
                words += f" ({gap.low:z.2f} to {gap.high:z.2f}, corrected p {step.p:.2g})"
            words += "."
    return words


def explain_figures(figures: Sequence[Figure], ours: str = "95 % range of single runs") -> str:
    """Say which published figures lie inside our ranges and which outside."""
    inside = [item.name for item in figures if agrees(item)]
    outside = [item.name for item in figures if agrees(item) is False]
    if inside and outside:
        rest = f"those of {_list(outside)}" if len(outside) <= MANY else f"{len(outside)} others"
        return f"{_figures_of(inside)} lie in our {ours}, {rest} outside it."
    if inside or outside:
        side = "in" if inside else "outside"
        return f"{_figures_of(inside or outside)} lie {side} our {ours}."
    return ""


def _figures_of(names: Sequence[str]) -> str:
    """Name the published figures, or say how many there are where there are many."""
    if len(names) > MANY:
        return f"{len(names)} published figures"
    return f"The published figures of {_list(names)}"


def _list(names: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
