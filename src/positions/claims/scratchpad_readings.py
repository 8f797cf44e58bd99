"""What the scratchpad records say, ready for a claim's test."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.length_readings import FITTED, SEEDS, too_few
from positions.claims.rules import Step, correct, decide, explain_figures, explain_steps
from positions.experiments.length_generalization.readings import PAPER_VARIANTS
from positions.experiments.scratchpad.config import NAME, TASKS
from positions.experiments.scratchpad.presets import formats_of
from positions.experiments.scratchpad.readings import choices, label, scores
from positions.runs import frame
from positions.words import many

_CELL = ["task", "variant"]


class ScratchpadReadings:
    """The runs behind one claim: the paper's five encodings on the tasks that have steps.

    `table` is `readings.scores` of the tasks that have runs in all of the paper's formats: else
    the best of them might be missing. A run that diverged or has not learned its training lengths
    (`FITTED`) stays in it without an accuracy, so that nothing compares it.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.preset = evidence.preset
        records = evidence.records(NAME)
        columns = [*_CELL, "format", "seed", "accuracy", "iid"]
        # raises where a file mixes settings: no verdict is better than one on a mixture
        every = scores(frame(records)) if records else pd.DataFrame(columns=columns)
        every = every[every.variant.isin(PAPER_VARIANTS) & every.task.isin(TASKS)]
        self._recorded = set(every.variant)
        self._lacking = {
            str(task): [name for name in formats_of(str(task)) if name not in set(part.format)]
            for task, part in every.groupby("task", sort=False)
        }
        self.tasks = [task for task, lacking in self._lacking.items() if not lacking]
        table = every[every.task.isin(self.tasks)]
        self.table = table.assign(accuracy=table.accuracy.where(table.iid >= FITTED))

    def missing(self) -> list[str]:
        """Return those of the five encodings that nothing is recorded for."""
        return [name for name in PAPER_VARIANTS if name not in self._recorded]

    def choices(self) -> pd.DataFrame:
        """Return accuracy without scratchpad, with the best and the worst format, by run."""
        return choices(self.table)

    def untested(self, claim: Claim) -> Finding:
        """Say that there is nothing to judge by, and how to get it."""
        return untested(
            claim,
            f"No recorded runs of {', '.join(self.missing())}: it takes {claim.missing}. "
            f"`positions sweep {NAME} --preset {self.preset}` records them.",
        )

    def finding(
        self,
        steps: Sequence[Step],
        figures: Sequence[Figure],
        context: str,
        paired_by: str,
        too_little: str = "",
    ) -> Finding:
        """Put a finding together from steps, figures and what there is to say beside them.

        `too_little` says what is not enough to bear the claim out; steps that fail still refute it.
        """
        corrected = correct(steps)
        status: Status = decide(corrected, figures) if corrected else "undecided"
        if too_little and status != "not reproduced":
            status = "undecided"
        nothing = self._few_seeds() or too_few(len(self.tasks), len(TASKS))
        parts = [
            nothing or ("" if corrected else "No two runs can be compared."),
            too_little,
            explain_steps(corrected, paired_by) if corrected else "",
            explain_figures(figures, "95 % interval") if corrected else "",
            context,
            self._unfitted(),
            self._unrecorded(),
        ]
        return Finding(
            "undecided" if nothing else status,
            " ".join(part.strip() for part in parts if part),
            tuple(figures),
            tuple(map(str, self.table.index)),
        )

    def _few_seeds(self) -> str:
        """Say that most tasks lack seeds; empty where they have enough."""
        cells = self.table.groupby([*_CELL, "format"]).seed.nunique()
        seeds = cells.groupby("task").min()
        few = int((seeds < SEEDS).sum())
        if 2 * few <= len(seeds):
            return ""
        have = "has" if few == 1 else "have"
        count = many(len(seeds), "task")
        return f"{few} of {count} {have} fewer than {SEEDS} seeds, too few to judge by."

    def _unfitted(self) -> str:
        """Say how many runs of each task have not learned their training lengths."""
        lost = self.table.accuracy.isna().groupby(self.table.task, sort=False)
        parts = [
            f"{task!s} {gone.sum()} of {many(len(gone), 'run')}"
            for task, gone in lost
            if gone.any()
        ]
        if not parts:
            return ""
        return f"Left out, having in-distribution accuracy below {FITTED}: {'; '.join(parts)}."

    def _unrecorded(self) -> str:
        """Name the tasks, and the formats of tasks, that are not recorded."""
        parts = []
        none = [task for task in TASKS if task not in self._lacking]
        if none:
            parts.append(f"Not recorded: {', '.join(none)}.")
        lacking = [
            f"{task} ({', '.join(map(label, names))})"
            for task, names in self._lacking.items()
            if names
        ]
        if lacking:
            parts.append(f"Not compared, for want of formats: {'; '.join(lacking)}.")
        return " ".join(parts)
