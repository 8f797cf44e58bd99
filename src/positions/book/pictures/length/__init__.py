"""Recorded runs on longer inputs as pictures, each with the sentences that say what it shows."""

from positions.book.pictures.length import (
    agreement,
    conclusion,
    curves,
    glance,
    leads,
    live,
    options,
    ranks,
    setup,
    study,
    weights,
)

__all__ = [
    "agreement",
    "conclusion",
    "curves",
    "glance",
    "leads",
    "live",
    "options",
    "ranks",
    "setup",
    "study",
    "weights",
]
