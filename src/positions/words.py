"""Words that follow numbers."""

from __future__ import annotations


def many(number: float, noun: str) -> str:
    """Return a number with its noun, "1 task" or "3 queries"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,.0f} {noun if number == 1 else plural}"
