"""Made-up measurements: the machinery of charts and sentences needs no real time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from made_up import provenance
from positions.experiments.base import key
from positions.experiments.efficiency import EXPERIMENT, EfficiencyConfig
from positions.runs import Record

RATIOS = {
    "nope": 1.0,
    "sinusoidal amplitude=1.0": 1.0,
    "t5": 1.5,
    "alibi": 1.2,
    "rotary fraction=0.25": 1.1,
    "rotary fraction=1.0": 1.3,
}


def made_up(
    phase: str = "forward",
    length: int = 2001,
    attention: str = "written",
    ratios: Mapping[str, float] = RATIOS,
    machine: str = "Quick(R) CPU @ 2.00GHz",
    load: float | None = 0.5,
    threads: int = 1,
) -> Record:
    config = EfficiencyConfig(
        phase=phase,
        length=length,
        encodings=tuple(ratios),
        attention=attention,
        vocabulary=8,
        width=16,
        heads=2,
        layers=1,
        hidden=16,
        warmups=0,
        rounds=3,
        machine=machine,
    ).canonical()
    metrics: dict[str, float | None] = {"load": load}
    for text, ratio in ratios.items():
        for end, factor in (("", 1.0), ("_low", 0.9), ("_high", 1.1)):
            metrics[f"ms{end} {text}"] = length * ratio * factor
            metrics[f"times_nope{end} {text}"] = ratio * (factor if text != "nope" else 1)
        metrics[f"tokens_per_second {text}"] = 1e3 / ratio
        metrics[f"mib {text}"] = None if phase == "generation" else 2 * ratio
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config,
        metrics=metrics,
        series={f"ms {text}": [length * ratio] * 3 for text, ratio in ratios.items()},
        status="ok",
        provenance=provenance(device=machine, threads=threads),
    )


@pytest.fixture
def record() -> Callable[..., Record]:
    """Give the function that makes one measurement."""
    return made_up


@pytest.fixture
def records() -> list[Record]:
    """A whole preset, small."""
    fast: dict[str, Any] = {"attention": "fastest", "ratios": {**RATIOS, "t5": 3.0}}
    return [
        made_up(phase, length, **more)
        for phase in ("forward", "training", "generation")
        for length in (1, 101, 2001)
        for more in ({}, fast)
    ]
