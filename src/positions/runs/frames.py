"""Records as tidy tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from positions.errors import InvalidValueError, unknown_name
from positions.runs.record import Record


def frame(records: Sequence[Record]) -> pd.DataFrame:
    """Return one row a record, indexed by key: its config, its metrics, `status`.

    An undefined metric is NaN. Raises `InvalidValueError` where a setting and a metric share a
    name.
    """
    rows = []
    for record in records:
        shared = sorted(record.config.keys() & {*record.metrics, "status"})
        if shared:
            raise InvalidValueError(
                f"{record.experiment}: {', '.join(shared)} names both a setting and a metric."
            )
        numbers = {name: _number(value) for name, value in record.metrics.items()}
        rows.append({**_cells(record.config), **numbers, "status": record.status})
    return pd.DataFrame(rows, index=pd.Index([record.key for record in records], name="key"))


def series_frame(records: Sequence[Record], name: str, at: str | None = None) -> pd.DataFrame:
    """Return one row an entry of the series `name`, with the record's config beside it.

    The column `at` is the series of that name, which says where each entry belongs (a length, a
    step); without it the column `index` counts from 0. Records that lack the series are left out;
    raises `UnknownNameError` where all lack it.
    """
    valid = {series for record in records for series in record.series}
    for wanted in [name, *([at] if at else [])]:
        if records and wanted not in valid:
            raise unknown_name("series", wanted, valid)
    tables = [_series_table(record, name, at) for record in records if name in record.series]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def provenance_frame(records: Sequence[Record]) -> pd.DataFrame:
    """Return one row a record, indexed by key: preset, version and all of its provenance."""
    rows = [
        {"experiment": record.experiment, "preset": record.preset, "version": record.version}
        | record.provenance.model_dump(mode="json")
        for record in records
    ]
    return pd.DataFrame(rows, index=pd.Index([record.key for record in records], name="key"))


def summary(records: Sequence[Record]) -> str:
    """Return one sentence on where records come from: preset, time, hardware, dates, code.

    A commit is marked + where the code differed from it.
    """
    if not records:
        return "No recorded runs."
    notes = [record.provenance for record in records]
    days = sorted({note.started[:10] for note in notes})
    commits = {(note.commit or "no commit")[:9] + "+" * bool(note.dirty) for note in notes}
    seconds = sum(note.seconds for note in notes)
    return (
        f"{len(records)} recorded run{'s' * (len(records) > 1)}, "
        f"preset {_some(record.preset for record in records)}, {seconds:.0f} s in all, "
        f"on {_some(note.device for note in notes)} "
        f"({_some(note.threads for note in notes)} thread a run, "
        f"{_some(note.dtype for note in notes)}), "
        f"{' to '.join(dict.fromkeys([days[0], days[-1]]))}, code {_some(commits)}."
    )


def _cells(config: dict[str, Any]) -> dict[str, Any]:
    """Turn lists into tuples, so that a column can be grouped by."""
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in config.items()
    }


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _series_table(record: Record, name: str, at: str | None) -> pd.DataFrame:
    values = record.series[name]
    where = record.series.get(at, []) if at else list(range(len(values)))
    if len(where) != len(values):
        raise InvalidValueError(
            f"{record.experiment} {record.key}: series {at!r} has {len(where)} entries, "
            f"{name!r} has {len(values)}."
        )
    cells = {column: [value] * len(values) for column, value in _cells(record.config).items()}
    key = [record.key] * len(values)
    return pd.DataFrame({"key": key, **cells, at or "index": where, name: values})


def _some(values: Iterable[Any]) -> str:
    return " / ".join(str(value) for value in sorted(set(values)))
