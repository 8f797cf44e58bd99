"""A sweep: run what the store lacks, whatever happens to single runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Generic

from tqdm import tqdm

from positions.experiments.base import C, Experiment
from positions.runs import engines
from positions.runs.drive import Drive, Failure, Report
from positions.runs.record import Record
from positions.runs.stopping import sigterm_stops
from positions.runs.store import Store

__all__ = ["Failure", "Plan", "Report", "plan", "run_missing"]


@dataclass(frozen=True)
class Plan(Generic[C]):
    """What a sweep would do.

    `missing`: configs to run. `recorded`: how many are in the store. `not_at_hand`: configs that
    cannot run here, each with the reason. `seconds_each`: mean time of the recorded runs of this
    preset, None where there is none to judge from.
    """

    missing: list[C]
    recorded: int
    not_at_hand: list[tuple[C, str]]
    seconds_each: float | None

    def seconds(self, jobs: int = 1) -> float | None:
        """Return the estimated time of the missing runs with that many at once."""
        if self.seconds_each is None:
            return None
        return self.seconds_each * len(self.missing) / max(jobs, 1)


def plan(experiment: Experiment[C], configs: Iterable[C], store: Store, preset: str) -> Plan[C]:
    """Find out what a sweep has to do, without doing it; raises as `Store.load`."""
    records = store.load(experiment, preset)
    have = {record.key for record in records}
    wanted = {experiment.key(config): config for config in configs}
    missing, not_at_hand = [], []
    for key, config in wanted.items():
        if key in have:
            continue
        reason = experiment.requires(config)
        if reason is None:
            missing.append(config)
        else:
            not_at_hand.append((config, reason))
    times = [record.provenance.seconds for record in records]
    each = sum(times) / len(times) if times else None
    return Plan(missing, len(have & wanted.keys()), not_at_hand, each)


def run_missing(
    experiment: Experiment[C],
    configs: Iterable[C],
    store: Store,
    preset: str,
    jobs: int = 1,
    progress: bool = True,
    executor: Executor | None = None,
    cards: Sequence[str] = (),
    each: bool = False,
) -> Report:
    """Run the configs that the store lacks, and record each as it finishes.

    `executor` is anything that keeps to `concurrent.futures.Executor` (`engines.dask` gives one);
    without it, `jobs` processes of this machine, one thread each (0: this very process), which
    share the GPUs named in `cards`. `each` prints a line for every finished run. Only the
    caller's process writes. A run that raises is reported and does not stop the others; a worker
    that dies costs its own run, which is tried again, three times in all. Ctrl-C and SIGTERM keep
    all that has finished and are raised, as `KeyboardInterrupt`; the same call later goes on from
    there.

    Raises as `Store.load` and `Store.add`, before the first run where it can, and
    `EngineLostError` where the executor is gone.
    """
    todo = plan(experiment, configs, store, preset)
    report = Report(
        already=todo.recorded,
        not_at_hand=[(config.canonical(), reason) for config, reason in todo.not_at_hand],
    )
    if not todo.missing:
        return report
    store.check_writable(experiment.name, preset)
    bar = tqdm(
        total=len(todo.missing),
        desc=f"{experiment.name} {preset}",
        unit="run",
        disable=not progress,
        dynamic_ncols=True,
    )
    engine = engines.local(jobs, cards) if executor is None else nullcontext(executor)
    varied = _varied([config.canonical() for config in todo.missing])

    def step() -> None:
        if report.failed:
            bar.set_postfix(failed=len(report.failed), refresh=False)
        bar.update()

    def keep(record: Record) -> bool:
        new = store.add(record)
        if each:
            settings = " ".join(f"{name}={record.config[name]}" for name in varied)
            bar.write(f"{record.key} {settings} {record.provenance.seconds:.1f} s")
        return new

    def done() -> str:
        # by the file: a signal may have come between writing a record and counting it
        keys = {experiment.key(config) for config in todo.missing}
        have = sum(record.key in keys for record in store.read(experiment.name, preset))
        return f"{have} of {len(keys)}"

    with bar, sigterm_stops():
        try:
            with engine as pool:
                Drive(experiment, preset, pool, keep, report, step).run(todo.missing)
        except KeyboardInterrupt:
            bar.close()
            print(
                f"Stopped: {done()} runs recorded. The same command goes on from here.",
                file=sys.stderr,
            )
            raise
        except engines.EngineLostError as error:
            bar.close()
            raise engines.EngineLostError(
                f"{error} {done()} runs are recorded and kept. The same command goes on from here."
            ) from None
    return report


def _varied(settings: Sequence[dict[str, Any]]) -> list[str]:
    """Return the names of the settings in which runs differ; of a single run, all."""
    return [
        name
        for name in settings[0]
        if len(settings) == 1 or len({str(one[name]) for one in settings}) > 1
    ]
