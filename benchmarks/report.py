"""Rows of figures, as JSON and as tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Row(dict[str, Any]):
    """One figure or a few that belong together, and what they are of."""

    def __init__(self, benchmark: str, **facts: Any) -> None:
        super().__init__(benchmark=benchmark, **facts)


def table(rows: Iterable[Row]) -> str:
    """Lay rows out as Markdown tables, one a benchmark; spreads read "median (low-high)"."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row["benchmark"], []).append(row)
    return "\n\n".join(f"## {kind}\n\n{_one(members)}" for kind, members in kinds.items())


def _one(rows: list[Row]) -> str:
    left_out = {"benchmark", "tried"}
    columns = list(dict.fromkeys(name for row in rows for name in row if name not in left_out))
    cells = [[name.replace("_", " ") for name in columns]]
    cells += [[_text(row.get(name)) for name in columns] for row in rows]
    widths = [max(len(line[n]) for line in cells) for n in range(len(columns))]
    lines = [
        "| " + " | ".join(text.ljust(n) for text, n in zip(line, widths, strict=True)) + " |"
        for line in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (n + 2) for n in widths) + "|")
    return "\n".join(lines)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return f"{_text(value['median'])} ({_text(value['low'])}-{_text(value['high'])})"
    if isinstance(value, float) and abs(value) < 100:
        return f"{value:.3g}"
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)
