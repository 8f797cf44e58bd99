"""What the recorded measurements say, as tidy tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from positions.experiments._recorded import R, Recorded
from positions.experiments.efficiency.config import NONE, read_spec
from positions.experiments.length_generalization.config import spell_options
from positions.experiments.length_generalization.readings import variant

SETTING = ("machine", "phase", "attention", "length")
"""What one record is of, in its preset."""
COLUMNS = (
    *SETTING,
    "variant",
    *("ms", "ms_low", "ms_high"),
    *("times_nope", "times_nope_low", "times_nope_high"),
    *("tokens_per_second", "mib", "mib_times_nope"),
)
_MEASURED = COLUMNS[5:-1]


def named(text: str) -> str:
    """Return the name of an encoding in tables and charts, given its text in a config."""
    name, options = read_spec(text)
    return variant(name, spell_options(options))


def costs(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return `COLUMNS`: one row a machine, phase, way to attend, length and encoding.

    Times in milliseconds with their quartiles; `times_nope` and `mib_times_nope` are over NoPE's.
    Sorted by length, encodings as they were listed.
    """
    rows = [row for record in fullest(records) for row in _rows(record)]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.sort_values("length", kind="stable", ignore_index=True)


def fullest(records: Iterable[R]) -> list[R]:
    """Keep one record a setting: that of most encodings, where one more was registered since."""
    kept: dict[tuple[Any, ...], R] = {}
    for record in records:
        setting = tuple(record.config[name] for name in SETTING)
        other = kept.get(setting)
        if other is None or _count(record) > _count(other):
            kept[setting] = record
    return list(kept.values())


def rounds(record: Recorded) -> dict[str, list[float]]:
    """Return the milliseconds of each round, by name of the encoding."""
    return {named(text): record.series[f"ms {text}"] for text in record.config["encodings"]}


def _count(record: Recorded) -> int:
    encodings: Sequence[str] = record.config["encodings"]
    return len(encodings)


def _rows(record: Recorded) -> list[dict[str, Any]]:
    setting = {name: record.config[name] for name in SETTING}
    found = []
    for text in record.config["encodings"]:
        numbers = {name: record.metrics[f"{name} {text}"] for name in _MEASURED}
        held, none = numbers["mib"], record.metrics[f"mib {NONE}"]
        over = None if not none or held is None else held / none
        found.append({**setting, "variant": named(text), **numbers, "mib_times_nope": over})
    return found
