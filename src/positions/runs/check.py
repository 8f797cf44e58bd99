"""Checks of what is recorded: are the files whole, and do runs give the same numbers again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from positions import experiments
from positions.errors import (
    DamagedFileError,
    InvalidValueError,
    PositionsError,
    UnknownNameError,
)
from positions.experiments.base import Experiment
from positions.runs import engines
from positions.runs.drive import Drive, Report
from positions.runs.record import Record
from positions.runs.store import Store

_REDO = "Delete its line, and a sweep runs it again."


@dataclass
class Verification:
    """What reading everything again found: counts, and one message for each damaged file or record.

    `stale`: records of an older version of their experiment. `unclean`: records made by code that
    differed from its commit.
    """

    files: int = 0
    records: int = 0
    stale: int = 0
    unclean: int = 0
    problems: list[str] = field(default_factory=list)


def verify(store: Store) -> Verification:
    """Read every file of a store strictly: form, types, keys, order, place, configs, metrics."""
    found = Verification()
    for experiment, preset in store.files():
        found.files += 1
        try:
            records = store.read(experiment, preset)
        except (DamagedFileError, InvalidValueError) as error:
            found.problems.append(str(error))
            continue
        try:
            known = experiments.get(experiment)
        except UnknownNameError as error:
            found.problems.append(f"{store.path(experiment, preset)}: {error}")
            continue
        found.records += len(records)
        found.stale += sum(record.version != known.version for record in records)
        found.unclean += sum(record.provenance.dirty is not False for record in records)
        for number, record in enumerate(records, start=1):
            problem = _problem(known, record)
            if problem is not None:
                path = store.path(experiment, preset)
                found.problems.append(f"{path}, line {number}, key {record.key}: {problem}")
    return found


def _problem(experiment: Experiment[Any], record: Record) -> str | None:
    """Say what keeps a record of the current version from being used, or None."""
    if record.version != experiment.version:
        return None
    try:
        config = experiment.config(**record.config)
    except PositionsError as error:
        return f"its config cannot be read. {error} {_REDO}"
    if config.canonical() != record.config:
        now = config.canonical()
        names = sorted(
            name
            for name in record.config.keys() | now.keys()
            if name not in record.config or record.config[name] != now.get(name)
        )
        return f"its config would be written otherwise today: {', '.join(names)}. {_REDO}"
    if record.status == "ok" and all(value is None for value in record.metrics.values()):
        return f"status 'ok' and no metric with a number. {_REDO}"
    return None


def rerun(
    experiment: Experiment[Any],
    store: Store,
    preset: str,
    sample: int = 3,
    seed: int = 0,
    jobs: int = 1,
) -> pd.DataFrame:
    """Run recorded configs again and compare: one row a run and metric.

    Columns: key, the config's settings, `metric`, `recorded`, `again`, `difference` (again minus
    recorded; NaN where a side is undefined). `sample` records are drawn without repeats from
    those that can run here, and run as in a sweep. Nothing is written. Raises
    `InvalidValueError` where there is none, where one's config cannot be read or `sample` is below
    1, `PositionsError` where a run fails.
    """
    records = store.load(experiment, preset)
    configs = {record.key: _config(experiment, record) for record in records}
    able = [record for record in records if experiment.requires(configs[record.key]) is None]
    if sample < 1 or not able:
        raise InvalidValueError(
            f"sample = {sample}, and {len(able)} of {len(records)} recorded runs of "
            f"{experiment.name}, preset {preset}, can run here: at least one of each is needed."
        )
    drawn = random.Random(seed).sample(able, min(sample, len(able)))  # noqa: S311
    again: dict[str, Record] = {}

    def keep(record: Record) -> bool:
        again[record.key] = record
        return True

    report = Report()
    with engines.local(jobs) as pool:
        chosen = [configs[record.key] for record in drawn]
        Drive(experiment, preset, pool, keep, report, lambda: None).run(chosen)
    if report.failed:
        keys = [experiment.key(experiment.config(**each.config)) for each in report.failed]
        told = [
            f"Run {key} failed: {each.reason}"
            for key, each in zip(keys, report.failed, strict=True)
        ]
        raise PositionsError("\n".join(told))
    rows = [row for record in drawn for row in _compare(record, again[record.key])]
    return pd.DataFrame(rows)


def _config(experiment: Experiment[Any], record: Record) -> Any:
    try:
        return experiment.config(**record.config)
    except PositionsError as error:
        raise InvalidValueError(
            f"Record {record.key} of {record.experiment}, preset {record.preset}, cannot be run "
            f"again: its config cannot be read. {error} {_REDO}"
        ) from None


def _compare(record: Record, again: Record) -> list[dict[str, Any]]:
    rows = []
    for name in sorted(record.metrics.keys() | again.metrics.keys()):
        before, now = record.metrics.get(name), again.metrics.get(name)
        difference = float("nan") if before is None or now is None else now - before
        rows.append(
            {
                "key": record.key,
                **record.config,
                "metric": name,
                "recorded": before,
                "again": now,
                "difference": difference,
            }
        )
    return rows
