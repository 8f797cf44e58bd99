"""The recorded runs that a chapter looks at, which of them count, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions import tasks as tasks_
from positions.book import records as records_
from positions.book.pictures.length.names import encoding, listed
from positions.book.pictures.length.names import tasks as named
from positions.claims.length_readings import BEYOND, FITTED, at_chance
from positions.encodings import files
from positions.experiments.length_generalization.config import NAME
from positions.experiments.length_generalization.readings import (
    GROUPS,
    PAPER_VARIANTS,
    VARIANTS,
    scores,
    single,
    variant,
)
from positions.runs import Record, frame

LEARNED = FITTED
"""A run has learned its task where it solves this share within the training lengths."""

_COLUMNS = {
    **dict.fromkeys(("task", "group", "variant"), "object"),
    "seed": "int64",
    **dict.fromkeys(("accuracy", "iid", "chance", "last"), "float64"),
    "learned": "bool",
}


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen tasks and encodings.

    `runs`: task, group, variant, seed, accuracy (beyond the training lengths, best weights), iid
    (within them), chance, last (beyond, last weights), learned: one row a run, the accuracies of
    one that diverged NaN. `tasks`: those asked for, recorded or not. `variants`: the encodings
    that stand in every chart; options tried on a few tasks only are in `runs` and not there.
    `missing`: task, variant and seed of the preset's runs that are not recorded; `any_recorded`:
    whether anything is, of these or of others.
    """

    preset: str
    records: Sequence[Record]
    runs: pd.DataFrame
    tasks: Sequence[str]
    variants: Sequence[str]
    missing: Sequence[tuple[str, str, int]]
    any_recorded: bool

    def unrecorded(self) -> list[str]:
        """Return the encodings of which the preset has runs and the records none."""
        here = {str(record.config["encoding"]) for record in self.records}
        lacking = dict.fromkeys(name.split(",")[0].split(" ")[0] for _, name, _ in self.missing)
        return [name for name in lacking if name not in here]

    def of(self, *variants: str) -> pd.DataFrame:
        """Return the runs of these encodings; of those in every chart where none is named."""
        return self.runs[self.runs["variant"].isin(variants or self.variants)]

    def counted(self, *variants: str) -> pd.DataFrame:
        """Return the same, the accuracy NaN where a run has not learned its task."""
        runs = self.of(*variants)
        return runs.assign(accuracy=runs["accuracy"].where(runs["learned"]))

    def guessed(self, *variants: str) -> list[str]:
        """Return the tasks that all of these have learned and none solves beyond chance."""
        return at_chance(self.counted(*variants), variants) if len(variants) > 1 else []

    def paper(self) -> list[str]:
        """Return those of the paper's five encodings that were asked for."""
        return [name for name in PAPER_VARIANTS if name in self.variants]


def choose(
    records: Sequence[Record], preset: str, encodings: Iterable[str], tasks: Iterable[str] = ()
) -> Study:
    """Choose runs by encoding and task (none: all tasks), and find what the preset has and lacks.

    Raises `InvalidValueError` where two runs share task, encoding, options and seed.
    """
    encodings = list(encodings)
    wanted = list(tasks) or [*GROUPS, *_others(records)]
    wanted.sort(key=[*GROUPS, *wanted].index)
    kept = [
        record
        for record in records
        if record.config["task"] in wanted and record.config["encoding"] in encodings
    ]
    runs = _runs(kept)
    known = [name for name in VARIANTS if name.split(",")[0] in encodings]
    more = [name for name in runs["variant"].unique() if _in_every_chart(name, runs)]
    variants = list(dict.fromkeys([*known, *more]))
    missing = _missing(records, preset, encodings, wanted)
    return Study(preset, kept, runs, wanted, variants, missing, bool(records))


def chance(name: str) -> float:
    """Return what guessing gets on a task, 0 on one that the library doesn't know."""
    return tasks_.build(name).chance if name in tasks_.names() else 0.0


