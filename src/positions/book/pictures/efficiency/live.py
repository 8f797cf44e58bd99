"""Costs measured while the page is made, on the machine that makes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from positions.experiments.efficiency import EXPERIMENT, EfficiencyConfig
from positions.experiments.efficiency.config import NONE, machine
from positions.experiments.efficiency.presets import SIZES, measured
from positions.runs import Record
from positions.runs.engine import execute
from positions.training.device import threads

ROUNDS = 7
PRESET = "live"
"""Stands in the records of a page, which are kept nowhere."""


def now(encodings: Iterable[str], lengths: Iterable[int], preset: str) -> list[Record]:
    """Time a forward pass of the `laptop` model (at `smoke` a tiny one), on one thread.

    NoPE is always among the encodings. Raises `UnknownNameError` for an unknown encoding and
    `InvalidValueError` for a length below 1.
    """
    wanted = list(encodings)
    known = [text for text in measured() if text.split()[0] in (*wanted, NONE)]
    others = [name for name in wanted if name not in {text.split()[0] for text in known}]
    settings: dict[str, Any] = {
        **SIZES["tiny" if preset == "smoke" else "small"],
        "phase": "forward",
        "encodings": (*known, *others),
        "attention": "written",
        "warmups": 1,
        "rounds": ROUNDS,
        "machine": machine("cpu"),
    }
    configs = [EfficiencyConfig(length=length, **settings) for length in lengths]
    with threads(1):
        return [execute(EXPERIMENT, config, PRESET) for config in configs]
