"""Fair timing on a machine that others use too: turns in one run, medians, spread."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

Action = Callable[[], object]
clock = time.perf_counter


@dataclass(frozen=True)
class Spread:
    """The median of some values and the quartiles around it."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise values; the quartiles of fewer than three are the lowest and the highest."""
        ordered = sorted(values)
        if len(ordered) < 3:
            return cls(statistics.median(ordered), ordered[0], ordered[-1])
        low, median, high = statistics.quantiles(ordered, n=4, method="inclusive")
        return cls(median, low, high)

    def rounded(self, digits: int = 4) -> dict[str, float]:
        """Return the three with that many significant digits."""
        return {name: float(f"{value:.{digits}g}") for name, value in asdict(self).items()}


def once(action: Action, repeats: int = 1) -> float:
    """Return the seconds of one call, averaged over `repeats` in a row."""
    start = clock()
    for _ in range(repeats):
        action()
    return (clock() - start) / repeats


def interleaved(
    actions: Mapping[str, Action], *, rounds: int, seconds: float
) -> dict[str, list[float]]:
    """Time actions in turns, A B C C B A ..., each about `seconds` long; seconds per call.

    The n-th values of all belong together: whatever slowed one round slowed all its turns.
    """
    gc.collect()
    repeats = {}
    for name, action in actions.items():
        action()  # the first call allocates, and plans what later calls repeat
        repeats[name] = max(1, round(seconds / max(once(action), 1e-9)))
    found: dict[str, list[float]] = {name: [] for name in actions}
    order = list(actions)
    for _ in range(rounds):
        for name in order:
            found[name].append(once(actions[name], repeats[name]))
        order.reverse()
    return found


def fastest(actions: Mapping[str, Action], *, seconds: float) -> tuple[str, dict[str, float]]:
    """Return the name of the fastest action, and the best time of each of two turns."""
    times = interleaved(actions, rounds=2, seconds=seconds)
    best = {name: min(values) for name, values in times.items()}
    return min(best, key=best.__getitem__), best


def times_faster(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """Return how many times as fast we are: the ratio of the times, round by round."""
    return Spread.of([b / a for a, b in zip(ours, theirs, strict=True)])


def per_second(count: float, seconds: Sequence[float]) -> Spread:
    """Return a rate from the seconds that `count` things took each time."""
    return Spread.of([count / each for each in seconds])
