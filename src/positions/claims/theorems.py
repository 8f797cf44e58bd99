"""Tests of theorems 1 and 2 of Kazemnejad et al. 2023, from construction records.

A theorem that says "there are weights" is borne out by weights, as far as they are built and run.
Nothing is drawn from a population here, so there is no p-value: the greatest error counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.runs import Record

LONGEST = 512
EXACT = 1e-9
"""In positions or in logits; float64, no norm, every N up to `LONGEST`."""
NORMED = 1e-4
"""In positions; RMS norm with the constant `LARGE`, N = `NORMED_AT`."""
LARGE, NORMED_AT = 1e4, 64
BILLIONTH = 1e-9


def absolute_positions(claim: Claim, evidence: Evidence) -> Finding:
    """C10: the first layer writes every position, without a norm and under RMS norm."""
    exact = _exact(evidence, "absolute")
    normed = [
        record
        for record in _records(evidence, "absolute", norm="rms", large=LARGE, queries="content")
        if record.config["longest"] == NORMED_AT
    ]
    if not _covered(exact) or not normed:
        return _untested(claim)
    error, error_normed = _worst(exact, "error"), _worst(normed, "error")
    words = (
        f"For every N up to {LONGEST} the weights were built and run: the coordinate is off by at "
        f"most {error:.1e} positions in float64 without a norm, and by {error_normed:.1e} under "
        f"RMS norm (N = {NORMED_AT}, constant {LARGE:,.0f}). It takes a first token that is "
        f"marked, and N + 1 hidden units; at position 2N it reads "
        f"{_at_longest(exact, 'beyond'):g} where N is {LONGEST}."
    )
    figures = (
        _figure(f"no norm, N up to {LONGEST}, billionths of a position", exact, "error"),
        _figure(f"RMS norm, N = {NORMED_AT}, billionths of a position", normed, "error"),
    )
    held = error <= EXACT and error_normed <= NORMED
    return _finding(held, words, figures, [*exact, *normed])


def distances(claim: Claim, evidence: Evidence) -> Finding:
    """C11: later layers add a multiple of the distance to their logits, as ALiBi does."""
    exact = _exact(evidence, "relative")
    if not _covered(exact):
        return _untested(claim)
    error, gap = _worst(exact, "error"), _worst(exact, "attention_gap")
    words = (
        f"For every N up to {LONGEST} the logits of layers 2 and 3 are content plus ALiBi's line, "
        f"off by at most {error:.1e}; their attention weights differ from those of a decoder with "
        f"the library's own ALiBi by at most {gap:.1e}. Other functions of distance take two "
        "entries of a head for each wave that they are made of."
    )
    figures = (
        _figure(f"logits, N up to {LONGEST}, billionths", exact, "error"),
        _figure("attention weights beside ALiBi's, billionths", exact, "attention_gap"),
    )
    return _finding(error <= EXACT and gap <= EXACT, words, figures, exact)


def _records(evidence: Evidence, theorem: str, **settings: object) -> list[Record]:
    """Return the records of a theorem with these settings."""
    wanted = {"theorem": theorem, **settings}
    return [
        record
        for record in evidence.records("construction")
        if all(record.config[name] == value for name, value in wanted.items())
    ]


def _exact(evidence: Evidence, theorem: str) -> list[Record]:
    """Return those in float64 without a norm, of lengths that the claim is held to.

    Rising hinges: the other way to write the same function is more accurate, not less.
    """
    found = _records(evidence, theorem, precision="float64", norm="none", facing="rising")
    return [record for record in found if record.config["longest"] <= LONGEST]


def _covered(records: Iterable[Record]) -> bool:
    """Whether every N up to `LONGEST` was built."""
    built = {length for record in records for length in record.series["length"]}
    return built >= set(range(1, LONGEST + 1))


def _worst(records: Iterable[Record], metric: str) -> float:
    """Return the greatest value of a metric; infinity where it was not finite."""
    values = [record.metrics[metric] for record in records]
    return max(float("inf") if value is None else value for value in values)


def _at_longest(records: Iterable[Record], metric: str) -> float:
    last = max(records, key=lambda record: record.config["longest"])
    value = last.metrics[metric]
    return float("nan") if value is None else value


def _figure(name: str, records: list[Record], metric: str) -> Figure:
    return Figure(name, ours=_worst(records, metric) / BILLIONTH, n=len(records))


def _finding(
    held: bool, words: str, figures: tuple[Figure, ...], records: Iterable[Record]
) -> Finding:
    keys = tuple(record.key for record in records)
    return Finding("reproduced" if held else "not reproduced", words, figures, keys)


def _untested(claim: Claim) -> Finding:
    return Finding(
        "not tested at this scale",
        f"Not tested yet: it takes {claim.missing} for every N up to {LONGEST}. "
        "`positions sweep construction --preset laptop` makes it.",
    )
