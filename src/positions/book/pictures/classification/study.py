"""The recorded runs that the chapter looks at, which are missing, and means over them."""

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
from positions.errors import unknown_name
from positions.experiments.classification import readings
from positions.experiments.classification.config import NAME
from positions.experiments.classification.presets import COPIES, TABLES
from positions.experiments.classification.start import MADE_HERE
from positions.runs import Record
from positions.tasks.sentences import GENERATED, SETS

MEAN = "mean of the sets"
COPIES_TOGETHER = "BERT copies"
NOTHING = "No runs of the published sets are recorded yet."


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen tables and sets.

    `runs`: as `readings.runs` gives them, the generated set included; in all that is called a set
    it is not. `sets` and `tables`: those recorded, in the book's order. `missing`: table and number
    of the preset's runs that are not recorded, and of all its runs.
    """

    preset: str
    records: Sequence[Record]
    runs: pd.DataFrame
    sets: Sequence[str]
    tables: Sequence[str]
    missing: Sequence[tuple[str, int, int]]

    def of(self, *arms: str) -> pd.DataFrame:
        """Return the runs of these arms on the published sets."""
        runs = self.runs
        return runs[runs["arm"].isin(arms) & runs["task"].isin(self.sets)]


def choose(
    records: Sequence[Record], preset: str, tables: Iterable[str], sets: Iterable[str]
) -> Study:
    """Choose runs by table and set, and find what the preset lacks.

    The tables that the host makes itself, and the generated set, are always among them. Raises
    `UnknownNameError` for an unknown set, `InvalidValueError` where two runs are of one kind.
    """
    wanted, names = [*MADE_HERE, *tables], list(sets)
    for name in names:
        if name not in SETS:
            raise unknown_name("set of sentences", name, SETS)
    kept = [
        record
        for record in records
        if record.config["table"] in wanted and record.config["task"] in (*names, GENERATED)
    ]
    runs = readings.runs(kept)
    real = runs[runs["task"] != GENERATED]
    order = [name for name in TABLES if name in wanted]
    order += [name for name in wanted if name not in order]
    return Study(
        preset,
        kept,
        runs,
        readings.published_first(real["task"].unique()),
        [name for name in order if name in set(runs["table"])],
        _missing(records, preset, order, names),
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
        "What takes a table or sentences that are not at hand is left out, and <code>positions "
        "data</code> says how to get them."
    )
    return records_.notice(NAME, study.preset, count, len(study.records), items, more)


def title(table: str) -> str:
    """Return the name of a table as charts show it."""
    return COPIES_TOGETHER if table == COPIES_TOGETHER else label(table)


def titles(names: Iterable[str]) -> list[str]:
    """Return the titles of sets, and of their mean."""
    return [SETS[name].title if name in SETS else name for name in names]


def groups(study: Study) -> dict[str, list[str]]:
    """Return the tables to be compared by name; BERT's copies are taken together."""
    copies = [name for name in study.tables if name in COPIES]
    found: dict[str, list[str]] = {}
    for name in study.tables:
        if name not in COPIES:
            found[name] = [name]
        elif copies[0] == name:
            found[COPIES_TOGETHER] = copies
    return found


def over_seeds(runs: pd.DataFrame, score: str, *by: str) -> pd.DataFrame:
    """Return task, *by, mean, low, high, seeds of a score in percent, with 95 % intervals.

    Besides the tasks there is `MEAN`, over the tasks that all of the combinations have, of the
    seeds that have them all. A single seed has no interval, and low and high are its mean.
    """
    columns = ["task", *by, "mean", "low", "high", "seeds"]
    known = runs.dropna(subset=score)
    parts = [_summary(part, score, keys) for keys, part in known.groupby(["task", *by], sort=False)]
    wide = known.pivot_table(index=[*by, "seed"], columns="task", values=score)
    shared = wide.dropna().mean(axis=1).reset_index(name=score)
    parts += [
        _summary(part, score, (MEAN, *keys)) for keys, part in shared.groupby(list(by), sort=False)
    ]
    return pd.DataFrame(parts, columns=columns)


def _summary(part: pd.DataFrame, score: str, keys: tuple[object, ...]) -> list[object]:
    found = interval(100 * part[score])
    low, high = (found.mean, found.mean) if found.n == 1 else (found.low, found.high)
    return [*keys, found.mean, low, high, found.n]


def _missing(
    records: Sequence[Record], preset: str, tables: Sequence[str], sets: Sequence[str]
) -> list[tuple[str, int, int]]:
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    counts = {name: [0, 0] for name in tables}
    for config in experiment.configs(preset):
        if config.table in counts and config.task in (*sets, GENERATED):
            counts[config.table][0] += experiment.key(config) not in here
            counts[config.table][1] += 1
    return [(name, lacking, whole) for name, (lacking, whole) in counts.items() if lacking]
