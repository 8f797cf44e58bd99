"""Tests of what Wang & Chen 2020 say of the tables themselves (section 4), from probing records."""

from __future__ import annotations

from itertools import pairwise

from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.rules import (
    Step,
    certain,
    compare,
    correct,
    decide,
    explain_figures,
    explain_steps,
)
from positions.claims.table_readings import BERT, GPT2, ROBERTA, SINUSOID, TableReadings

EFFECT = 0.5
"""Positions, or percentage points of order."""
FAR_MORE = 5.0
"""The same, where a claim says "far more"."""
SHARE_OF_GUESS = 10.0
"""Percent of a mean guess's error that a distance probe must save to count."""
SHAPE = 0.1
"""In R-squared or Kendall's tau of a map of cosines."""

_UNITS = {"index": "positions", "order": "percentage points"}
_METRICS = {"index": "mae", "order": "error"}


def index_order(claim: Claim, evidence: Evidence) -> Finding:
    """C1: order the tables by the error of the index probe."""
    return _in_printed_order(claim, evidence, "index")


def pair_order(claim: Claim, evidence: Evidence) -> Finding:
    """C4: order the tables by the error of the order probe."""
    return _in_printed_order(claim, evidence, "order")


def bert_index(claim: Claim, evidence: Evidence) -> Finding:
    """C2: BERT's error is as published, and above those of the sinusoid and of GPT-2's table."""
    readings = TableReadings(evidence)
    if readings.missing(SINUSOID, GPT2, BERT):
        return _untested(readings, claim, SINUSOID, GPT2, BERT)
    steps = [
        *_steps(readings, "index", SINUSOID, BERT, EFFECT),
        *_steps(readings, "index", GPT2, BERT, EFFECT),
    ]
    figures = _figures(readings, claim, "index")
    context = _beside_a_guess(readings, figures[0])
    return _finding(readings, steps, figures, context, BERT)


def gpt2_beats_sinusoid(claim: Claim, evidence: Evidence) -> Finding:
    """C5: GPT-2's table has the lower error at order, the sinusoid at index."""
    readings = TableReadings(evidence)
    if readings.missing(GPT2, SINUSOID):
        return _untested(readings, claim, GPT2, SINUSOID)
    steps = [
        *_steps(readings, "order", GPT2, SINUSOID, EFFECT),
        *_steps(readings, "index", SINUSOID, GPT2, EFFECT),
    ]
    return _finding(readings, steps, _figures(readings, claim, "order"), "", GPT2, SINUSOID)


def roberta_above_bert(claim: Claim, evidence: Evidence) -> Finding:
    """C6: RoBERTa's table has far lower errors than BERT's, at index and at order."""
    readings = TableReadings(evidence)
    if readings.missing(ROBERTA, BERT):
        return _untested(readings, claim, ROBERTA, BERT)
    steps = [
        *_steps(readings, "index", ROBERTA, BERT, FAR_MORE),
        *_steps(readings, "order", ROBERTA, BERT, FAR_MORE),
    ]
    return _finding(readings, steps, _figures(readings, claim, "index"), "", ROBERTA, BERT)


def distance(claim: Claim, evidence: Evidence) -> Finding:
    """C3: no probe reads distance much better than guessing the mean; paired by table and seed.

    Judged by the more powerful probe, a quadratic form. The linear one, which the paper may have
    tried, cannot express a distance whatever the table, and is told beside it.
    """
    readings = TableReadings(evidence)
    names = (SINUSOID, GPT2, ROBERTA, BERT)
    errors = {table: _share_of_guess(readings, table) for table in readings.tables(*names)}
    shares = {(table, seed): share for table in errors for seed, share in errors[table].items()}
    if not shares:
        return _untested(readings, claim, *names)
    (step,) = compare(
        [("probe", "guess")],
        {"probe": shares, "guess": dict.fromkeys(shares, 100.0)},
        SHARE_OF_GUESS,
        "percent",
    )
    gap = step.difference
    status: Status = "undecided"
    if step.holds:
        status = "not reproduced"
    elif step.fails:
        status = "same direction"
    reason = (
        f"A quadratic form of two rows errs {gap.mean:.0f} % less than guessing the mean distance "
        f"({gap.low:.0f} to {gap.high:.0f}, p {step.p:.2g}, {gap.n} pairs of table and seed), on "
        f"positions it has not seen.{_linear_distance(readings, *names)}{readings.caveats(*names)}"
    )
    figures = tuple(
        Figure(table, ours=sum(found.values()) / len(found), n=len(found))
        for table, found in errors.items()
        if found
    )
    return Finding(status, reason, figures, readings.keys())


def bert_regular_to_128(claim: Claim, evidence: Evidence) -> Finding:
    """C7: the offset explains BERT's cosines among rows 0-127 better than in each later stretch.

    Nothing is drawn at random here, so there is no p-value.
    """
    readings = TableReadings(evidence)
    steps: list[Step] = []
    figures: list[Figure] = []
    for table in readings.tables(BERT):
        bands = readings.bands(table, "invariance", "band_toeplitz_r2")
        figures += [Figure(f"{table}, {name}", ours=value) for name, value in bands.items()]
        (first, *later) = bands or [""]
        steps += [
            certain(
                f"{table}, {band}",
                f"{table}, {first}",
                bands[first] - bands[band],
                SHAPE,
                "in R-squared",
            )
            for band in later
        ]
    if not steps:
        return _untested(readings, claim, BERT)
    return _finding(readings, steps, figures, "", BERT)


