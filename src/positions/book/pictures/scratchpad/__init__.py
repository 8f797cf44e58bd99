"""Scratchpads as tables and pictures, each with the sentences that say what it shows."""

from positions.book.pictures.scratchpad import (
    conclusion,
    failures,
    gains,
    live,
    operands,
    ranks,
    results,
    shown,
    study,
)

__all__ = [
    "conclusion",
    "failures",
    "gains",
    "live",
    "operands",
    "ranks",
    "results",
    "shown",
    "study",
]
