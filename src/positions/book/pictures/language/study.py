"""The recorded runs that the chapter looks at, which are missing, and means over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions.analysis.statistics import interval
from positions.book import records as records_
from positions.book.pictures.labels import label
from positions.experiments.language_modelling import readings
from positions.experiments.language_modelling.config import NAME
from positions.experiments.language_modelling.readings import RANDOM_TRAINED, TRAINED
from positions.experiments.language_modelling.start import MADE_HERE
from positions.experiments.language_modelling.text import CAUSAL, MASKED, Objective
from positions.runs import Record
from positions.tasks.corpora import generated

NOTHING = "No runs on real text are recorded yet."
NATS = "nats a token"
COLOURS = {"masked": "#0797ff", "causal": "#f85e13"}
"""One colour an objective; the book's colours of tables stay with tables."""


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen tables.

    `runs` and `costs`: as `readings.runs` and `readings.skipped` give them, of real text; `made_up`
    holds the plain runs on the generated language, which are in nothing else. `order`: the tables
    chosen, in the book's order; `tables`: those of them with plain runs of real text. `missing`:
    table, number of the preset's runs that are not recorded, and of all its runs.
    """

    preset: str
    records: Sequence[Record]
    runs: pd.DataFrame
    costs: pd.DataFrame
    made_up: pd.DataFrame
    order: Sequence[str]
    tables: Sequence[str]
    missing: Sequence[tuple[str, int, int]]

    @property
    def plain(self) -> pd.DataFrame:
        """The runs with the first rows of a table, one after the other."""
        return self.runs[readings.is_plain(self.runs)]


def choose(records: Sequence[Record], preset: str, tables: Iterable[str]) -> Study:
    """Choose runs by table, and find what the preset lacks.

    The tables that the host makes itself are always among them. Raises `InvalidValueError` where
    two runs are of one kind.
    """
    wanted = list(dict.fromkeys([*MADE_HERE, *tables]))
    kept = [record for record in records if record.config["table"] in wanted]
    real = [record for record in kept if record.config["corpus"] != generated.NAME]
    made_up = [record for record in kept if record.config["corpus"] == generated.NAME]
    runs, generated_runs = readings.runs(real), readings.runs(made_up)
    order = list(dict.fromkeys(["zeros", "random", RANDOM_TRAINED, *wanted]))
    known = set(runs[readings.is_plain(runs)]["table"])
    return Study(
        preset,
        kept,
        runs,
        readings.skipped(real),
        generated_runs[readings.is_plain(generated_runs)],
        order,
        [name for name in order if name in known],
        _missing(records, preset, wanted),
    )


def notice(study: Study) -> HTML:
    """Return a note that says which runs of the preset are not recorded; empty if all are."""
    if not study.records:
        return HTML("")
    count = sum(lacking for _, lacking, _ in study.missing)
    items = [
        f"{escape(title(name))}: {'all' if lacking == whole else f'{lacking} of {whole}'}"
        for name, lacking, whole in study.missing
    ]
    more = (
        "What takes a table or a text that is not at hand is left out, and <code>positions "
        "data</code> says how to get them."
    )
    return records_.notice(NAME, study.preset, count, len(study.records), items, more)


def title(table: str) -> str:
    """Return the name of a table as charts show it."""
    name, comma, rest = table.partition(f", {TRAINED}")
    return f"{label(name)}{comma}{rest}"


def objective(name: Objective) -> str:
    """Return what a chart calls the models of an objective."""
    return {MASKED: "masked (BERT's kind)", CAUSAL: "causal (GPT-2's kind)"}[name]


def over_seeds(runs: pd.DataFrame, score: str, *by: str) -> pd.DataFrame:
    """Return *by, mean, low, high, seeds of a score, with 95 % intervals.

    A single seed has no interval, and low and high are its mean.
    """
    known = runs.dropna(subset=score)
    parts = []
    for keys, part in known.groupby(list(by), sort=False):
        found = interval(part[score])
        low, high = (found.mean, found.mean) if found.n == 1 else (found.low, found.high)
        parts.append([*keys, found.mean, low, high, found.n])
    return pd.DataFrame(parts, columns=[*by, "mean", "low", "high", "seeds"])


def _missing(
    records: Sequence[Record], preset: str, tables: Sequence[str]
) -> list[tuple[str, int, int]]:
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    counts = {name: [0, 0] for name in tables}
    for config in experiment.configs(preset):
        if config.table in counts:
            counts[config.table][0] += experiment.key(config) not in here
            counts[config.table][1] += 1
    return [(name, lacking, whole) for name, (lacking, whole) in counts.items() if lacking]
