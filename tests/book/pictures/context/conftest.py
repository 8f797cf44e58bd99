"""Made-up runs on both texts, and studies of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from made_up import provenance
from positions.book.pictures.context import study
from positions.experiments.context import EXPERIMENT
from positions.runs import Record

WITHIN = {"wikitext-2": 100.0, "standard-library": 20.0}
GROWTH = {"nope": 1.05, "sinusoidal": 3.0, "t5": 0.0, "alibi": 0.0, "rotary": 2.0}
"""Perplexity grows with the context beyond training to this power of the multiple."""


def run(config: Any, status: str = "ok") -> Record:
    """Make a record of a config of the preset; within its context a run gains 2 percent."""
    own, power = config.context, GROWTH[config.encoding]
    curve = []
    for context in config.contexts:
        times = context / own
        factor = times**power if times > 1 else 1 + 0.04 * (1 - times)
        curve.append(WITHIN[config.corpus] * factor * (1 + 0.01 * (config.seed - 1)))
    series: dict[str, list[Any]] = {
        "context": list(config.contexts),
        "loss": [math.log(each) for each in curve],
        "perplexity": curve,
        "standard_error": [0.05] * len(curve),
        "count": [2_000] * len(curve),
    }
    metrics = {
        "loss": math.log(curve[2]),
        "perplexity": curve[2],
        "parameters": 1_310_000.0,
        "epochs": 0.8,
        "tokens": 4_096,
        "bytes_per_token": 3.2,
        "train_documents": 600,
        "train_tokens": 3_000_000,
        "test_documents": 60,
        "long_documents": 58,
        "scored_tokens": 2_900,
    }
    return Record(
        key=EXPERIMENT.key(config),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics=metrics,
        series=series if status == "ok" else {},
        status=status,
        provenance=provenance(seconds=120.0),
    )


def grid(keep: Callable[[Any], bool] = lambda config: True) -> list[Record]:
    return [run(config) for config in EXPERIMENT.configs("laptop") if keep(config)]


@pytest.fixture
def records() -> Callable[..., list[Record]]:
    """Give the function that makes runs of the preset, all or those that are kept."""
    return grid


@pytest.fixture
def chosen() -> Callable[..., study.Study]:
    """Give a function that makes a study of runs, by default of the whole preset."""

    def choose(records: list[Record] | None = None, encodings=tuple(GROWTH)) -> study.Study:
        return study.choose(grid() if records is None else records, "laptop", encodings)

    return choose
