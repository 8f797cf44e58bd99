"""Fair timing on a machine that others use too: turns in one run, medians, spread."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from positions.analysis.timing import Action, Spread, in_turns, ratios

Turn = Callable[[int], float]
"""Takes how often to repeat an action; returns the seconds of each time."""

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
_chosen = ["wall"]


def use_clock(name: str) -> None:
    """Measure by the "wall" or by the "processor": its time goes on only while we compute.

    With one thread, the latter tells something even on a machine that is busy with other things.
    """
    _chosen[:] = [name]


def clock_name() -> str:
    """Return the name of the clock in use."""
    return _chosen[0]


def once(action: Action, repeats: int = 1) -> float:
    """Return the seconds of one call, averaged over `repeats` in a row."""
    clock = CLOCKS[_chosen[0]]
    start = clock()
    for _ in range(repeats):
        action()
    return (clock() - start) / repeats


def here(actions: Mapping[str, Action]) -> dict[str, Turn]:
    """Return the turns of actions of this process."""
    return {name: partial(once, action) for name, action in actions.items()}


def interleaved(
    turns: Mapping[str, Turn], *, rounds: int, seconds: float
) -> dict[str, list[float]]:
    """Take turns as `in_turns`, each about `seconds` long; returns the seconds per call."""
    repeats = {}
    for name, turn in turns.items():
        turn(1)  # the first call allocates, and plans what later calls repeat
        repeats[name] = max(1, round(seconds / turn(1))) if seconds else 1
    return in_turns({name: partial(turn, repeats[name]) for name, turn in turns.items()}, rounds)


def fastest(turns: Mapping[str, Turn], *, seconds: float) -> dict[str, float]:
    """Return the best of two turns of each (of one, if it is one call), the fastest first."""
    times = interleaved(turns, rounds=2 if seconds else 1, seconds=seconds)
    best = {name: min(values) for name, values in times.items()}
    return {name: best[name] for name in sorted(best, key=best.__getitem__)}


def times_faster(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """Return how many times as fast we are: the ratio of the times, round by round."""
    return Spread.of(ratios(theirs, ours))


def per_second(count: float, seconds: Sequence[float]) -> Spread:
    """Return a rate from the seconds that `count` things took each time."""
    return Spread.of([count / each for each in seconds])
