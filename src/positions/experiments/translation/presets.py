"""Which pairs of tables belong to a scale.

The whole grid has one loss, one scale of tables and positions that begin at row 0. The paper's own
pairs follow with its losses, scales and offset: see `PUBLISHED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from positions.experiments.translation.config import TranslationConfig
from positions.experiments.translation.start import MATCHED, PAPER, RANDOM, SINUSOID, ZEROS
from positions.tasks.translations import generated, multi30k

Settings = Mapping[str, Any]

SEEDS = 2
PAPER_SEED = 7122
SMOOTHING = 0.1

GPT2, BERT, ROBERTA = "gpt2", "bert-base-uncased", "roberta-base"
COPY = f"{BERT}-finetuned-a"
GRID = (RANDOM, SINUSOID, COPY, GPT2, ZEROS)

PUBLISHED: tuple[tuple[str, str, float], ...] = (
    (RANDOM, RANDOM, SMOOTHING),
    (RANDOM, BERT, SMOOTHING),
    (RANDOM, GPT2, SMOOTHING),
    (BERT, RANDOM, SMOOTHING),
    (BERT, BERT, SMOOTHING),
    (BERT, GPT2, 0.0),
    (GPT2, RANDOM, SMOOTHING),
    (GPT2, BERT, 0.0),
    (GPT2, GPT2, SMOOTHING),
    (SINUSOID, SINUSOID, 0.0),
)
"""Encoder, decoder and smoothing of the runs that the authors' code lists."""

LAPTOP: Settings = {
    "vocabulary": 2_000,
    "width": 128,
    "heads": 4,
    "layers": 2,
    "hidden": 256,
    "steps": 1_600,
    "batch_tokens": 1_024,
    "learning_rate": 3e-3,
    "warmup": 300,
    "evaluate_every": 200,
    "validation_pairs": 500,
}
GPU: Settings = {
    "vocabulary": 8_000,
    "width": 256,
    "heads": 4,
    "layers": 3,
    "hidden": 512,
    "epochs": 30,
    "batch_tokens": 4_096,
    "learning_rate": 1e-3,
    "warmup": 1_000,
    "evaluate_every": 250,
}
FULL: Settings = {
    "vocabulary": 10_000,
    "width": 512,
    "heads": 4,
    "layers": 6,
    "hidden": 1_024,
    "epochs": 40,
    "batch_tokens": 2_048,
    "learning_rate": 1e-4,
    "warmup": 4_000,
    "clip": None,
    "evaluate_every": 250,
}
SMOKE: Settings = {
    "pairs": 60,
    "validation_pairs": 8,
    "test_pairs": 6,
    "vocabulary": 400,
    "rows": 320,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "steps": 4,
    "batch_tokens": 256,
    "learning_rate": 1e-3,
    "warmup": 2,
    "evaluate_every": 2,
    "beams": 2,
    "examples": 3,
}


def grid(
    corpus: str, seeds: Iterable[int], names: Sequence[str], settings: Settings
) -> list[TranslationConfig]:
    """Return every pair of tables, seed by seed, and both zero and frozen: no position at all."""
    found = []
    for seed in seeds:
        common = {"corpus": corpus, "preparation": MATCHED, "seed": seed, **settings}
        found += [
            TranslationConfig(encoder=one, decoder=other, **common)
            for one in names
            for other in names
        ]
        found.append(TranslationConfig(encoder=ZEROS, decoder=ZEROS, frozen=True, **common))
    return found


def published(
    seeds: Iterable[int], bert: str, settings: Settings, corpus: str = multi30k.NAME
) -> list[TranslationConfig]:
    """Return the paper's own pairs with its losses, scales and offset; `bert`: which of its tables.

    The paper's copies of BERT's table are not at hand everywhere; a fine-tuned one can stand in.
    """
    return [
        TranslationConfig(
            corpus=corpus,
            encoder=bert if encoder == BERT else encoder,
            decoder=bert if decoder == BERT else decoder,
            smoothing=smoothing,
            preparation=PAPER,
            seed=seed,
            **settings,
        )
        for seed in seeds
        for encoder, decoder, smoothing in PUBLISHED
    ]


def laptop() -> list[TranslationConfig]:
    """Return the grid, then the paper's own pairs, for one seed and then the next."""
    return [
        config
        for seed in range(SEEDS)
        for config in (
            *grid(multi30k.NAME, [seed], GRID, LAPTOP),
            *published([seed], COPY, LAPTOP),
        )
    ]


def gpu() -> list[TranslationConfig]:
    """Return the same with larger models, BERT's and RoBERTa's own tables, and five seeds."""
    names = (*GRID, BERT, ROBERTA)
    return [
        config
        for seed in range(5)
        for config in (
            *grid(multi30k.NAME, [seed], names, GPU),
            *published([seed], BERT, GPU),
        )
    ]


def paper() -> list[TranslationConfig]:
    """Return the paper's runs at its size, with its seed and two more; in single precision."""
    return published(range(PAPER_SEED, PAPER_SEED + 3), BERT, FULL)


def smoke() -> list[TranslationConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    return [
        *grid(generated.NAME, [0], (SINUSOID, ZEROS), SMOKE),
        *grid(multi30k.NAME, [0], (COPY, GPT2), SMOKE),
        *published([0], COPY, SMOKE),
    ]


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
