"""Which sets, tables and arms belong to a scale.

An arm is the paper's procedure with one thing changed; each is run on the tables for which it means
anything. `laptop` has the paper's host at a quarter of its width, 8 epochs in place of 30 and a
higher learning rate, so that a run takes about 20 seconds on one core. What was tried on MR with
the sinusoid and one seed, as accuracy on the texts set aside: 0.66 at half the width after 2 epochs
at a rate of 6e-4; 0.70 at a quarter after 5 epochs at 1.2e-3, in about the same time and rising.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from positions.experiments.classification.config import ClassificationConfig
from positions.experiments.classification.start import RANDOM, ROBERTA, SINUSOID, ZEROS
from positions.tasks.sentences import GENERATED, SETS

Settings = Mapping[str, Any]

SEEDS = 5
"""Over five seeds every text is set aside once."""
PAPER_SEED = 7122

GPT2, BERT = "gpt2", "bert-base-uncased"
COPIES = tuple(f"{BERT}-finetuned-{letter}" for letter in "abc")
COPY = COPIES[0]
PUBLISHED = (RANDOM, ZEROS, SINUSOID, BERT, ROBERTA, GPT2)
"""The tables that the authors' code offers."""
MORE = ("sentence-transformers/all-MiniLM-L6-v2", "sentence-transformers/all-mpnet-base-v2")
CONTROLS = (f"shuffled:{GPT2}", f"shuffled:{COPY}")
TABLES = (RANDOM, ZEROS, SINUSOID, GPT2, BERT, *COPIES, ROBERTA, *MORE, *CONTROLS)

_COMPARED = (RANDOM, SINUSOID, GPT2, BERT, COPY, ROBERTA)
_LEARNED = (GPT2, BERT, COPY, ROBERTA)
ARMS: tuple[tuple[Settings, tuple[str, ...]], ...] = (
    ({"frozen": True}, (ZEROS, *_COMPARED)),
    ({"readout": "last_real"}, _COMPARED),
    ({"readout": "first"}, _COMPARED),
    ({"readout": "mean"}, _COMPARED),
    ({"preparation": "matched"}, (SINUSOID, ROBERTA)),
    ({"preparation": "whitened"}, _LEARNED),
    ({"preparation": "turned"}, _LEARNED),
    ({"preparation": "cut"}, _LEARNED),
)
"""What each arm changes, and the tables that it is run on."""


def grid(
    seeds: Iterable[int], settings: Settings, tasks: Sequence[str]
) -> list[ClassificationConfig]:
    """Return the paper's arm, seed by seed, and then the other arms, seed by seed."""
    seeds = list(seeds)
    return [
        *_runs(seeds, tasks, [({}, TABLES)], settings),
        *_runs(seeds, tasks, ARMS, settings),
    ]


def _runs(
    seeds: Iterable[int],
    tasks: Sequence[str],
    arms: Iterable[tuple[Settings, Sequence[str]]],
    settings: Settings,
) -> list[ClassificationConfig]:
    arms = list(arms)
    return [
        ClassificationConfig(task=task, table=table, seed=seed, **changed, **settings)
        for seed in seeds
        for changed, tables in arms
        for task in tasks
        for table in tables
    ]


PAPER_SIZES: Settings = {
    "width": 256,
    "heads": 8,
    "hidden": 512,
    "epochs": 30,
    "learning_rate": 1e-4,
    "evaluate_every": 40,
}
LAPTOP_SIZES: Settings = {
    "width": 64,
    "heads": 4,
    "hidden": 128,
    "epochs": 8,
    "learning_rate": 1.5e-3,
    "evaluate_every": 100,
}
SMOKE_SIZES: Settings = {
    "limit": 64,
    "width": 16,
    "heads": 2,
    "hidden": 32,
    "epochs": 1,
    "learning_rate": 1e-3,
    "evaluate_every": 1,
}


def paper() -> list[ClassificationConfig]:
    """Return the paper's own runs with its tables, its seed and four more."""
    seeds = range(PAPER_SEED, PAPER_SEED + SEEDS)
    return _runs(seeds, tuple(SETS), [({}, PUBLISHED)], PAPER_SIZES)


def gpu() -> list[ClassificationConfig]:
    """Return all arms at the paper's sizes."""
    return grid(range(SEEDS), PAPER_SIZES, (*SETS, GENERATED))


def laptop() -> list[ClassificationConfig]:
    """Return all arms at a quarter of the width: some 20 seconds a run on one core."""
    return grid(range(SEEDS), LAPTOP_SIZES, (*SETS, GENERATED))


def smoke() -> list[ClassificationConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    tasks, tables = ("trec", "cr", GENERATED), (RANDOM, ZEROS, SINUSOID, GPT2, COPY)
    few = [(changed, [name for name in own if name in tables]) for changed, own in ARMS]
    return [
        *_runs(range(2), tasks, [({}, tables)], SMOKE_SIZES),
        *_runs(range(2), (GENERATED,), few[:1], SMOKE_SIZES),
        *_runs(range(2), ("cr",), few, SMOKE_SIZES),
    ]


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
