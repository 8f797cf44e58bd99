"""One run: execute an experiment's function and note where its numbers come from."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from pydantic import ValidationError

from positions.errors import InvalidValueError
from positions.experiments.base import C, Experiment, Outcome
from positions.runs import provenance
from positions.runs.record import Provenance, Record, finite
from positions.settings import explain


def execute(experiment: Experiment[C], config: C, preset: str) -> Record:
    """Run one config in this process and return its record.

    Numbers that are not finite are recorded as None. Raises what the run raises, and
    `InvalidValueError` where its outcome cannot be recorded.
    """
    provenance.reset_peak_memory()
    started = datetime.now(UTC)
    clock = time.perf_counter()
    outcome = experiment.run(config)
    seconds = time.perf_counter() - clock + outcome.earlier_seconds
    return _record(experiment, config, preset, outcome, started, seconds)


def _record(
    experiment: Experiment[C],
    config: C,
    preset: str,
    outcome: Outcome,
    started: datetime,
    seconds: float,
) -> Record:
    commit, dirty = provenance.commit()
    try:
        return Record(
            key=experiment.key(config),
            experiment=experiment.name,
            version=experiment.version,
            preset=preset,
            config=config.canonical(),
            metrics=finite(outcome.metrics),
            series=finite(outcome.series),
            status=outcome.status,
            provenance=Provenance(
                commit=commit,
                dirty=dirty,
                **provenance.versions(),
                device=provenance.device_name(outcome.device),
                dtype=outcome.dtype,
                threads=provenance.threads(),
                started=started.isoformat(timespec="seconds"),
                seconds=round(seconds, 3),
                memory_mib=provenance.peak_memory_mib(),
                device_memory_mib=provenance.peak_device_memory_mib(),
                data=outcome.data,
            ),
        )
    except ValidationError as error:
        raise InvalidValueError(
            f"The outcome of {experiment.name} cannot be recorded. {explain(Record, error)}"
        ) from None
