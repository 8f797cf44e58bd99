"""What each experiment takes at a preset, from the runs that are recorded."""

from __future__ import annotations

from typing import Any

import pandas as pd

from positions import experiments
from positions.book.provenance import duration
from positions.experiments import Experiment
from positions.runs import Store

NOTHING = "-"


def table(store: Store, preset: str) -> pd.DataFrame:
    """Return one row an experiment that has the preset.

    Columns: experiment, runs (of the preset), recorded (of these), took (their time, one after
    the other), all (the time of the whole preset at the recorded runs' mean), machine. What nobody
    has recorded has no time: "-".
    """
    every = [experiments.get(name) for name in experiments.names()]
    return pd.DataFrame([_row(each, preset, store) for each in every if preset in each.presets])


def _row(experiment: Experiment[Any], preset: str, store: Store) -> dict[str, object]:
    keys = {experiment.key(config) for config in experiment.configs(preset)}
    there = [each for each in store.load(experiment, preset) if each.key in keys]
    seconds = sum(each.provenance.seconds for each in there)
    machines = dict.fromkeys(each.provenance.device for each in there)
    return {
        "experiment": experiment.name,
        "runs": len(keys),
        "recorded": len(there),
        "took": duration(seconds) if there else NOTHING,
        "all": duration(seconds / len(there) * len(keys)) if there else NOTHING,
        "machine": " and ".join(machines) or NOTHING,
    }