def unranked(study: Study, variants: Sequence[str], among: Iterable[str] | None = None) -> str:
    """Say on which tasks nobody is beyond chance, so that they rank nobody; empty if on none."""
    wanted = set(study.tasks if among is None else among)
    guessed = [name for name in study.guessed(*variants) if name in wanted]
    if not guessed:
        return ""
    return (
        f"On {named(guessed)} none of these encodings gets {BEYOND} beyond chance: nothing can be "
        "ranked there."
    )


def notice(study: Study) -> HTML:
    """Return a note that says which runs of the preset lack; empty if none, or all of all."""
    if not study.any_recorded:
        return HTML("")
    table = pd.DataFrame(study.missing, columns=["task", "variant", "seed"])
    same: dict[str, list[str]] = {}
    for name, part in table.groupby("task", sort=False):
        same.setdefault(_lacking(part, study), []).append(f"<code>{escape(str(name))}</code>")
    items = [f"{', '.join(names)}: {lacking}" for lacking, names in same.items()]
    more = " ".join(_unrecorded(name, study) for name in study.unrecorded())
    return records_.notice(NAME, study.preset, len(table), len(study.records), items, more)


def _unrecorded(name: str, study: Study) -> str:
    """Say how to record an encoding of which there is no run at all."""
    command = f"positions sweep {NAME} --preset {study.preset} --where encoding={name}"
    said = f"Of {escape(encoding(name))} nothing is recorded: <code>{escape(command)}</code>"
    if name in {known.split(",")[0] for known in VARIANTS}:
        return f"{said} does it."
    return (
        f"{said} does it, once <code>{files.VARIABLE}</code> names its file, or its entry point is "
        "installed (<code>README.md</code> says how)."
    )


def _lacking(part: pd.DataFrame, study: Study) -> str:
    """Say what one task lacks: everything, encodings, or seeds."""
    if part["task"].iloc[0] not in set(study.runs["task"]):
        return "all runs"
    names = list(dict.fromkeys(part["variant"]))
    who = "all encodings" if set(names) >= set(study.variants) else listed(map(encoding, names))
    seeds = sorted(set(part["seed"]))
    whole = len(part) == len(names) * len(seeds)
    which = f"seed{'s' * (len(seeds) > 1)} {listed(map(str, seeds))}"
    return escape(f"{who}, {which if whole else f'some of the {which}'}")


def _others(records: Sequence[Record]) -> list[str]:
    """Return the tasks that the paper doesn't have."""
    found = dict.fromkeys(str(record.config["task"]) for record in records)
    return sorted(name for name in found if name not in GROUPS)


def _runs(records: Sequence[Record]) -> pd.DataFrame:
    if not records:
        return pd.DataFrame({name: [] for name in _COLUMNS}).astype(_COLUMNS)
    table = frame(single(records))
    found = scores(table)
    found["last"] = scores(table, weights="last")["accuracy"]
    found["learned"] = found["iid"] >= LEARNED
    return found


def _in_every_chart(name: str, runs: pd.DataFrame) -> bool:
    """Whether a variant is of an encoding that the book doesn't know, or run on most tasks."""
    known = {known.split(",")[0] for known in VARIANTS}
    tasks = runs[runs["variant"] == name]["task"].nunique()
    return name.split()[0] not in known or tasks > runs["task"].nunique() / 2


def _missing(
    records: Sequence[Record], preset: str, encodings: Iterable[str], tasks: Sequence[str]
) -> list[tuple[str, str, int]]:
    """Return task, variant and seed of the preset's runs that are not recorded."""
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    found = [
        (config.task, variant(config.encoding, config.encoding_options), config.seed)
        for config in experiment.configs(preset)
        if config.task in tasks
        and config.encoding in encodings
        and experiment.key(config) not in here
    ]
    return sorted(found, key=lambda run: tasks.index(run[0]))
