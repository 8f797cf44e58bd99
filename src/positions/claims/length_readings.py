"""What the length-generalization records say, ready for a claim's test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from positions import tasks
from positions.analysis.ranking import Ranked, reciprocal_ranks
from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.rules import Step, compare, correct, decide, explain_figures, explain_steps
from positions.experiments.length_generalization.readings import (
    GROUPS,
    PAPER_VARIANTS,
    scores,
    single,
)
from positions.runs import frame
from positions.words import many

NAME = "length_generalization"
FITTED = 0.85
"""Exact match within the training lengths from which a run is compared beyond them.

A model that has not learned the short inputs shows nothing of what its encoding does with long
ones. The paper's own means begin at 0.875 (PCFG), so that none of its comparisons would be lost.
"""
ENOUGH = 0.5
"""The share of a claim's tasks that must be left to compare."""
SEEDS = 3
"""Seeds, the paper's number, that most tasks must have: less may be one seed's luck."""
BEYOND = 0.05
"""Exact match above chance from which a task ranks the encodings: about the noise of three seeds.

Where nobody gets there, the order is one of guesses.
"""
SHARE = "in exact match"
WHOLE = "rotary, whole"
_COLUMNS = ["task", "group", "variant", "seed", "accuracy", "iid", "chance"]


class LengthReadings:
    """The runs behind one claim: those of its tasks, of the paper's 17, that a preset has recorded.

    `table` is `readings.scores`, one row a run. A run that diverged or has not learned its training
    lengths (`FITTED`) stays in it but has no accuracy, so that nothing compares it.
    """

    def __init__(self, evidence: Evidence, tasks: Iterable[str] = GROUPS) -> None:
        self.tasks = list(tasks)
        self.preset = evidence.preset
        records = evidence.records(NAME)
        # raises where a file mixes settings: no verdict is better than one on a mixture
        table = scores(frame(single(records))) if records else pd.DataFrame(columns=_COLUMNS)
        self.table = table[table.task.isin(self.tasks)]
        fitted = self.table.iid >= FITTED
        self.table = self.table.assign(accuracy=self.table.accuracy.where(fitted))
        self._longest = {each.config["task"]: int(each.config["longest"]) for each in records}

    def missing(self, *variants: str) -> list[str]:
        """Return those of these variants that nothing is recorded for."""
        return [name for name in variants if name not in set(self.table.variant)]

    def runs(self, *variants: str) -> pd.DataFrame:
        """Return the accuracy by task and seed (rows) and variant, where all of them have one."""
        chosen = self.table[self.table.variant.isin(variants)]
        wide = chosen.pivot(index=["task", "seed"], columns="variant", values="accuracy")
        return wide.reindex(columns=list(variants)).dropna()

    def by_task(self, *variants: str) -> pd.DataFrame:
        """Return the same, in the mean over the seeds of each task."""
        return in_order(self.runs(*variants).groupby(level="task").mean())

    def ranked(self, variants: Sequence[str] = PAPER_VARIANTS) -> Ranked:
        """Return 1 / rank by query; equal scores share their mean rank.

        Only tasks on which one of the variants is beyond chance have queries.
        """
        ranked = reciprocal_ranks(self.table, variants, ties="mean")
        guessed = at_chance(self.table, variants)
        return Ranked(ranked.table.drop(guessed, level="task"), ranked.dropped)

    def steps(
        self, pairs: Iterable[tuple[str, str]], effect: float, unit: str = SHARE
    ) -> tuple[list[Step], int]:
        """Compare two variants over tasks, each pair on its own, and count the fewest tasks.

        A task counts once, as the mean over its seeds: runs of one task are no independent
        witnesses of what would happen on another.
        """
        steps: list[Step] = []
        fewest = len(self.tasks)
        for less, more in pairs:
            means = self.by_task(less, more)
            fewest = min(fewest, len(means))
            steps += compare([(less, more)], by_column(means), effect, unit)
        return steps, fewest

    def untested(self, claim: Claim, *variants: str) -> Finding:
        """Say that there is nothing to judge by, and how to get it."""
        return untested(
            claim,
            f"No recorded runs of {', '.join(self.missing(*variants))}: it takes {claim.missing}. "
            f"`positions sweep {NAME} --preset {self.preset}` records them.",
        )

    def finding(
        self,
        steps: Sequence[Step],
        figures: Sequence[Figure],
        context: str = "",
        too_little: str = "",
        paired_by: str = "task",
        variants: Sequence[str] = PAPER_VARIANTS,
        only_fitted: bool = True,
    ) -> Finding:
        """Put a finding together from steps, figures and what is left out.

        `too_little` says what is not enough to judge by. Then steps that fail still refute the
        claim, and nothing else is decided: give no steps where the whole rests on too little.
        `only_fitted`: whether runs that have not learned their training lengths were left out.
        """
        corrected = correct(steps)
        status: Status = decide(corrected, figures) if corrected else "undecided"
        if too_little and status != "not reproduced":
            status = "undecided"
        few_seeds = self._few_seeds(variants)
        if few_seeds:
            status = "undecided"
        parts = [
            few_seeds,
            too_little,
            explain_steps(corrected, paired_by) if corrected else "",
            explain_figures(figures, "95 % interval") if corrected else "",
            context,
            self._unfitted(variants) if only_fitted else "",
            self._unrecorded(variants),
            self._shorter(),
        ]
        reason = " ".join(part.strip() for part in parts if part)
        return Finding(status, reason, tuple(figures), self.keys(variants))

    def keys(self, variants: Iterable[str]) -> tuple[str, ...]:
        """Return the keys of all records of these variants."""
        return tuple(map(str, self.table.index[self.table.variant.isin(list(variants))]))

    def _few_seeds(self, variants: Sequence[str]) -> str:
        """Say that most tasks lack seeds; empty where they have enough."""
        chosen = self.table[self.table.variant.isin(list(variants))]
        seeds = chosen.groupby(["task", "variant"]).seed.nunique().groupby("task").min()
        few = int((seeds < SEEDS).sum())
        if 2 * few <= len(seeds):
            return ""
        have = "has" if few == 1 else "have"
        count = many(len(seeds), "task")
        return f"{few} of {count} {have} fewer than {SEEDS} seeds, too few to judge by."

    def _unfitted(self, variants: Sequence[str]) -> str:
        """Name the runs that have not learned their training lengths."""
        chosen = self.table[self.table.variant.isin(list(variants))]
        parts = []
        for task, rows in chosen.groupby("task", sort=False):
            gone = rows.accuracy.isna().groupby(rows.variant, sort=False)
            counts = {name: (int(lost.sum()), len(lost)) for name, lost in gone}
            spelt = [
                str(name) if lost == runs else f"{name} {lost} of {many(runs, 'seed')}"
                for name, (lost, runs) in counts.items()
                if lost
            ]
            if spelt:
                whole = set(spelt) == set(variants)
                parts.append(f"{task} ({'all' if whole else ', '.join(spelt)})")
        if not parts:
            return ""
        diverged = int(chosen.iid.isna().sum())
        of_these = f" ({diverged} of these runs diverged)" if diverged else ""
        return (
            f"Left out, having in-distribution accuracy below {FITTED}: {'; '.join(parts)}"
            f"{of_these}."
        )

    def _unrecorded(self, variants: Sequence[str]) -> str:
        """Name the tasks in which one of the variants has no run."""
        found = set(zip(self.table.task, self.table.variant, strict=True))
        gone = [task for task in self.tasks if any((task, name) not in found for name in variants)]
        return f"Not recorded for all encodings compared: {', '.join(gone)}." if gone else ""

    def _shorter(self) -> str:
        """Name the tasks trained on shorter inputs than the paper's, compared all the same."""
        recorded = [task for task in self.tasks if task in set(self.table.task)]
        full = [task for task in recorded if self._longest[task] >= tasks.build(task).longest]
        shorter = [task for task in recorded if task not in full]
        if not shorter:
            return ""
        if len(shorter) <= len(full):
            return f"Trained on shorter inputs than the paper's: {', '.join(shorter)}."
        but = f" but {', '.join(full)}" if full else ""
        return f"All recorded tasks{but} were trained on shorter inputs than the paper's."


