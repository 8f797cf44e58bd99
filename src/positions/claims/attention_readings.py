"""What the attention records say, ready for a claim's test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.length_readings import FITTED
from positions.claims.rules import LEVEL, Step, correct, decide, explain_figures, explain_steps
from positions.experiments.attention import readings
from positions.experiments.attention.config import NAME
from positions.words import many

BySeed = dict[Any, float]


class AttentionReadings:
    """The runs behind one claim, on one task.

    Left out: runs whose model has not learned its training lengths (`FITTED`), and comparisons
    with one that has not.
    """

    def __init__(self, evidence: Evidence, task: str) -> None:
        self.preset, self.task = evidence.preset, task
        self._records = [
            record for record in evidence.records(NAME) if readings.task_of(record.config) == task
        ]
        every = readings.runs(self._records)
        self._recorded = every.groupby("variant").seed.count()
        self.runs = every[every.iid >= FITTED]
        table = readings.divergences(self._records)
        self.divergences = table[(table.iid >= FITTED) & (table.other_iid >= FITTED)]

    def missing(self, *variants: str) -> list[str]:
        """Return those of these variants that nothing is recorded for."""
        return [name for name in variants if name not in self._recorded.index]

    def shares(self, metric: str, *variants: str) -> dict[str, BySeed]:
        """Return a metric of runs, such as `near`, by variant and seed."""
        return {
            name: self.runs[self.runs.variant == name].set_index("seed")[metric].to_dict()
            for name in variants
        }

    def apart(self, against: str, form: str, *variants: str) -> dict[str, BySeed]:
        """Return divergences by variant and seed, in the mean over layers and lengths."""
        table = self.by_layer(against, form)
        return {name: _column(table, name).groupby("seed").mean().to_dict() for name in variants}

    def by_layer(self, against: str, form: str) -> pd.DataFrame:
        """Return divergences by seed and layer (rows) and variant, in the mean over lengths."""
        chosen = self.divergences
        chosen = chosen[(chosen.against == against) & (chosen.form == form)]
        return chosen.pivot_table(index=["seed", "layer"], columns="variant", values="divergence")

    def untested(self, claim: Claim, *variants: str) -> Finding:
        """Say that there is nothing to judge by, and how to get it."""
        return untested(
            claim,
            f"No recorded runs of {', '.join(self.missing(*variants))} on {self.task}: it takes "
            f"{claim.missing}. `positions sweep {NAME} --preset {self.preset}` records them.",
        )

    def finding(
        self,
        steps: Sequence[Step],
        figures: Sequence[Figure],
        context: Iterable[str],
        *variants: str,
    ) -> Finding:
        """Put a finding together from steps, figures and what there is to say beside them."""
        corrected = correct(steps)
        too_few = _too_few(corrected)
        status: Status = "undecided" if too_few else decide(corrected, figures)
        parts = [
            too_few,
            explain_steps(corrected) if corrected else "",
            explain_figures(figures, "95 % interval") if corrected else "",
            *context,
            self._unfitted(variants),
        ]
        keys = tuple(record.key for record in self._records)
        return Finding(status, " ".join(part for part in parts if part), tuple(figures), keys)

    def _unfitted(self, variants: Iterable[str]) -> str:
        """Name the runs that have not learned their training lengths."""
        left = self.runs.groupby("variant").seed.count()
        gone = {name: self._recorded.get(name, 0) - left.get(name, 0) for name in variants}
        spelt = [
            f"{name} {count} of {many(self._recorded[name], 'seed')}"
            for name, count in gone.items()
            if count
        ]
        if not spelt:
            return ""
        return f"Left out, having in-distribution accuracy below {FITTED}: {', '.join(spelt)}."


def _too_few(steps: Sequence[Step]) -> str:
    """Say why no outcome could have given a verdict; empty where one could."""
    if not steps:
        return "No seed has runs of all encodings that have learned their training lengths."
    fewest = min(step.difference.n for step in steps)
    lowest = min(1.0, len(steps) * 2.0 ** (1 - fewest))
    if lowest < LEVEL:
        return ""
    seeds = many(fewest, "seed")
    return f"{seeds} cannot give a corrected p below {lowest:.2g}, which is too few to judge by."


def least(values: dict[str, BySeed]) -> BySeed:
    """Return the least of several variants, seed by seed, where all have one."""
    return _joined(values).min(axis=1).to_dict()


def greatest(values: dict[str, BySeed]) -> BySeed:
    """Return the greatest of several variants, seed by seed, where all have one."""
    return _joined(values).max(axis=1).to_dict()


def _joined(values: dict[str, BySeed]) -> pd.DataFrame:
    return pd.DataFrame(values).dropna()


def _column(table: pd.DataFrame, name: str) -> pd.Series:
    """Return one variant's column, empty where it has none."""
    return table[name].dropna() if name in table else pd.Series(dtype=float, index=table.index[:0])
