"""Actions in processes of their own, so that none profits from, or suffers by, another's memory.

What a process has freed decides what its next tensors cost: fresh pages come from the system one
fault at a time. In one process for all, the order of the contenders would be part of the result.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from benchmarks import timing
from positions.analysis.timing import Action

Make = Callable[..., tuple[Action, dict[str, Any]]]
"""A function of a module that returns an action and facts about it."""


@dataclass(frozen=True)
class Job:
    """What a worker is to do: `make(*arguments)`, and whether it keeps the memory it freed."""

    make: Make
    arguments: tuple[Any, ...]
    keeps_memory: bool = False


class Worker:
    """One process that holds one action."""

    def __init__(self, job: Job, context: Any) -> None:
        settings = (torch.get_num_threads(), timing.clock_name(), job.keeps_memory)
        self.pool = ProcessPoolExecutor(1, context, _begin, settings)
        self.facts: dict[str, Any] = self.pool.submit(_make, job.make, job.arguments).result()

    def turn(self, repeats: int) -> float:
        """Return the seconds of a call, averaged over `repeats` in a row."""
        return self.pool.submit(_turn, repeats).result()

    def faults(self) -> float:
        """Return the pages that one call takes anew from the system."""
        return self.pool.submit(_faults).result()

    def close(self) -> None:
        """End the process."""
        self.pool.shutdown()


@contextmanager
def workers(jobs: Mapping[str, Job]) -> Iterator[dict[str, Worker]]:
    """Start a process for each job, by its name, and end them in the end."""
    context = _context()
    started: dict[str, Worker] = {}
    try:
        for name, job in jobs.items():
            started[name] = Worker(job, context)
        yield started
    finally:
        for worker in started.values():
            worker.close()


def keep_memory() -> None:
    """Let this process keep what it frees, for its next tensors (glibc alone offers that)."""
    if sys.platform == "linux":
        trim, mapped = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD: in bytes
        library = ctypes.CDLL(None)
        library.mallopt(trim, 2**31 - 1)
        library.mallopt(mapped, 32 * 2**20)


def _context() -> Any:
    """Return how processes are begun: copies of one that has imported the libraries already."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.training", "benchmarks.generation"])
    return context


_held: list[Action] = []


def _begin(threads: int, clock: str, keeps_memory: bool) -> None:
    torch.set_num_threads(threads)
    timing.use_clock(clock)
    if keeps_memory:
        keep_memory()


def _make(make: Make, arguments: tuple[Any, ...]) -> dict[str, Any]:
    action, facts = make(*arguments)
    _held[:] = [action]
    return facts


def _turn(repeats: int) -> float:
    return timing.once(_held[0], repeats)


def _faults() -> float:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    _held[0]()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
