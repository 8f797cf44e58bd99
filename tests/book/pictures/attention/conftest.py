"""Made-up runs of both tasks, and studies of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from made_up import provenance
from positions.analysis.attention.distance import BINS, CENTRES
from positions.book.pictures.attention import study
from positions.experiments.attention import EXPERIMENT, AttentionConfig
from positions.experiments.attention.config import AGAINST
from positions.experiments.attention.measure import FORMS
from positions.runs import Record

OPTIONS = {
    "nope": ("nope", ""),
    "sinusoidal": ("sinusoidal", "amplitude=1.0"),
    "t5": ("t5", ""),
    "alibi": ("alibi", ""),
    "rotary": ("rotary", "fraction=0.25"),
}
APART = {"nope": 0.1, "t5": 0.1, "alibi": 0.2, "sinusoidal": 0.3, "rotary": 0.4}
"""Of the closest heads of another seed; the twin is at 0.1, the same seed at half."""
SIZES: dict[str, Any] = {
    "train": 200,
    "test": 40,
    "width": 16,
    "heads": 2,
    "layers": 3,
    "hidden": 32,
    "dropout": 0.0,
    "steps": 4,
    "batch_size": 8,
    "learning_rate": 1e-3,
    "evaluate_every": 2,
}
TASKS: dict[str, dict[str, Any]] = {
    "scan": {"longest": 25, "test_longest": 48},
    "addition": {"longest": 2, "test_longest": 4, "scratchpad": "full"},
}
LENGTHS = {"scan": [24, 25, 26, 48], "addition": [1, 2, 3, 4]}


def run(
    variant: str,
    task: str = "scan",
    seed: int = 0,
    iid: float = 1.0,
    apart: float | None = None,
) -> Record:
    """Make a record: near models look at themselves, far ones at the first token."""
    encoding, options = OPTIONS[variant]
    config = AttentionConfig(
        task=task,
        encoding=encoding,
        encoding_options=options,
        seed=seed,
        **SIZES,
        **TASKS[task],
    )
    nats = APART[variant] if apart is None else apart
    values = {
        "other_seed": nats,
        "same_seed": nats / 2,
        "itself": 0.1,
    }
    series: dict[str, list[Any]] = {}
    for against in AGAINST:
        for number, form in enumerate(FORMS):
            if variant == "nope" and against == "same_seed":
                continue
            # beyond the training lengths twice as far
            far = [1.0, 1.0, 2.0, 2.0]
            value = values[against] * (number + 1) + 0.001 * (seed - 1)
            series[f"{against}_{form}"] = [[value * each] * 3 for each in far]
    shares = np.zeros(BINS)
    shares[0], shares[-1] = (0.9, 0.1) if variant == "alibi" else (0.6, 0.4)
    even = [1 / BINS] * BINS
    series |= {
        "length": LENGTHS[task],
        "bin": list(CENTRES),
        "even": even,
        "most_attended": [shares.tolist()] * 3,
        "mass": [even] * 3,
    }
    metrics = {
        "iid": iid,
        "ood": 0.5,
        **{f"{against}_iid": 1.0 for against in AGAINST},
        "near": float(shares[0]),
        "far": float(shares[-1]),
        "near_mass": 2 / BINS,
        "far_mass": 4 / BINS,
        "near_even": 2 / BINS,
        "far_even": 4 / BINS,
    }
    return Record(
        key=EXPERIMENT.key(config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics=metrics,
        series=series,
        status="ok",
        provenance=provenance(),
    )


def grid(seeds: int = 3, **changes: Any) -> list[Record]:
    return [
        run(variant, task, seed, **changes)
        for task in TASKS
        for variant in OPTIONS
        for seed in range(seeds)
    ]


@pytest.fixture
def records() -> Callable[..., list[Record]]:
    """Give the function that makes a grid of runs."""
    return grid


@pytest.fixture
def one() -> Callable[..., Record]:
    """Give the function that makes one run."""
    return run


@pytest.fixture
def chosen() -> Callable[..., study.Study]:
    """Give a function that makes a study of some runs, by default of a whole grid."""

    def choose(found: list[Record] | None = None, preset: str = "laptop", encodings=OPTIONS):
        if found is None and encodings is OPTIONS:
            return whole()
        return study.choose(grid() if found is None else found, preset, encodings)

    return choose


@cache
def whole() -> study.Study:
    """Choose all runs of a grid; made once."""
    return study.choose(grid(), "laptop", OPTIONS)
