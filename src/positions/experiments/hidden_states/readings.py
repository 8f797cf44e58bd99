"""What the recorded runs say, as tidy tables: one row a run, state and layer or position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from positions.experiments._recorded import Recorded, no_two_alike
from positions.experiments.length_generalization.readings import variant

STATES = ("untrained", "trained")
IDENTITY = ["variant", "seed", "state"]


def layers(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return variant, seed, state, layer, error, rank, guess: one row a run, state and layer.

    `state`: "untrained" or "trained", which runs that diverged lack. `error` and `guess`, the error
    of knowing nothing, in positions. Raises `InvalidValueError` for two runs of one variant and
    seed.
    """
    return _table(records, "layer", ("error", "rank"), guess="guess")


def places(records: Iterable[Recorded]) -> pd.DataFrame:
    """Return variant, seed, state, position, predicted, spread: what the best layer's probe says.

    `predicted` is the mean over texts of what is read at a position, `spread` its standard
    deviation. Raises as `layers`.
    """
    return _table(records, "position", ("predicted", "spread"))


def _table(
    records: Iterable[Recorded], index: str, values: tuple[str, ...], **metrics: str
) -> pd.DataFrame:
    parts = []
    for record in no_two_alike(records, _identity):
        for state in STATES:
            if f"{values[0]}_{state}" not in record.series:
                continue
            found = pd.DataFrame({index: record.series[index]})
            for name in values:
                found[name] = pd.Series(record.series[f"{name}_{state}"], dtype=float)
            for name, metric in metrics.items():
                found[name] = record.metrics[metric]
            found["variant"], found["seed"] = _identity(record.config).values()
            found["state"] = state
            parts.append(found)
    names = [*IDENTITY, index, *values, *metrics]
    return pd.concat(parts, ignore_index=True)[names] if parts else pd.DataFrame(columns=names)


def _identity(settings: Mapping[str, Any]) -> dict[str, Any]:
    name = variant(settings["encoding"], settings["encoding_options"])
    return {"variant": name, "seed": settings["seed"]}
