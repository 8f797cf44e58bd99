"""Test of what Kazemnejad et al. 2023 say of learning rate and weight decay (Appendix D.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from positions import experiments
from positions.claims.base import Claim, Evidence, Finding, Status, untested
from positions.claims.length_readings import ENOUGH, FITTED, NAME, SHARE
from positions.claims.length_tests import EFFECT
from positions.claims.rules import Step, compare, correct, decide, explain_steps, mean_figure
from positions.experiments.base import canonical_json
from positions.experiments.length_generalization.readings import variant
from positions.runs import Record
from positions.words import many

GRID = "hyperparameters"
"""The experiment that repeats runs of `length_generalization` with other settings."""
SETTINGS = ("learning_rate", "weight_decay")
SEEDS = "seed to seed"

Cell = tuple[str, str]


@dataclass
class Changes:
    """By how much accuracy beyond the training lengths changes, by task and encoding.

    `settings`: by setting, the mean over seeds of the change against our own setting, sign left
    out; `seeds`: the mean change between two seeds of our own setting. `asked`: how many pairs of
    task and encoding each setting was run on. `unfitted` and `alone` count the runs that have not
    learned their training lengths, and those whose like is not recorded with our own setting.
    """

    settings: dict[str, dict[Cell, float]] = field(default_factory=dict)
    seeds: dict[Cell, float] = field(default_factory=dict)
    asked: dict[str, set[Cell]] = field(default_factory=dict)
    unfitted: int = 0
    alone: int = 0
    used: list[str] = field(default_factory=list)


def settings_matter_little(claim: Claim, evidence: Evidence) -> Finding:
    """C21: another learning rate or weight decay changes little more than another seed does.

    A pair is a task with an encoding. What counts is added to the change from seed to seed, and
    the change from setting to setting must surely stay below the sum.
    """
    grid = evidence.records(GRID) if GRID in experiments.names() else []
    if not grid:
        return untested(
            claim,
            f"No recorded runs: it takes {claim.missing}, recorded as `{GRID}`, preset "
            f"{evidence.preset}.",
        )
    changes = measure(evidence.records(NAME), grid)
    steps: list[Step] = []
    short = []
    more = f"{SEEDS} plus {EFFECT}"
    for name, cells in changes.settings.items():
        both = cells.keys() & changes.seeds.keys()
        if len(both) < ENOUGH * len(changes.asked[name]):
            short.append(f"{name} ({len(both)} of {len(changes.asked[name])})")
            continue
        allowed = {cell: noise + EFFECT for cell, noise in changes.seeds.items()}
        steps += compare([(name, more)], {name: cells, more: allowed}, 0.0, SHARE)
    steps = correct(steps)
    status: Status = decide(steps) if steps else "undecided"
    if short and status != "not reproduced":
        status = "undecided"
    spreads = {**changes.settings, SEEDS: changes.seeds}
    figures = [mean_figure(name, list(cells.values())) for name, cells in spreads.items()]
    reason = [explain_steps(steps, "task and encoding") if steps else "", *_left_out(changes)]
    if short:
        reason.insert(0, f"Too few pairs of task and encoding to judge by: {'; '.join(short)}.")
    return Finding(
        status, " ".join(part for part in reason if part), tuple(figures), tuple(changes.used)
    )


def measure(ours: Iterable[Record], grid: Iterable[Record]) -> Changes:
    """Compare runs that are alike in all but learning rate and weight decay."""
    like = {_rest(record): record for record in ours}
    found = Changes()
    gaps: dict[str, dict[Cell, list[float]]] = {}
    cells: dict[Cell, dict[str, Record]] = {}
    for record in grid:
        name, cell = _spell(record), _cell(record)
        own = like.get(_rest(record))
        if own is not None and _spell(own) == name:
            continue  # our own setting once more
        found.asked.setdefault(name, set()).add(cell)
        gaps.setdefault(name, {})
        if own is None:
            found.alone += 1
        elif _beyond(record) is None or _beyond(own) is None:
            found.unfitted += 1
        else:
            gaps[name].setdefault(cell, []).append(_change(record, own))
            found.used.append(record.key)
        if own is not None:
            cells.setdefault(cell, {})[own.key] = own
    found.settings = {
        name: {cell: _mean(each) for cell, each in by_cell.items()}
        for name, by_cell in sorted(gaps.items())
    }
    for cell, records in cells.items():
        fitted = [record for record in records.values() if _beyond(record) is not None]
        between = [_change(one, other) for one, other in combinations(fitted, 2)]
        if between:
            found.seeds[cell] = _mean(between)
            found.used += [record.key for record in fitted]
    return found


def _left_out(changes: Changes) -> list[str]:
    """Say which runs are not compared."""
    reasons = {
        f"in-distribution accuracy is below {FITTED} there or with our own setting": (
            changes.unfitted
        ),
        f"{NAME} has no run that is like it in everything else": changes.alone,
    }
    return [
        f"{many(count, 'run')} {'is' if count == 1 else 'are'} left out, as {reason}."
        for reason, count in reasons.items()
        if count
    ]


def _rest(record: Record) -> str:
    """Return all settings but those compared, as one text."""
    return canonical_json({k: v for k, v in record.config.items() if k not in SETTINGS})


def _spell(record: Record) -> str:
    rate, decay = (record.config[name] for name in SETTINGS)
    return f"learning rate {rate:g}, weight decay {decay:g}"


def _cell(record: Record) -> Cell:
    config = record.config
    return config["task"], variant(config["encoding"], config["encoding_options"])


def _beyond(record: Record) -> float | None:
    """Return accuracy beyond the training lengths, None where those are not learned."""
    within = record.metrics["iid_best"]
    return record.metrics["ood_best"] if within is not None and within >= FITTED else None


def _change(one: Record, other: Record) -> float:
    first, second = _beyond(one), _beyond(other)
    assert first is not None
    assert second is not None
    return abs(first - second)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
