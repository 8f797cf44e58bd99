"""Sweeps: seeds times steps a second, by a pool of processes and by one process."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial
from typing import Any

import torch

from benchmarks import machine, ours
from benchmarks.report import Row
from benchmarks.sizes import Size
from benchmarks.timing import Turn, interleaved, once, per_second, times_faster
from benchmarks.workers import Job, workers
from positions.analysis.timing import Action
from positions.runs.engines import local
from positions.training import (
    CausalDataset,
    ShuffledBatches,
    TrainingPlan,
    causal_loss,
    fit,
    seeded,
)

ENCODING, DROPOUT = "t5", 0.1  # the book's own decoder
POOL = "pool, one thread a process"


def run(size: Size, steps: int = 100, rounds: int = 3) -> list[Row]:
    """Compare the pool that sweeps use with one process, of all threads and of one."""
    jobs = machine.cores()
    seeds = 2 * jobs
    rows = []
    for precision in ("float32", "bfloat16"):
        alone = {
            f"one process, threads: {threads}": Job(
                one_by_one, (seeds, size, steps, precision, threads)
            )
            for threads in dict.fromkeys((jobs, 1))
        }
        with local(jobs) as pool, workers(alone) as started:
            _at_once(pool, jobs, size, 1, precision)  # starts the processes
            turns: dict[str, Turn] = {name: each.turn for name, each in started.items()}
            turns[POOL] = partial(once, partial(_at_once, pool, seeds, size, steps, precision))
            times = interleaved(turns, rounds=rounds, seconds=0.0)
        rows += [
            Row(
                "sweep",
                size=size.name,
                precision=precision,
                way=name,
                processes=jobs if name == POOL else 1,
                seed_steps_per_second=per_second(seeds * steps, found).rounded(),
                pool_times_faster=times_faster(times[POOL], found).rounded(3),
            )
            for name, found in times.items()
        ]
    return rows


def train(seed: int, size: Size, steps: int, precision: Any) -> None:
    """Train one seed by `fit`."""
    with seeded(seed):
        model = ours.build(ENCODING, size, DROPOUT).model
    tokens, targets = size.tokens()
    texts = torch.cat([tokens, targets[:, -1:]], 1).tolist()
    marks = [True] * (size.length + 1)
    data = CausalDataset([(text, marks) for text in texts], vocabulary=size.vocabulary)
    plan = TrainingPlan(
        steps=steps,
        batch_size=size.batch,
        learning_rate=1e-3,
        precision=precision,
        device="cpu",
        seed=seed,
    )
    fit(model, ShuffledBatches(data, size.batch, seed=seed), causal_loss(), plan)


def one_by_one(
    seeds: int, size: Size, steps: int, precision: str, threads: int
) -> tuple[Action, dict[str, Any]]:
    """Return the training of all seeds, one after the other, in this process."""
    torch.set_num_threads(threads)

    def action() -> None:
        for seed in range(seeds):
            train(seed, size, steps, precision)

    return action, {}


def _at_once(pool: Executor, seeds: int, size: Size, steps: int, precision: str) -> None:
    running = [pool.submit(train, seed, size, steps, precision) for seed in range(seeds)]
    for each in running:
        each.result()
