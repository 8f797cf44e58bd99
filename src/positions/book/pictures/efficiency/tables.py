"""Recorded costs beside the published ones, in one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pandas as pd

from positions import published
from positions.experiments.efficiency.readings import COLUMNS, costs
from positions.runs import Record

PUBLISHED = "V100 (published)"
"""Stands where the name of a machine does."""
_PHASES = {"inference": "forward"}
_NAMES = {"ape": "sinusoidal"}


def together(records: Sequence[Record], encodings: Iterable[str]) -> pd.DataFrame:
    """Return published rows and then ours, one row a machine, setting and encoding.

    Columns as `efficiency.readings.costs`. Only these encodings, whatever their options.
    """
    parts = [part for part in (theirs(), costs(records)) if len(part)]
    return _of(pd.concat([part.astype(object) for part in parts], ignore_index=True), encodings)


def ours(records: Sequence[Record], encodings: Iterable[str]) -> pd.DataFrame:
    """Return our rows alone, in the same form."""
    return _of(costs(records), encodings)


def theirs() -> pd.DataFrame:
    """Return what the authors' repository holds, in the form of ours.

    Medians alone are published. Attention is written out in their code.
    """
    table = published.load("length-generalization/runtime_efficiency")
    table = table.assign(
        machine=PUBLISHED,
        attention="written",
        phase=table["phase"].replace(_PHASES),
        variant=table["pe"].replace(_NAMES),
        ms=table["gpu_ms_median"],
        mib=table["gpu_mem_peaked_delta_MB"],
        tokens_per_second=1e3 * table["length"] / table["gpu_ms_median"],
    )
    none = table[table["variant"] == "nope"].set_index(["phase", "length"])
    here = pd.MultiIndex.from_frame(table[["phase", "length"]])
    table["times_nope"] = table["ms"] / none["ms"].reindex(here).to_numpy()
    table["mib_times_nope"] = table["mib"] / none["mib"].reindex(here).to_numpy()
    return table.reindex(columns=list(COLUMNS))


def readable(machine: str) -> str:
    """Return the name of a machine without trade marks."""
    return " ".join(re.sub(r"\((R|TM|r|tm)\)", " ", machine).split())


def chosen(table: pd.DataFrame, phase: str, attention: str) -> pd.DataFrame:
    """Return the rows of one phase and way to attend."""
    return table[(table["phase"] == phase) & (table["attention"] == attention)]


def _of(table: pd.DataFrame, encodings: Iterable[str]) -> pd.DataFrame:
    """Choose encodings, and name machines readably."""
    family = table["variant"].str.split(r"[ ,]", n=1, regex=True).str[0]
    table = table[family.isin(list(encodings))].reset_index(drop=True)
    return table.assign(machine=table["machine"].map(readable)).infer_objects()
