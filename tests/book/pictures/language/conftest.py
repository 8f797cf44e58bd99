"""Made-up runs of language models, and studies of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from made_up import provenance
from positions.book.pictures.language import study
from positions.experiments.base import key
from positions.experiments.language_modelling import EXPERIMENT, LanguageConfig
from positions.experiments.language_modelling.presets import COPY, PLAIN, SMOKE
from positions.runs import Record

TABLES = ("sinusoidal", "gpt2", COPY, "roberta-base", "shuffled:gpt2", f"shuffled:{COPY}")
GAINS = {"zeros": 0.0, "random": 0.1, "sinusoidal": 0.3, "gpt2": 0.4, COPY: 0.2}
HELD = {"masked": 0.5, "causal": 0.1}
"""By how much the table of an objective's own kind is the better one."""
OWN = {"masked": COPY, "causal": "gpt2"}


def made_up(objective: str, table: str, seed: int = 0, **changes) -> Record:
    """Make a record: skipping costs a masked model more, and swapping costs ten times that."""
    settings = {"corpus": "wikitext-2", **SMOKE, **changes}
    config = LanguageConfig(objective=objective, table=table, seed=seed, **settings)
    noise = np.random.default_rng([seed, *f"{objective} {table}".encode()]).normal() * 0.01
    skip = {"masked": 0.08, "causal": 0.03}[objective] * (config.used.first + config.stride > 1)
    gain = GAINS.get(table, 0.15) + HELD[objective] * (table == OWN[objective])
    loss = 4.0 - gain + noise + skip
    selections = config.selections()
    costs = [10 * skip + 0.02 * (rows.first + rows.stride) for rows in selections[1:]]
    flat = table == "zeros"
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config.canonical()),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics={
            "loss": loss,
            "perplexity": math.exp(loss),
            "validation_loss": loss,
            "kept": None if config.frozen else 0.9,
            "parameters": 5e5,
            "bytes_per_token": 2.2,
            "training_blocks": 20_000,
            "scored_tokens": 9_000,
        },
        series={
            "first": [rows.first for rows in selections],
            "stride": [rows.stride for rows in selections],
            "loss": [loss, *(loss if flat else loss + cost for cost in costs)],
        },
        status="ok",
        provenance=provenance(seconds=80.0),
    )


@cache
def grid(seeds: int = 3) -> tuple[Record, ...]:
    skipping = [(name, {"stride": 4}) for name in ("sinusoidal", "gpt2", COPY)]
    others = [(name, {"first": 16}) for name in ("gpt2", COPY)]
    known = [(name, arm) for name, arm in PLAIN if name not in ("bert-base-uncased",)]
    return tuple(
        made_up(objective, table, seed, **arm)
        for seed in range(seeds)
        for table, arm in (*known, *skipping, *others)
        if table != "roberta-base"
        for objective in ("masked", "causal")
    )


@pytest.fixture
def one() -> Callable[..., Record]:
    """Give the function that makes one run."""
    return made_up


@pytest.fixture
def chosen() -> Callable[..., study.Study]:
    """Give a function that makes a study of some runs, by default of a whole grid."""

    def choose(found=None, preset: str = "laptop", tables=TABLES):
        return study.choose(list(grid() if found is None else found), preset, tables)

    return choose
