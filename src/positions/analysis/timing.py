"""Fair timing on a machine that others use too: actions take turns; medians and quartiles."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import torch
from torch.profiler import ProfilerActivity, profile

Action = Callable[[], object]

_CPU = torch.device("cpu")


@dataclass(frozen=True)
class Spread:
    """The median of some values and the quartiles around it."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise values; of fewer than three, the lowest and the highest are the ends."""
        ordered = sorted(values)
        if len(ordered) < 3:
            return cls(statistics.median(ordered), ordered[0], ordered[-1])
        low, median, high = statistics.quantiles(ordered, n=4, method="inclusive")
        return cls(median, low, high)

    def rounded(self, digits: int = 4) -> dict[str, float]:
        """Return the three with that many significant digits."""
        return {name: float(f"{value:.{digits}g}") for name, value in asdict(self).items()}


def in_turns(turns: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Take turns, A B C C B A ...; returns what each turn measured, round by round.

    The n-th values of all belong together: whatever slowed one round slowed all its turns.
    """
    found: dict[str, list[float]] = {name: [] for name in turns}
    order = list(turns)
    for _ in range(rounds):
        for name in order:
            found[name].append(turns[name]())
        order.reverse()
    return found


def ratios(times: Sequence[float], reference: Sequence[float]) -> list[float]:
    """Return times over those of the reference, round by round."""
    return [each / other for each, other in zip(times, reference, strict=True)]


def seconds(action: Action, device: torch.device = _CPU) -> float:
    """Return the seconds that one call takes: by the clock, on a card by its own events."""
    if device.type == "cuda":
        return _seconds_on_card(action, device)
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def peak_memory(action: Action, device: torch.device = _CPU) -> int:
    """Return the most bytes of tensors that a call holds at once, beyond those there before."""
    if device.type == "cuda":
        return _peak_on_card(action, device)
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # else it tells each time that it starts
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        action()
    held = highest = 0
    events = seen.profiler.kineto_results.events()
    for event in sorted(events, key=lambda event: event.start_ns()):
        if event.name() == "[memory]":
            held += event.nbytes()
            highest = max(highest, held)
    return highest


def _seconds_on_card(action: Action, device: torch.device) -> float:
    """Let the card note when it begins and when it has done all that the call asked of it."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    stream = torch.cuda.current_stream(device)
    torch.cuda.synchronize(device)
    start.record(stream)
    action()
    end.record(stream)
    torch.cuda.synchronize(device)
    return float(start.elapsed_time(end)) / 1e3


def _peak_on_card(action: Action, device: torch.device) -> int:
    torch.cuda.synchronize(device)
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    action()
    torch.cuda.synchronize(device)
    return int(torch.cuda.max_memory_allocated(device)) - before
