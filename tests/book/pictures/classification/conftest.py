"""Made-up runs of text classification, and studies of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from made_up import provenance
from positions.book.pictures.classification import study
from positions.experiments.base import key
from positions.experiments.classification import EXPERIMENT, ClassificationConfig
from positions.experiments.classification.bits import pack
from positions.experiments.classification.presets import COPIES
from positions.runs import Record
from positions.tasks.sentences import SETS

TABLES = ("random", "zeros", "sinusoidal", "gpt2", *COPIES)
TASKS = ("mr", "trec", "generated")
RATES = {"mr": 0.7, "trec": 0.8, "generated": 0.9}
LEADS = {"sinusoidal": 0.05, "gpt2": 0.03, "zeros": -0.1}
ARMS: tuple[dict[str, Any], ...] = (
    {},
    {"frozen": True},
    {"readout": "mean"},
    {"preparation": "whitened"},
)
LENGTHS = np.arange(1, 41)


def made_up(table: str, task: str = "mr", seed: int = 0, lead: float = 0.0, **changes) -> Record:
    """Make a record; the sinusoid's lead grows with length."""
    sizes = {"width": 16, "heads": 2, "hidden": 16, "epochs": 1, "learning_rate": 1e-3}
    config = ClassificationConfig(
        task=task, table=table, seed=seed, evaluate_every=1, **sizes, **changes
    ).canonical()
    words = np.repeat(LENGTHS, 5)
    chance = np.random.default_rng([seed, *f"{task} {table} {sorted(changes)}".encode()])
    grows = 0.08 * np.log(words / 12) * (table == "sinusoidal")
    right = chance.random(len(words)) < RATES[task] + LEADS.get(table, 0) + lead + grows
    share = float(right.mean())
    metrics = {
        "accuracy": share,
        "reported": share + 0.02 * (task == "mr"),
        "last": share,
        "majority": 0.5,
        "unstable": None if changes.get("readout") else 0.03,
        "shuffled": share - 0.01,
        "unshifted": share,
        "shifted": share - 0.2,
        "kept": None if table == "zeros" or changes.get("frozen") else 0.9,
        "changed": None if table == "zeros" or changes.get("frozen") else 0.4,
    }
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config,
        metrics=metrics,
        series={
            "length": LENGTHS.tolist(),
            "count": [5] * len(LENGTHS),
            "right": [pack(right.tolist())],
        },
        status="ok",
        provenance=provenance(seconds=20.0),
    )


@cache
def grid(seeds: int = 3) -> tuple[Record, ...]:
    return tuple(
        made_up(table, task, seed, **arm)
        for arm in ARMS
        for task in TASKS
        for table in TABLES
        if not arm.get("preparation") or table not in ("random", "zeros")
        for seed in range(seeds)
    )


@pytest.fixture
def one() -> Callable[..., Record]:
    """Give the function that makes one run."""
    return made_up


@pytest.fixture
def chosen() -> Callable[..., study.Study]:
    """Give a function that makes a study of some runs, by default of a whole grid."""

    def choose(found=None, preset: str = "laptop", tables=TABLES[2:], sets=tuple(SETS)):
        return study.choose(list(grid() if found is None else found), preset, tables, sets)

    return choose