def local_or_absolute(claim: Claim, evidence: Evidence) -> Finding:
    """C8: index is read better from the decoder's table; the encoders' know near positions only.

    Near only: the cosine falls with distance over the next 20 positions, by Kendall's tau, but
    less so over the whole table, and less than in the decoder's.
    """
    readings = TableReadings(evidence)
    if readings.missing(GPT2, BERT):
        return _untested(readings, claim, GPT2, BERT, ROBERTA)
    steps: list[Step] = []
    for encoder in readings.tables(BERT, ROBERTA):
        steps += _steps(readings, "index", GPT2, encoder, EFFECT)
        near = readings.number(encoder, "invariance", "cosine_local_forward")
        far = readings.number(encoder, "invariance", "cosine_global_forward")
        decoder = readings.number(GPT2, "invariance", "cosine_global_forward")
        if near is None or far is None or decoder is None:
            return _untested(readings, claim, GPT2, BERT)
        whole = f"{encoder}, whole table"
        steps += [
            certain(whole, f"{encoder}, next 20", near - far, SHAPE, "in tau"),
            certain(whole, f"{GPT2}, whole table", decoder - far, SHAPE, "in tau"),
        ]
    figures = [
        Figure(f"{table}, {name}", ours=readings.number(table, "invariance", metric))
        for table in readings.tables(GPT2, BERT, ROBERTA)
        for name, metric in (
            ("next 20", "cosine_local_forward"),
            ("whole table", "cosine_global_forward"),
        )
    ]
    return _finding(readings, steps, figures, "", GPT2, BERT, ROBERTA)


def _in_printed_order(claim: Claim, evidence: Evidence, measure: str) -> Finding:
    """Test each step of the order in which the claim prints its tables, best first."""
    readings = TableReadings(evidence)
    names = [name for name in claim.published() if readings.tables(name)]
    steps = [
        step
        for better, worse in pairwise(names)
        for step in _steps(readings, measure, better, worse, EFFECT)
    ]
    if not steps:
        return _untested(readings, claim, *claim.published())
    return _finding(readings, steps, _figures(readings, claim, measure), "", *claim.published())


def _steps(
    readings: TableReadings, measure: str, better: str, worse: str, effect: float
) -> list[Step]:
    """Compare the errors of two tables, or of each copy that stands for one of them."""
    metric = _METRICS[measure]
    tables = readings.tables(better, worse)
    label = {table: f"{measure} error of {table}" for table in tables}
    values = {label[table]: readings.by_seed(table, measure, metric) for table in tables}
    pairs = [
        (label[one], label[other])
        for one in readings.tables(better)
        for other in readings.tables(worse)
    ]
    return compare(pairs, values, effect, _UNITS[measure])


def _figures(readings: TableReadings, claim: Claim, measure: str) -> list[Figure]:
    """Return our figures beside the published ones of the claim."""
    return [
        readings.figure(name, measure, _METRICS[measure], value)
        for name, value in claim.published().items()
    ]


def _beside_a_guess(readings: TableReadings, found: Figure) -> str:
    """Say how BERT's index error compares with knowing nothing, and with rows out of order."""
    table = readings.tables(BERT)[0]
    guess = readings.number(table, "index", "guess")
    shuffled = readings.number(f"shuffled:{table}", "index", "mae")
    if guess is None or found.ours is None:
        return ""
    words = (
        f" Guessing the middle is off by {guess:.0f} positions, so that the probe takes away "
        f"{100 * (1 - found.ours / guess):.0f} % of a guess's error"
    )
    rest = f"; on the same rows shuffled it is off by {shuffled:.0f}" if shuffled else ""
    return f"{words}{rest}."


def _share_of_guess(readings: TableReadings, table: str) -> dict[int, float]:
    """Return by seed the error of the quadratic distance probe in percent of a mean guess's."""
    found = readings.by_seed(table, "distance-forms", "bilinear_mae")
    guess = readings.by_seed(table, "distance-forms", "guess")
    return {seed: 100 * found[seed] / guess[seed] for seed in found}


def _linear_distance(readings: TableReadings, *names: str) -> str:
    """Say how the linear distance probe does beside a guess."""
    shares = []
    for table in readings.tables(*names):
        error = readings.number(table, "distance-linear", "all_pairs_mae")
        guess = readings.number(table, "distance-linear", "all_pairs_guess")
        if error is not None and guess is not None:
            shares.append(100 * error / guess)
    if not shares:
        return ""
    return (
        f" A linear probe, which cannot express a distance, still errs {min(shares):.0f} to "
        f"{max(shares):.0f} % of that guess."
    )


def _finding(
    readings: TableReadings, steps: list[Step], figures: list[Figure], context: str, *names: str
) -> Finding:
    """Put a finding together from corrected steps and figures."""
    corrected = correct(steps)
    parts = [explain_steps(corrected), explain_figures(figures)]
    reason = " ".join(part for part in parts if part) + context + readings.caveats(*names)
    return Finding(decide(corrected, figures), reason, tuple(figures), readings.keys())


def _untested(readings: TableReadings, claim: Claim, *names: str) -> Finding:
    """Say that there is nothing to judge by, and what is missing."""
    missing = ", ".join(readings.missing(*names)) or "the measure it needs"
    return untested(
        claim,
        f"No recorded runs for: {missing}. `positions data` says how to get a table, and "
        "`positions sweep probing --preset laptop` records it.",
    )
