"""Driving runs through an executor: each result recorded as it comes, each death survived."""

from __future__ import annotations

import queue
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any

from positions.errors import PositionsError, StoppedError
from positions.experiments.base import C, Config, Experiment, Outcome, needs_nothing
from positions.runs import engines
from positions.runs.engine import execute
from positions.runs.record import Record
from positions.runs.stopping import Terminated

TRIES = 3


@dataclass(frozen=True)
class Failure:
    """A run that ended without a record: its config, why in one line, and the traceback."""

    config: dict[str, Any]
    reason: str
    detail: str = ""


@dataclass
class Report:
    """What a sweep did; `str(report)` tells it in a few lines.

    `recorded` and `already`: how many runs were recorded now and before. `not_at_hand`: the
    configs that cannot run here, each with the reason.
    """

    recorded: int = 0
    already: int = 0
    failed: list[Failure] = field(default_factory=list)
    not_at_hand: list[tuple[dict[str, Any], str]] = field(default_factory=list)

    def __str__(self) -> str:
        plural = "" if self.recorded == 1 else "s"
        lines = [f"{self.recorded} run{plural} recorded now, {self.already} recorded before."]
        reasons = [reason for _, reason in self.not_at_hand]
        lines += [f"Left out, {reasons.count(each)}: {each}" for each in dict.fromkeys(reasons)]
        lines += [f"Failed: {failure.reason} Config: {failure.config}" for failure in self.failed]
        return "\n".join(lines)


def work(experiment: Experiment[C], config: C, preset: str) -> Record | Failure:
    """Run one config in a worker, on one thread."""
    engines.one_thread()
    return attempt(experiment, config, preset)


def attempt(experiment: Experiment[C], config: C, preset: str) -> Record | Failure:
    """Run one config; an error comes back as words, as it might not survive the way itself."""
    try:
        return execute(experiment, config, preset)
    except Exception as error:
        ours = isinstance(error, PositionsError)
        reason = str(error) if ours else f"{type(error).__name__}: {error}."
        return Failure(config.canonical(), reason, traceback.format_exc())


def here(experiment: Experiment[C], config: C, preset: str) -> Record | Failure:
    """Run one config in the sweep's own process: a signal that stops the run stops the sweep."""

    def run(config: C) -> Outcome:
        try:
            return experiment.run(config)
        except StoppedError:
            raise Terminated from None

    return attempt(replace(experiment, run=run), config, preset)


class Drive:
    """One pass of an experiment's configs through an executor.

    `record` is called in this process, one record at a time, and says whether the record was new.
    `step` is called after each run that ended.
    """

    def __init__(
        self,
        experiment: Experiment[Any],
        preset: str,
        executor: Executor,
        record: Callable[[Record], bool],
        report: Report,
        step: Callable[[], None],
    ) -> None:
        # Presets stay at home: a run does not need them, and they may not be able to travel.
        self._experiment = replace(experiment, presets={}, requires=needs_nothing)
        self._preset = preset
        self._executor = executor
        self._work = here if isinstance(executor, engines.InProcess) else work
        self._record = record
        self._report = report
        self._step = step
        self._running: dict[Future[Record | Failure], tuple[Config, int]] = {}
        self._ended: queue.SimpleQueue[Future[Record | Failure]] = queue.SimpleQueue()
        self._broken: PositionsError | None = None

    def run(self, configs: Sequence[Config]) -> None:
        """Run all; raises what `record` raises, or `EngineLostError`, once nothing runs any more.

        On Ctrl-C what has finished is still recorded, then `KeyboardInterrupt` goes on up.
        """
        try:
            for config in configs:
                if self._broken is None:
                    self._submit(config, 1)
                    self._take_ended()
            while self._running:
                self._take(self._ended.get())
        except KeyboardInterrupt:
            self._take_ended()
            raise
        if self._broken is not None:
            raise self._broken

    def _submit(self, config: Config, tries: int) -> None:
        future = self._executor.submit(self._work, self._experiment, config, self._preset)
        self._running[future] = (config, tries)
        future.add_done_callback(self._ended.put)

    def _take_ended(self) -> None:
        while not self._ended.empty():
            self._take(self._ended.get())

    def _take(self, future: Future[Record | Failure]) -> None:
        """Record what a future holds, or run it again where its worker died."""
        config, tries = self._running.pop(future)
        try:
            result = future.result()
        except CancelledError:  # by this class, or because the engine is gone
            if self._broken is None:
                self._break(engines.EngineLostError("The runs were cancelled from outside."))
            return
        except engines.EngineLostError as error:
            if self._broken is None:
                self._break(error)
            return
        except Exception as error:  # the run's own errors come back as a Failure
            if tries < TRIES and self._broken is None:
                self._submit(config, tries + 1)
                return
            name = type(error).__name__
            reason = f"Its worker ended {tries} times (killed, or out of memory?) [{name}: {error}]"
            result = Failure(config.canonical(), reason)
        if isinstance(result, Failure):
            self._report.failed.append(result)
        else:
            self._keep(result)
        self._step()

    def _keep(self, record: Record) -> None:
        """Record a result; where it cannot be written, start nothing new."""
        try:
            if self._record(record):
                self._report.recorded += 1
            else:
                self._report.already += 1
        except PositionsError as error:
            # each message may be all that is left of a record, so none may push out another
            earlier = [] if self._broken is None else [str(self._broken)]
            self._break(type(error)("\n".join([*earlier, str(error)])))

    def _break(self, error: PositionsError) -> None:
        """Note why the sweep ends; what has not begun never will, what runs may still finish."""
        self._broken = error
        for future in list(self._running):
            future.cancel()
