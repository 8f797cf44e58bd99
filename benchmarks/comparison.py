"""Everybody at their best, side by side: the part that training and generation share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks import hugging_face, ours, x_transformers_peers
from benchmarks.contender import Entry
from benchmarks.report import Row
from benchmarks.sizes import Size
from benchmarks.timing import fastest, interleaved, per_second, times_faster
from benchmarks.workers import Job, Make, workers

Setting = tuple[str, ...]
AS_IT_COMES, KEPT = "as it comes", "kept"


def entries(encoding: str) -> list[Entry]:
    """Return ours, then the peers with that encoding."""
    everyone = (*ours.ENTRIES, *hugging_face.ENTRIES, *x_transformers_peers.ENTRIES)
    return [entry for entry in everyone if entry.encoding == encoding]


def entry(name: str, encoding: str) -> Entry:
    """Return one entry; a worker is told names, as functions travel badly."""
    return next(each for each in entries(encoding) if each.name == name)


def compare(
    benchmark: str,
    make: Make,
    settings: Callable[[Entry], dict[str, list[Setting]]],
    encoding: str,
    size: Size,
    dropout: float,
    count: int,
    memories: tuple[str, ...] = (AS_IT_COMES,),
    extra: Callable[[Setting], dict[str, Job]] = lambda ours: {},
) -> list[Row]:
    """Let each entry choose its best setting, then time all of them in turns.

    `settings` lists what an entry may choose from, under the name of its row, or of several rows.
    `make(name, encoding, size, dropout, setting)` gives the action, `count` is how many tokens it
    handles. `memories`: whether to time them with their memory as it comes, or with freed memory
    kept, or both. `extra` adds jobs of ours, given the best setting of ours.
    """
    best: dict[str, Setting] = {}
    tried: dict[str, dict[str, float]] = {}
    jobs, kinds = {}, {}
    for each in entries(encoding):
        for name, choice in settings(each).items():
            best[name], tried[name] = _best(make, each, choice, size, dropout)
            for memory in memories:
                job = Job(make, (each.name, encoding, size, dropout, best[name]), memory == KEPT)
                jobs[f"{name}, {memory}"], kinds[f"{name}, {memory}"] = job, (name, memory)
    for name, job in extra(best[ours.NAME]).items():
        jobs[name], kinds[name] = job, (name, AS_IT_COMES)
        best[name] = best[ours.NAME]
    rows = []
    with workers(jobs) as started:
        turns = {name: worker.turn for name, worker in started.items()}
        times = interleaved(turns, rounds=size.rounds, seconds=size.seconds)
        for key, seconds in times.items():
            name, memory = kinds[key]
            facts = started[key].facts
            each_call = [one / facts.get("calls", 1) for one in seconds]
            rows.append(
                Row(
                    benchmark,
                    size=size.name,
                    dropout=dropout,
                    encoding=encoding,
                    contender=name,
                    memory=memory,
                    setting=" ".join(best[name]),
                    weights=facts["weights"],
                    tokens_per_second=per_second(count, each_call).rounded(),
                    times_faster=times_faster(times[f"{ours.NAME}, {memory}"], each_call).rounded(
                        3
                    ),
                    faults=started[key].faults() / facts.get("calls", 1),
                    tried=tried.get(name, {}),
                )
            )
    return rows


def _best(
    make: Make, entry: Entry, settings: list[Setting], size: Size, dropout: float
) -> tuple[Setting, dict[str, float]]:
    """Return the fastest setting of an entry, and the seconds that each took."""
    named = {" ".join(setting): setting for setting in settings}
    trial = size.for_trial()
    jobs = {
        name: Job(make, (entry.name, entry.encoding, trial, dropout, setting))
        for name, setting in named.items()
    }
    with workers(jobs) as started:
        turns = {name: worker.turn for name, worker in started.items()}
        times = fastest(turns, seconds=size.seconds / 2)
    rounded = {name: float(f"{seconds:.3g}") for name, seconds in times.items()}
    return named[next(iter(times))], rounded


def facts(contender: Any) -> dict[str, Any]:
    """Return what a row says of a model."""
    return {"weights": sum(p.numel() for p in contender.parameters() if p.requires_grad)}
