"""One record: what each encoding costs, in one phase and at one length."""

from __future__ import annotations

import os
from typing import Any

from positions.analysis.timing import Spread, ratios
from positions.errors import InvalidValueError
from positions.experiments.base import Outcome
from positions.experiments.efficiency.config import NONE, EfficiencyConfig, requires
from positions.experiments.efficiency.measure import measuring

DIGITS = 5


def run(config: EfficiencyConfig) -> Outcome:
    """Time the encodings in turns and measure their memory.

    Metrics by encoding, such as "ms t5": `ms` (median of a call, with quartiles `ms_low` and
    `ms_high`), `times_nope` (over NoPE's time in the same round; median and quartiles alike),
    `tokens_per_second`, `mib` (most memory of tensors at once, beyond weights and the optimizer's
    state; None of generation on a CPU). `load`: the system's load average at the start, None
    where it has none. Series "ms t5": the time of each round.

    Raises `InvalidValueError` where the device is not there or the machine is another, and
    `OutOfMemoryError`.
    """
    reason = requires(config)
    if reason is not None:
        raise InvalidValueError(f"This cannot be measured here: {reason.rstrip('.')}.")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    with measuring(config) as host:
        times = host.milliseconds()
        memory = host.peak_bytes()
    metrics: dict[str, float | None] = {"load": load}
    for text, found in times.items():
        metrics |= _spread("ms", text, found)
        metrics |= _spread("times_nope", text, ratios(found, times[NONE]))
        middle = Spread.of(found).median
        metrics[f"tokens_per_second {text}"] = _short(1e3 * config.batch * config.length / middle)
        metrics[f"mib {text}"] = _short(memory[text] / 2**20) if text in memory else None
    series: dict[str, list[Any]] = {
        f"ms {text}": [_short(each) for each in found] for text, found in times.items()
    }
    return Outcome(metrics, series, device=config.device)


def _spread(kind: str, text: str, values: list[float]) -> dict[str, float]:
    found = Spread.of(values).rounded(DIGITS)
    return {
        f"{kind} {text}": found["median"],
        f"{kind}_low {text}": found["low"],
        f"{kind}_high {text}": found["high"],
    }


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
