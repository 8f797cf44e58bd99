"""What commands have in common: talking to the user."""

from __future__ import annotations

import sys
from collections.abc import Iterable

TRACEBACK_VARIABLE = "POSITIONS_TRACEBACK"


class AlreadyToldError(SystemExit):
    """The end of a command that has said itself what happened."""


def say(text: str) -> None:
    """Tell how work goes on, apart from what a command prints as its result."""
    print(text, file=sys.stderr, flush=True)


def table(rows: Iterable[Iterable[object]], indent: int = 2) -> None:
    """Print rows in columns, each as wide as it needs."""
    texts = [[str(cell) for cell in row] for row in rows]
    if not texts:
        return
    widths = [max(len(row[at]) for row in texts) for at in range(len(texts[0]))]
    for row in texts:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(" " * indent + line.rstrip())
