"""The recorded runs that the chapter looks at, which of them count, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions.analysis.statistics import intervals
from positions.book import records as records_
from positions.book.pictures.length.names import encoding, listed, many
from positions.book.pictures.length.study import LEARNED
from positions.experiments.attention import readings
from positions.experiments.attention.config import NAME
from positions.experiments.length_generalization.readings import VARIANTS, variant
from positions.runs import Record

SCAN, ADDITION = "scan", "addition, full scratchpad"
TASKS = {SCAN: "SCAN", ADDITION: "addition with steps"}
"""Tasks as records name them and as charts do."""


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen encodings.

    `runs`, `divergences`, `distances`: as `readings` gives them, without models that have not
    learned their training lengths and comparisons with one (at preset `smoke` nothing is learned,
    and all are kept). `every`: all runs. `missing`: task, variant and seed of those that the preset
    has and the records lack.
    """

    preset: str
    records: Sequence[Record]
    every: pd.DataFrame
    runs: pd.DataFrame
    divergences: pd.DataFrame
    distances: pd.DataFrame
    variants: Sequence[str]
    missing: Sequence[tuple[str, str, int]]


def choose(records: Sequence[Record], preset: str, encodings: Iterable[str]) -> Study:
    """Choose runs by encoding, keep what has learned its task, and find what the preset lacks.

    NoPE is what all others are compared with, whether it is among the encodings or not. Raises
    `InvalidValueError` where two runs share task, encoding and seed.
    """
    wanted = list(encodings)
    kept = [record for record in records if record.config["encoding"] in wanted]
    every = readings.runs(kept)
    least = 0.0 if preset == "smoke" else LEARNED
    runs = every[every["iid"] >= least]
    table = readings.divergences(kept)
    table = table[(table["iid"] >= least) & (table["other_iid"] >= least)]
    far = readings.distances(kept).merge(runs[readings.IDENTITY], on=readings.IDENTITY)
    found = set(every["variant"])
    known = [name for name in VARIANTS if name in found]
    variants = [*known, *sorted(found - set(known))]
    return Study(preset, kept, every, runs, table, far, variants, _missing(records, preset, wanted))


def notice(study: Study) -> HTML:
    """Return a note that says which runs of the preset are not recorded; empty if all are."""
    if not study.records:
        return HTML("")
    table = pd.DataFrame(study.missing, columns=["task", "variant", "seed"])
    items = [
        f"{escape(TASKS.get(str(name), str(name)))}: {escape(_lacking(part))}"
        for name, part in table.groupby("task", sort=False)
    ]
    return records_.notice(NAME, study.preset, len(table), len(study.records), items)


def learned(study: Study) -> str:
    """Say how many models have learned their task, and which are left out."""
    if not len(study.every):
        return "No run of this preset is recorded yet."
    if study.preset == "smoke":
        return "At this preset no model has learned anything, and all are shown."
    gone = study.every[study.every["iid"] < LEARNED]
    said = (
        f"Of {many(len(study.every), 'model')}, {len(study.runs)} "
        f"{'solves' if len(study.runs) == 1 else 'solve'} at least {LEARNED:.0%} within the "
        "training lengths"
    )
    if not len(gone):
        return f"{said}."
    parts = [
        f"on {TASKS.get(str(task), task)} {listed(dict.fromkeys(map(encoding, part['variant'])))}"
        for task, part in gone.groupby("task", sort=False)
    ]
    return f"{said}. The others are left out of all that follows: {'; '.join(parts)}."


def solved(study: Study) -> pd.DataFrame:
    """Return one row an encoding: what its models solve within and beyond, mean over seeds."""
    columns: dict[tuple[str, str], dict[str, str]] = {}
    for task, title in TASKS.items():
        runs = study.every[study.every["task"] == task]
        for name, part in runs.groupby("variant", sort=False):
            found = {
                "seeds": str(len(part)),
                "within": _percent(part["iid"]),
                "beyond": _percent(part["ood"]),
            }
            for what, value in found.items():
                columns.setdefault((title, what), {})[str(name)] = value
    rows = [name for name in study.variants if any(name in found for found in columns.values())]
    return pd.DataFrame(columns).reindex(rows).fillna("none")


def titled(found: Iterable[str]) -> list[str]:
    """Return the names of tasks as charts show them, SCAN first."""
    here = set(found)
    return [TASKS[name] for name in TASKS if name in here] + sorted(here - set(TASKS))


def over_seeds(table: pd.DataFrame, value: str, *by: str) -> pd.DataFrame:
    """Return mean, low, high (a 95 % interval over seeds) and seeds of `value`.

    One row a task, variant and combination of `by`. Seeds that lack one of a variant's
    combinations are left out of it; a single seed has no interval, and low and high are its mean.
    """
    columns = ["task", "variant", *by, "mean", "low", "high", "seeds"]
    parts = []
    for keys, part in table.groupby(["task", "variant"], sort=False):
        task, name = map(str, keys)
        wide = part.pivot_table(index="seed", columns=list(by), values=value, sort=False).dropna()
        if not len(wide):
            continue
        mean, low, high = intervals(wide.to_numpy())
        found = pd.DataFrame({"mean": mean, "low": low, "high": high}, index=wide.columns)
        found = found.reset_index().assign(task=task, variant=name, seeds=len(wide))
        parts.append(found.assign(low=found.low.fillna(found["mean"])))
        parts[-1]["high"] = found.high.fillna(found["mean"])
    if not parts:
        return pd.DataFrame(columns=columns)
    return pd.concat(parts, ignore_index=True)[columns]


def _percent(values: pd.Series) -> str:
    return f"{100 * values.mean():.0f} %" if len(values) else "none"


def _lacking(part: pd.DataFrame) -> str:
    names = [encoding(name) for name in dict.fromkeys(part["variant"])]
    seeds = listed(map(str, sorted(set(part["seed"]))))
    whole = len(part) == len(names) * part["seed"].nunique()
    return f"{listed(names)}, {'seed' if whole else 'some of the seeds'} {seeds}"


def _missing(
    records: Sequence[Record], preset: str, encodings: Iterable[str]
) -> list[tuple[str, str, int]]:
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    return [
        (
            readings.task_of(config.canonical()),
            variant(config.encoding, config.encoding_options),
            config.seed,
        )
        for config in experiment.configs(preset)
        if config.encoding in encodings and experiment.key(config) not in here
    ]
