"""Names of tasks and of encodings with their options, in charts and in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import altair as alt

from positions.book import charts
from positions.words import many

__all__ = ["capital", "colours", "dashes", "encoding", "listed", "many", "span", "tasks"]

_IN_SENTENCES = {
    "nope": "NoPE",
    "t5": "T5's bias",
    "alibi": "ALiBi",
    "rotary": "Rotary",
    "rotary, whole": "Rotary on whole heads",
    "sinusoidal": "the sinusoid",
    "learned": "the learned table",
}
_DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3])
"""Encodings of one colour differ by these, in this order."""


def encoding(variant: str) -> str:
    """Return the name of an encoding with its options as a sentence uses it."""
    if variant in _IN_SENTENCES:
        return _IN_SENTENCES[variant]
    name, _, options = variant.partition(" ")
    return f"{_IN_SENTENCES.get(name, name)}{' with ' if options else ''}{options}"


def tasks(names: Iterable[str]) -> str:
    """Return names of tasks as a sentence lists them; "none" of nothing."""
    return listed(f"`{name}`" for name in names)


def listed(names: Iterable[str]) -> str:
    """Return "a, b and c"; "none" of nothing."""
    every = list(names)
    if len(every) < 2:
        return "".join(every) or "none"
    return f"{', '.join(every[:-1])} and {every[-1]}"


def span(low: float, high: float) -> str:
    """Return "0.12 to 0.34", and no zero with a sign."""
    low, high = (round(end, 2) + 0.0 for end in (low, high))
    return f"{low:.2f} to {high:.2f}"


def capital(text: str) -> str:
    """Return a text that can begin a sentence."""
    return text[:1].upper() + text[1:]


def colours(variants: Sequence[str]) -> alt.Color:
    """Return the encoding of lines and dots by colour, one an encoding, whatever its options."""
    return alt.Color("variant:N").scale(charts.scale(variants)).sort(list(variants)).title(None)


def dashes(variants: Sequence[str]) -> alt.StrokeDash:
    """Return what tells lines of one colour apart: the options of an encoding."""
    seen: Counter[str] = Counter()
    patterns = []
    for variant in variants:
        colour = charts.colour(variant)
        patterns.append(_DASHES[seen[colour] % len(_DASHES)])
        seen[colour] += 1
    scale = alt.Scale(domain=list(variants), range=patterns)
    return alt.StrokeDash("variant:N").scale(scale).sort(list(variants)).title(None)