def at_chance(scores: pd.DataFrame, variants: Sequence[str]) -> list[str]:
    """Return the tasks on which none of these variants is `BEYOND` above chance.

    `scores` has task, variant, accuracy (NaN: does not count) and chance, one row a run; accuracies
    are means over seeds. Only tasks with a seed in which all variants count are among those
    returned: of the others nothing is known.
    """
    counted = scores[scores.variant.isin(list(variants))].dropna(subset="accuracy")
    by_query = counted.groupby(["task", "seed"]).variant.nunique()
    whole = by_query.index[by_query == len(variants)].unique("task")
    counted = counted[counted.task.isin(whole)]
    means = counted.groupby(["task", "variant"], sort=False)[["accuracy", "chance"]].mean()
    best = (means.accuracy - means.chance).groupby(level="task", sort=False).max()
    return list(best.index[best < BEYOND - 1e-9])


def in_order(by_task: pd.DataFrame) -> pd.DataFrame:
    """Return rows of tasks in the paper's order."""
    return by_task.loc[[task for task in GROUPS if task in by_task.index]]


def by_column(table: pd.DataFrame) -> dict[str, dict[Any, float]]:
    """Return each column as a dict from the table's rows, as `rules.compare` takes it."""
    return {str(name): column.to_dict() for name, column in table.items()}


def too_few(compared: int, of: int, what: str = "tasks") -> str:
    """Say that fewer than `ENOUGH` of the tasks can be compared; empty where there are enough."""
    if compared >= ENOUGH * of:
        return ""
    return f"Only {compared} of {of} {what} can be compared, which is too few to judge by."
