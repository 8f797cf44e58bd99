"""Test of what Kazemnejad et al. 2023 say that encodings cost (section 4, their repository)."""

from __future__ import annotations

from collections.abc import Sequence

from positions.claims import length_figures as figures
from positions.claims.base import Claim, Evidence, Figure, Finding, Status, untested
from positions.claims.rules import (
    Step,
    compare,
    correct,
    decide,
    explain_figures,
    explain_steps,
    figure,
)
from positions.experiments.efficiency.readings import fullest, rounds
from positions.experiments.length_generalization.readings import PAPER_VARIANTS
from positions.runs import Record

NAME = "efficiency"
LENGTH = 2_001
"""Tokens: the longest input that is published."""
EFFECT = 0.1
"""A tenth of NoPE's time."""
TIME = "times NoPE's time"
_BAR = f"nope less {EFFECT}"

Ratios = dict[str, dict[int, float]]


def forward_over_nope() -> dict[str, float]:
    """Return the published median times of a forward pass at 2001 tokens, over NoPE's."""
    times = figures.forward_ms()
    return {name: value / times["nope"] for name, value in times.items() if name != "nope"}


def nope_costs_no_time(claim: Claim, evidence: Evidence) -> Finding:
    """C8: T5's bias takes longer than NoPE, and nothing is faster, round by round on one machine.

    Attention is written out, as in the authors' code.
    """
    measured = _measured(evidence, "written")
    by_machine = {str(record.config["machine"]): _over_nope(record) for record in measured}
    by_machine = {name: found for name, found in by_machine.items() if "t5" in found}
    known = claim.published()
    if not by_machine:
        return untested(
            claim,
            f"No recorded times of NoPE and T5's bias at {LENGTH} tokens: it takes "
            f"{claim.missing}. `positions sweep {NAME} --preset {evidence.preset}` records them.",
        )
    several = len(by_machine) > 1
    steps: list[Step] = []
    shown: list[Figure] = []
    for machine, found in by_machine.items():
        where = f" on {machine}" if several else ""
        steps += _steps(found, where)
        shown += [
            figure(f"{name}{where}", list(found.get(name, {}).values()), value)
            for name, value in known.items()
        ]
    steps = correct(steps)
    status: Status = decide(steps, shown)
    reason = [
        explain_steps(steps, "round"),
        explain_figures(shown, "95 % range of single rounds"),
        f"Measured on {', '.join(by_machine)}, attention written out as in the authors' code.",
        *_fastest(_measured(evidence, "fastest")),
    ]
    keys = tuple(record.key for record in measured)
    return Finding(status, " ".join(part for part in reason if part), tuple(shown), keys)


def _measured(evidence: Evidence, attention: str) -> Sequence[Record]:
    wanted = {"phase": "forward", "attention": attention, "length": LENGTH}
    records = [
        record
        for record in evidence.records(NAME)
        if all(record.config[name] == value for name, value in wanted.items())
    ]
    return fullest(records)


def _over_nope(record: Record) -> Ratios:
    """Return each encoding's time over NoPE's in the same round, by round."""
    times = rounds(record)
    none = times["nope"]
    return {
        name: {number: each / none[number] for number, each in enumerate(found)}
        for name, found in times.items()
        if name in PAPER_VARIANTS
    }


def _steps(found: Ratios, where: str) -> list[Step]:
    """T5 must be above NoPE by what counts; no other may be below it by as much."""
    named = {f"{name}{where}": values for name, values in found.items()}
    none, bar = f"nope{where}", f"{_BAR}{where}"
    named[bar] = {number: value - EFFECT for number, value in named[none].items()}
    others = [f"{name}{where}" for name in found if name not in ("nope", "t5")]
    return [
        *compare([(none, f"t5{where}")], named, EFFECT, TIME),
        *compare([(bar, name) for name in others], named, 0.0, TIME),
    ]


def _fastest(records: Sequence[Record]) -> list[str]:
    """Say what T5's bias costs where attention is computed in the fastest way."""
    said = []
    for record in records:
        found = _over_nope(record).get("t5")
        if found:
            mean = sum(found.values()) / len(found)
            said.append(
                f"With the way to attend that this library chooses, T5's bias takes {mean:.2f} "
                f"{TIME} on {record.config['machine']}."
            )
    return said
