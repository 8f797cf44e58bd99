"""Tests of what Wang & Chen 2020 say of text classification (section 5.1).

Judged by the accuracy on texts that had no say in the choice of the weights; the figures beside it
are those that the paper's way of choosing gives.
"""

from __future__ import annotations

from itertools import pairwise

from positions import published
from positions.claims.base import Claim, Evidence, Finding
from positions.claims.classification_readings import ClassificationReadings
from positions.claims.rules import Step, compare, mean_figure
from positions.claims.table_readings import BERT, GPT2, ROBERTA, SINUSOID

TABLES = (SINUSOID, GPT2, ROBERTA, BERT)
"""In the order of the index probe (C1), the best first."""
SMALL = 3.0
"""Percentage points: two single runs on sets of this size differ by as much by chance."""
LEAD = 1.0
"""Percentage points that count as better."""
SHORT, FEWEST = 10, 50
"""Words of a short text at most, and how many short texts a set must have."""
SLOPE = 0.1
"""Log odds per unit of log length."""

_POINTS = "percentage points"
_BY_RUN = "set and seed"


def printed() -> dict[str, float]:
    """Return the accuracies of Table 3 that are at hand, in percent, by "set, table"."""
    rows = published.load("position-embeddings/classification").dropna(subset="value")
    cells = zip(rows["task"], rows["encoding"], rows["value"], strict=True)
    return {f"{task}, {encoding}": float(value) for task, encoding, value in cells}


def sinusoid_best(claim: Claim, evidence: Evidence) -> Finding:
    """C10: sinusoid and GPT-2's table lead the tables of encoders, and no lead is large.

    Each of the first two against each of the others: ahead, and by less than `SMALL`.
    """
    readings = ClassificationReadings(evidence)
    first, others = (SINUSOID, GPT2), readings.recorded(ROBERTA, BERT)
    if readings.missing(*first) or not others:
        return readings.untested(claim, *first, BERT)
    values = {name: readings.percent(name) for name in (*first, *others)}
    steps: list[Step] = []
    for less in others:
        near = f"{less} and {SMALL:g} points"
        values[near] = {key: value + SMALL for key, value in values[less].items()}
        for more in first:
            steps += compare([(less, more), (more, near)], values, 0.0, _POINTS)
    figures = [*readings.means("random", *TABLES), *readings.cells(claim)]
    return readings.finding(steps, figures, TABLES, _BY_RUN)


def bert_on_short_texts(claim: Claim, evidence: Evidence) -> Finding:
    """C11: on texts of at most `SHORT` words BERT's table leads each other by `LEAD`."""
    readings = ClassificationReadings(evidence)
    others = readings.recorded(SINUSOID, GPT2, ROBERTA)
    if readings.missing(BERT) or not others:
        return readings.untested(claim, BERT, SINUSOID, GPT2)
    values = readings.up_to(SHORT, FEWEST, BERT, *others)
    steps = compare([(other, BERT) for other in others], values, LEAD, _POINTS)
    figures = [*readings.means(*TABLES), *readings.cells(claim)]
    tasks = sorted({task for task, _ in values[BERT]})
    context = [f"Short texts: up to {SHORT} words, in {', '.join(tasks)}."] if tasks else []
    return readings.finding(steps, figures, TABLES, _BY_RUN, context)


def order_by_length(claim: Claim, evidence: Evidence) -> Finding:
    """C12: the lead of each table over the next of C1's order grows with the length of the text.

    One slope a set: the interaction of table and log length in the odds of being right, with an
    intercept for every text and seed. Paired by set.
    """
    readings = ClassificationReadings(evidence)
    names = readings.recorded(*TABLES)
    if len(names) < 3:
        return readings.untested(claim, *TABLES)
    steps: list[Step] = []
    figures = []
    for more, less in pairwise(names):
        slopes = readings.slopes(less, more)
        name = f"growth of {more} over {less}"
        values = {name: slopes, "none": dict.fromkeys(slopes, 0.0)}
        steps += compare([("none", name)], values, SLOPE, "in log odds")
        figures.append(mean_figure(name, list(slopes.values())))
    figures += readings.cells(claim)
    return readings.finding(steps, figures, TABLES, "set")
