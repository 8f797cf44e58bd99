"""Tests of what Wang & Chen 2020 say of translation (section 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from positions import published
from positions.analysis.bleu import Counts, bleu
from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.rules import (
    LEVEL,
    Step,
    compare,
    correct,
    decide,
    explain_figures,
    explain_steps,
    figure,
)
from positions.claims.table_readings import BERT, COPIES, GPT2, SINUSOID
from positions.experiments.translation import readings
from positions.experiments.translation.config import NAME
from positions.experiments.translation.start import MATCHED, PAPER, RANDOM, SIDES
from positions.runs import Record
from positions.tasks.translations import generated
from positions.words import many

SEEDS = 3
"""Fewer are too few to judge by."""
OTHERS = (RANDOM, SINUSOID, BERT, GPT2)
EFFECT, LONG_EFFECT = 0.5, 1.0
"""BLEU that counts as better, on all sentences and on long ones."""

Key = tuple[str, str, int]
"""Which side has the table, the table of the other side, and the seed."""


def printed(part: str) -> dict[str, float]:
    """Return the published BLEU that is at hand, by "encoder, decoder"; `part`: all or long."""
    rows = published.load("position-embeddings/translation").dropna(subset="value")
    rows = rows[rows["sentences"] == part]
    cells = zip(rows["encoder"], rows["decoder"], rows["value"], strict=True)
    return {f"{one}, {other}": float(value) for one, other, value in cells}


def bert_best(claim: Claim, evidence: Evidence) -> Finding:
    """C14: BERT's table in place of another gives `EFFECT` BLEU more, all else the same."""
    return _best(claim, evidence, BERT, EFFECT, lambda found, lengths: bleu(found))


def gpt2_best_on_long(claim: Claim, evidence: Evidence) -> Finding:
    """C15: on long sentences GPT-2's table gives `LONG_EFFECT` BLEU more than another.

    Long: two standard deviations above the mean in words of the source.
    """
    return _best(
        claim,
        evidence,
        GPT2,
        LONG_EFFECT,
        lambda found, lengths: bleu(found[readings.long_ones(lengths)]),
    )


def _best(
    claim: Claim,
    evidence: Evidence,
    best: str,
    effect: float,
    score: Callable[[Counts, Counts], float],
) -> Finding:
    """Compare a table with each other one, on either side, with the same table on the other side.

    In the grid of one loss and one scale: the paper's own pairs differ in both.
    """
    records = [
        each
        for each in evidence.records(NAME)
        if each.config["corpus"] != generated.NAME and not each.config["frozen"]
    ]
    found = readings.usable(records)
    scores = {
        each.key: score(readings.counts_of(each), readings.lengths_of(each)) for each in found
    }
    stand_in = _stand_in(found)
    values = {name: _of_table(found, scores, name, stand_in) for name in OTHERS}
    others = [name for name in OTHERS if name != best and values[name].keys() & values[best].keys()]
    if not others:
        return untested(
            claim,
            f"No recorded runs with the table {best} and another beside it. `positions data` says "
            f"how to get text and tables, and `positions sweep {NAME} --preset {evidence.preset}` "
            "records what is at hand.",
        )
    steps = correct(compare([(other, best) for other in others], values, effect, "BLEU"))
    figures = _figures(claim, found, scores, stand_in)
    seeds = len({seed for _, _, seed in values[best]})
    status: Status = "undecided" if seeds < SEEDS else decide(steps, figures)
    parts = [
        f"There are runs of {many(seeds, 'seed')}, and {SEEDS} are needed."
        if seeds < SEEDS
        else "",
        explain_steps(steps, "side, table of the other side and seed"),
        explain_figures(figures),
        _leads(steps),
        "BERT is represented by a fine-tuned copy of its table." if stand_in != BERT else "",
    ]
    keys = tuple(each.key for each in found)
    return Finding(status, " ".join(part for part in parts if part), tuple(figures), keys)


def _stand_in(records: list[Record]) -> str:
    """Return which recorded table stands for BERT's: itself, else one of its copies."""
    recorded = {each.config[side] for each in records for side in SIDES}
    return next((name for name in (BERT, *COPIES) if name in recorded), BERT)


def _of_table(
    records: list[Record], scores: dict[str, float], name: str, stand_in: str
) -> dict[Key, float]:
    """Return the score with a table on one side of the grid, by side, other table and seed."""
    wanted = stand_in if name == BERT else name
    values: dict[Key, float] = {}
    for each in records:
        config = each.config
        if config["preparation"] == MATCHED and np.isfinite(scores[each.key]):
            for side, other in (SIDES, SIDES[::-1]):
                if config[side] == wanted:
                    values[side, config[other], config["seed"]] = scores[each.key]
    return values


def _figures(
    claim: Claim, records: list[Record], scores: dict[str, float], stand_in: str
) -> list[Figure]:
    """Return the published figures beside our runs of the paper's arm, and the grid's pairs."""
    known = claim.published()
    figures = [
        figure(pair, _of_pair(records, scores, pair, PAPER, stand_in), value)
        for pair, value in known.items()
    ]
    for name in OTHERS:
        ours = _of_pair(records, scores, f"{name}, {name}", MATCHED, stand_in)
        if ours:
            figures.append(figure(f"{name} on both sides, matched", ours))
    return figures


def _of_pair(
    records: list[Record], scores: dict[str, float], pair: str, preparation: str, stand_in: str
) -> list[float]:
    wanted = [stand_in if name == BERT else name for name in pair.split(", ")]
    return [
        scores[each.key]
        for each in records
        if [each.config[side] for side in SIDES] == wanted
        and each.config["preparation"] == preparation
    ]


def _leads(steps: Sequence[Step]) -> str:
    """Say by how much the table leads each other one."""
    spelt = ", ".join(f"{each.difference.mean:+.1f} over {each.less}" for each in steps)
    lowest = max((each.p for each in steps), default=1.0)
    certain = "" if lowest < LEVEL else " Not all of it is beyond chance."
    return f"In BLEU: {spelt}.{certain}"
