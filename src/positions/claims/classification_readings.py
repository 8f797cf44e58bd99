"""What the classification records say, ready for a claim's test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from positions.analysis.texts import interaction
from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.rules import (
    LEVEL,
    Step,
    correct,
    decide,
    explain_figures,
    explain_steps,
    figure,
)
from positions.claims.table_readings import BERT, COPIES
from positions.experiments.classification import readings
from positions.experiments.classification.config import NAME
from positions.tasks.sentences import SETS
from positions.words import many

SEEDS = 5
"""Fewer of any table are too few to judge by."""
PERCENT = 100.0

Key = tuple[str, int]


class ClassificationReadings:
    """The runs behind one claim: the paper's arm, on the seven published sets.

    BERT's table stands for itself where it is recorded, else the mean of its recorded copies.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.preset = evidence.preset
        self.records = [
            record
            for record in evidence.records(NAME)
            if record.config["task"] in SETS and readings.arm(record.config) == readings.PAPER
        ]
        self.runs = readings.runs(self.records)

    def tables(self, name: str) -> list[str]:
        """Return the recorded tables that a name stands for."""
        recorded = set(self.runs["table"])
        if name == BERT and BERT not in recorded:
            return [copy for copy in COPIES if copy in recorded]
        return [name] if name in recorded else []

    def recorded(self, *names: str) -> list[str]:
        """Return those of these names that something is recorded for."""
        return [name for name in names if self.tables(name)]

    def missing(self, *names: str) -> list[str]:
        """Return those of these names that nothing is recorded for."""
        return [name for name in names if not self.tables(name)]

    def percent(self, name: str, score: str = "accuracy") -> dict[Key, float]:
        """Return a score in percent by task and seed, in the mean over the copies of a table."""
        chosen = self.runs[self.runs["table"].isin(self.tables(name))]
        means = chosen.groupby(["task", "seed"])[score].mean().reset_index()
        rows = zip(means["task"], means["seed"], means[score], strict=True)
        return {(str(task), int(seed)): PERCENT * value for task, seed, value in rows}

    def up_to(self, words: int, fewest: int, *names: str) -> dict[str, dict[Key, float]]:
        """Return accuracy in percent on texts of up to so many words, by table, task and seed.

        A task and seed with fewer such texts than `fewest` are left out.
        """
        found: dict[str, dict[Key, list[float]]] = {name: {} for name in names}
        owner = {table: name for name in names for table in self.tables(name)}
        for record in readings.usable(self.records):
            name = owner.get(record.config["table"])
            if name is None:
                continue
            table = readings.answers(record)
            short = table[table["words"] <= words]
            if len(short) >= fewest:
                key = record.config["task"], record.config["seed"]
                found[name].setdefault(key, []).append(PERCENT * short["right"].mean())
        return {
            name: {key: float(np.mean(values)) for key, values in keyed.items()}
            for name, keyed in found.items()
        }

    def slopes(self, less: str, more: str) -> dict[str, float]:
        """Return by task how the lead of `more` over `less` grows with log length, in log odds."""
        pairs = [
            readings.pairs(self.records, one, other)
            for one in self.tables(more)
            for other in self.tables(less)
        ]
        table = pd.concat(pairs, ignore_index=True) if pairs else pd.DataFrame({"task": []})
        found = {}
        for task, part in table.groupby("task", sort=False):
            slope = interaction(
                part["one"], part["other"], np.log(part["words"].astype(float)), part["text"]
            )
            if np.isfinite(slope.value):
                found[str(task)] = slope.value
        return found

    def seeds(self, *names: str) -> int:
        """Return the fewest seeds that one of these tables has on a task it is recorded on."""
        counts = [
            self.runs[self.runs["table"] == table].groupby("task")["seed"].nunique().min()
            for name in names
            for table in self.tables(name)
        ]
        return int(min(counts, default=0))

    def means(self, *names: str) -> list[Figure]:
        """Return the score as the paper reports it, in the mean over the sets, by table."""
        return [
            figure(f"{name}, mean of the sets", _means_by_seed(self.percent(name, "reported")))
            for name in self.recorded(*names)
        ]

    def cells(self, claim: Claim) -> list[Figure]:
        """Return each accuracy that is published, by set and table, and ours beside it."""
        found = []
        for cell, printed in claim.published().items():
            task, name = cell.split(", ")
            scores = self.percent(name, "reported")
            ours = [value for (other, _), value in scores.items() if other == task]
            found.append(figure(cell, ours, printed))
        return found

    def untested(self, claim: Claim, *names: str) -> Finding:
        """Say that there is nothing to judge by, and how to get it."""
        return untested(
            claim,
            f"No recorded runs for: {', '.join(self.missing(*names))}. `positions data` says how "
            "to get sentences and tables, and "
            f"`positions sweep {NAME} --preset {self.preset}` records what is at hand.",
        )

    def finding(
        self,
        steps: Sequence[Step],
        figures: Sequence[Figure],
        names: Sequence[str],
        unit: str,
        context: Iterable[str] = (),
    ) -> Finding:
        """Put a finding together from steps, figures and what there is to say beside them."""
        corrected = correct(steps)
        too_few = self._too_few(corrected, unit, *names)
        status: Status = "undecided" if too_few else decide(corrected, figures)
        parts = [
            too_few,
            explain_steps(corrected, unit) if corrected else "",
            explain_figures(figures) if corrected else "",
            *context,
            self._caveats(*names),
        ]
        keys = tuple(record.key for record in self.records)
        return Finding(status, " ".join(part for part in parts if part), tuple(figures), keys)

    def _too_few(self, steps: Sequence[Step], unit: str, *names: str) -> str:
        """Say why no verdict can be given; empty where one can."""
        seeds = self.seeds(*names)
        if seeds < SEEDS:
            return f"There are runs of {many(seeds, 'seed')}, and {SEEDS} of each table are needed."
        if not steps:
            return "No set has enough texts that tell."
        fewest = min(step.difference.n for step in steps)
        lowest = min(1.0, len(steps) * 2.0 ** (1 - fewest))
        if lowest < LEVEL:
            return ""
        return (
            f"{many(fewest, 'pair')} by {unit} cannot give a corrected p below {lowest:.2g}, which "
            "is too few to judge by."
        )

    def _caveats(self, *names: str) -> str:
        """Say which tables are missing or represented by others, and which sets have no runs."""
        words = []
        if BERT in names and set(self.tables(BERT)) & set(COPIES):
            count = len(self.tables(BERT))
            noun = "copies" if count > 1 else "copy"
            words.append(f"BERT is represented by {count} fine-tuned {noun} of its table.")
        words += [
            f"{name} has no recorded runs, so it is left out." for name in self.missing(*names)
        ]
        tasks = set(self.runs["task"])
        absent = [known.title for task, known in SETS.items() if task not in tasks]
        if absent and tasks:
            words.append(f"Without {', '.join(absent)}.")
        return " ".join(words)


def _means_by_seed(values: Mapping[Any, float]) -> list[float]:
    """Return the mean over tasks of each seed that all tasks have."""
    table = pd.Series(dict(values), dtype=float)
    if not len(table):
        return []
    wide = table.unstack(level=0).dropna()
    return [float(value) for value in wide.mean(axis=1)]
