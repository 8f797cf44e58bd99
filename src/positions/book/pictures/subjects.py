"""The tables a chapter looks at: which are at hand, and what the paper printed of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
from IPython.display import HTML
from numpy.typing import NDArray

from positions import published, tables
from positions.book.pictures.labels import label
from positions.book.pictures.tables import CUTS
from positions.errors import InvalidValueError, NotAtHandError

POSITIONS = 512
"""Rows compared: as many as BERT has. The paper cuts GPT-2's 1,024 rows the same way."""
FEWEST = max(CUTS) + 1
"""Rows that every picture can be drawn from."""


def at_hand(names: Iterable[str], positions: int = POSITIONS) -> dict[str, NDArray[Any]]:
    """Return the first rows (positions, width) of each table that is at hand, by name.

    Raises `NotAtHandError` where none is, with the reason for the first, and `InvalidValueError`
    for a table of fewer rows than a picture needs.
    """
    found, reasons = {}, []
    for name in names:
        try:
            found[name] = tables.load(name).rows[:positions]
        except NotAtHandError as error:
            reasons.append(str(error))
            continue
        if len(found[name]) < FEWEST:
            raise InvalidValueError(
                f"The table {name} has {len(found[name])} rows; this chapter needs at least "
                f"{FEWEST}. Leave it out of `tables`."
            )
    if not found:
        raise NotAtHandError(reasons[0] if reasons else "No table was named.")
    return found


def notice(names: Iterable[str], found: Iterable[str]) -> HTML:
    """Return a note that says which tables are not drawn for want of data, empty if none."""
    missing = [label(name) for name in names if name not in set(found)]
    if not missing:
        return HTML("")
    title = '<p class="admonition-title">Not at hand</p>'
    text = (
        f"<p>These tables could not be had where this page was made, so the pictures leave them "
        f"out: {', '.join(missing)}. What the text says of them still holds for the recorded runs. "
        "<code>positions data</code> says where each is looked for and how to get it.</p>"
    )
    return HTML(f'<div class="admonition note">{title}{text}</div>')


def printed(number: int) -> dict[str, float]:
    """Return what Table 1 or Table 2 of Wang & Chen 2020 prints, by table."""
    rows = published.load("position-embeddings/tables")
    values = rows[rows["table"] == number].dropna(subset="value").set_index("encoding")["value"]
    return {str(table): float(value) for table, value in values.items()}


def overview(names: Iterable[str]) -> pd.DataFrame:
    """Return one row a table: its size, where it came from, what the paper printed."""
    index, order = printed(1), printed(2)
    rows = []
    for name in names:
        try:
            table = tables.load(name)
            size, source = f"{table.positions:,} x {table.width}", table.source
        except NotAtHandError:
            size, source = "not at hand", "the command positions data says how to get it"
        rows.append(
            {
                "table": label(name),
                "rows x columns": size,
                "where from": source,
                "Table 1": _figure(index, name, " positions"),
                "Table 2": _figure(order, name, " %"),
            }
        )
    return pd.DataFrame(rows).set_index("table").rename_axis(None)


def _figure(values: dict[str, float], name: str, unit: str) -> str:
    return f"{values[name]:.2f}{unit}" if name in values else ""
