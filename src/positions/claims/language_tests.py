"""Tests of what Wang & Chen 2020 say of language modelling (section 5.2)."""

from __future__ import annotations

from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.language_readings import TABLES, Key, LanguageReadings, mean, printed
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
from positions.claims.table_readings import BERT, COPIES, GPT2
from positions.experiments.language_modelling.config import NAME
from positions.experiments.language_modelling.text import CAUSAL, MASKED, OBJECTIVES

SEEDS = 3
"""Fewer of any table are too few to judge by."""
EFFECT = 0.02
"""Nats a token."""


def skip_reaction(claim: Claim, evidence: Evidence) -> Finding:
    """C13: what skipped positions cost differs between the objectives, with the same tables.

    The cost is the rise in loss of a model trained with every fourth row of a table over one
    trained with the first rows. It is not said which objective suffers more, so that the test is
    two-sided. Paired by table and seed: the paper gives each objective a table of its own, with
    which a difference may be one of tables.
    """
    readings = LanguageReadings(evidence)
    costs: dict[str, dict[Key, float]] = {
        objective: readings.cost(objective, *TABLES) for objective in OBJECTIVES
    }
    shared = costs[MASKED].keys() & costs[CAUSAL].keys()
    if not shared:
        return untested(
            claim,
            "No recorded runs of both objectives with one table, plain and skipped. `positions "
            f"data` says how to get text and tables, and `positions sweep {NAME} --preset "
            f"{readings.preset}` records what is at hand.",
        )
    steps = _steps(costs)
    too_few = _too_few(readings.seeds(), len(shared))
    figures = _figures(readings)
    status: Status = "undecided" if too_few else decide(steps, figures)
    parts = [
        too_few,
        explain_steps(steps, "table and seed"),
        explain_figures(figures),
        _as_paired(readings),
        _swapped(readings),
        _caveats(readings),
    ]
    keys = tuple(record.key for record in readings.records)
    return Finding(status, " ".join(part for part in parts if part), tuple(figures), keys)


def _steps(costs: dict[str, dict[Key, float]]) -> list[Step]:
    """Compare the objectives, the one that suffers less first."""
    (step,) = compare([(MASKED, CAUSAL)], costs, EFFECT, "nats a token")
    if step.difference.mean < 0:
        (step,) = compare([(CAUSAL, MASKED)], costs, EFFECT, "nats a token")
    return correct([step])


def _too_few(seeds: int, pairs: int) -> str:
    """Say why no verdict can be given; empty where one can."""
    if seeds < SEEDS:
        return f"There are runs of {seeds} seeds, and {SEEDS} of each table are needed."
    lowest = min(1.0, 2.0 ** (1 - pairs))
    if lowest < LEVEL:
        return ""
    return (
        f"{pairs} pairs by table and seed cannot give a p below {lowest:.2g}, which is too few to "
        "judge by."
    )


def _figures(readings: LanguageReadings) -> list[Figure]:
    known = printed()
    return [
        figure(name, list(readings.cost(objective, table).values()), known.get(name))
        for table in TABLES
        for objective in OBJECTIVES
        if (name := f"{objective}, {table}") in known or readings.cost(objective, table)
    ]


def _as_paired(readings: LanguageReadings) -> str:
    """Say what the paper's own pairs of objective and table show."""
    masked, causal = readings.cost(MASKED, BERT), readings.cost(CAUSAL, GPT2)
    if not masked or not causal:
        return ""
    return (
        f"As the paper pairs them, a masked model with BERT's table pays {mean(masked):z.2f} and a "
        f"causal one with GPT-2's {mean(causal):z.2f}."
    )


def _swapped(readings: LanguageReadings) -> str:
    """Say what the same rows cost a model that was not trained with them."""
    found = {name: readings.cost(name, *TABLES, kind="swapped") for name in OBJECTIVES}
    if not all(found.values()):
        return ""
    spelt = " and ".join(f"{mean(values):z.2f} ({name})" for name, values in found.items())
    return f"Given the skipped rows only in the test, trained models pay {spelt}."


def _caveats(readings: LanguageReadings) -> str:
    words = []
    copies = [name for name in readings.tables(BERT) if name in COPIES]
    if copies:
        noun = "copies" if len(copies) > 1 else "copy"
        words.append(f"BERT is represented by {len(copies)} fine-tuned {noun} of its table.")
    words += [f"{name} has no runs of both objectives." for name in readings.missing()]
    return " ".join(words)
