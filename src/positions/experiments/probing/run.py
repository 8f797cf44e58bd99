"""Run one measure over its seeds and sum up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from positions.analysis.statistics import interval, intervals
from positions.experiments.base import Outcome
from positions.experiments.probing.config import ProbingConfig, rows
from positions.experiments.probing.measures import MEASURES
from positions.experiments.probing.reading import Reading

METRIC_DIGITS = 6
SERIES_DIGITS = 4


def run(config: ProbingConfig) -> Outcome:
    """Measure one table.

    Metrics: the mean over seeds under the metric's name, and with more than one seed the
    bootstrap interval of that mean as `<name>_low` and `<name>_high`. Series: `<name>_by_seed`
    for the measure's main metrics; curves averaged over seeds with `_low` and `_high`; what is
    shown once is that of seed 0. On a table that is not random, seeds vary the procedure alone:
    the interval doesn't say what another training of the same model would give. Raises as
    `positions.tables.load` does.
    """
    measure = MEASURES[config.measure]
    first = rows(config, 0)
    probe = measure.prepare(first.rows)
    readings = [probe(0)]
    for seed in range(1, config.seeds):
        if config.is_random:
            probe = measure.prepare(rows(config, seed).rows)
        readings.append(probe(seed))
    return Outcome(
        _metrics(readings),
        _series(readings, measure.by_seed),
        {f"table {first.name}": first.sha256},
        dtype="float64",
    )


def _metrics(readings: Sequence[Reading]) -> dict[str, float | None]:
    """Return mean and interval of every metric; undefined where any seed leaves it undefined."""
    found: dict[str, float | None] = {}
    for name in readings[0].metrics:
        values = np.array([reading.metrics[name] for reading in readings], dtype=np.float64)
        if not np.isfinite(values).all():
            found[name] = None
            continue
        summary = interval(values)
        found[name] = significant(summary.mean, METRIC_DIGITS)
        if summary.n > 1:
            found[f"{name}_low"] = significant(summary.low, METRIC_DIGITS)
            found[f"{name}_high"] = significant(summary.high, METRIC_DIGITS)
    return found


def _series(readings: Sequence[Reading], by_seed: Sequence[str]) -> dict[str, list[Any]]:
    """Return what is kept beside the metrics."""
    first = readings[0]
    series = {
        f"{name}_by_seed": rounded([reading.metrics[name] for reading in readings], METRIC_DIGITS)
        for name in by_seed
    }
    for name, value in first.shown.items():
        series[name] = rounded(value)
    for name in first.curves:
        mean, low, high = intervals(np.array([reading.curves[name] for reading in readings]))
        series[name] = rounded(mean)
        if len(readings) > 1:
            series[f"{name}_low"], series[f"{name}_high"] = rounded(low), rounded(high)
    for name in first.averaged:
        several = np.array([reading.averaged[name] for reading in readings])
        series[name] = rounded(several.mean(axis=0))
    for name in first.pooled:
        sums, counts = (
            np.sum([reading.pooled[name][part] for reading in readings], axis=0) for part in (0, 1)
        )
        series[name] = rounded(
            np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
        )
        series[f"{name}_count"] = [int(count) for count in counts]
    return series


def rounded(values: ArrayLike, digits: int = SERIES_DIGITS) -> list[Any]:
    """Return a list with that many significant digits, so that records stay small."""
    array = np.asarray(values)
    if array.dtype.kind != "f":
        return list(array.tolist())
    return [significant(value, digits) for value in array]


def significant(value: float, digits: int) -> float | None:
    """Return a value rounded to significant digits, None where it is not finite."""
    return float(f"{value:.{digits}g}") if np.isfinite(value) else None
