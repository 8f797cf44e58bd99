"""Tests of what Kazemnejad et al. 2023 say of language models past their context (appendix F)."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.claims.context_readings import ContextReadings, by_run
from positions.claims.rules import compare, mean_figure
from positions.tasks import corpora

THREE = ("nope", "alibi", "rotary")
"""The encodings of the paper's large models."""

ALIKE = 0.05
"""In nats a token: a twentieth of the perplexity. The published gap is 0.046."""
BROKEN = 2.0
"""Times the perplexity at the training context."""
STEADIER = 0.1
"""A tenth of the perplexity."""

HOLDS = 1_600 / 1_024
"""The last published length before 1,800 tokens.

At 1,800 itself NoPE and ALiBi have 13 and 5 times their perplexity at 1,024, by the paper's own
figures: they hold to a little less.
"""
FAR = (2_048 / 1_024, 2_560 / 1_024)
NATS = "nats"


def alike_within(claim: Claim, evidence: Evidence) -> Finding:
    """C18: with the training context the three encodings are surely less than `ALIKE` apart."""
    readings = ContextReadings(evidence)
    if readings.missing(*THREE):
        return readings.untested(claim, *THREE)
    within = readings.at(1, "loss", *THREE)
    gap, bar = "the largest gap of the three", f"a gap of {ALIKE}"
    values = {
        gap: by_run(within.max(axis=1) - within.min(axis=1)),
        bar: by_run(within.max(axis=1) * 0 + ALIKE),
    }
    steps = compare([(gap, bar)], values, 0.0, NATS)
    ours = [
        mean_figure(f"{name} on {_title(str(corpus))}", list(np.exp(part[name])))
        for corpus, part in within.groupby(level="corpus")
        for name in THREE
    ]
    context = [f"The largest gap is {max(values[gap].values()):.3f} nats."] if len(within) else []
    return readings.finding(claim, steps, ours, context)


def rotary_breaks_first(claim: Claim, evidence: Evidence) -> Finding:
    """C19: at `HOLDS` times the context Rotary has broken, and NoPE and ALiBi have not.

    Judged by the least of the three margins in each pair of corpus and seed: it is above 0 where
    all of it holds.
    """
    readings = ContextReadings(evidence)
    if readings.missing(*THREE):
        return readings.untested(claim, *THREE)
    rise = readings.at(HOLDS, "rise", *THREE)
    limit = math.log(BROKEN)
    margins = pd.DataFrame(
        {
            "rotary": rise["rotary"] - limit,
            "nope": limit - rise["nope"],
            "alibi": limit - rise["alibi"],
        }
    )
    least = f"the least margin to {BROKEN:g} times the perplexity"
    values = {"0": by_run(margins["nope"] * 0), least: by_run(margins.min(axis=1))}
    steps = compare([("0", least)], values, 0.0, NATS)
    later = readings.at(1_800 / 1_024, "rise", *THREE)
    context = []
    if len(later):
        spelt = ", ".join(f"{name} {_times(later[name]):.3g}" for name in THREE)
        context = [f"At 1.76 times the context, in multiples of the perplexity within: {spelt}."]
    return readings.finding(claim, steps, _ratios(rise, f"{HOLDS:.2f} times the context"), context)


def alibi_steadier(claim: Claim, evidence: Evidence) -> Finding:
    """C20: at 2 and 2.5 times the context ALiBi's perplexity has risen less than NoPE's."""
    readings = ContextReadings(evidence)
    pair = ("alibi", "nope")
    if readings.missing(*pair):
        return readings.untested(claim, *pair)
    near, far = (readings.at(times, "rise", *pair) for times in FAR)
    rise = ((near + far) / 2).dropna()
    values = {name: by_run(rise[name]) for name in pair}
    steps = compare([pair], values, math.log1p(STEADIER), NATS)
    return readings.finding(claim, steps, _ratios(rise, "2 and 2.5 times the context"), [])


def _ratios(rise: pd.DataFrame, where: str) -> list[Figure]:
    """Return perplexities in multiples of those within, mean over corpora and seeds."""
    return [
        mean_figure(f"{name} at {where}, over that within it", list(np.exp(rise[name])))
        for name in rise
    ]


def _title(corpus: str) -> str:
    """Return what a reader calls a corpus; its name where it is registered no more."""
    return corpora.title(corpus) if corpus in corpora.names() else corpus


def _times(rise: pd.Series) -> float:
    """Return the mean ratio of perplexities."""
    return float(np.exp(rise).mean())
