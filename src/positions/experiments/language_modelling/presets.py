"""Which tables, and which of their rows, belong to a scale.

Every objective is crossed with every table. The runs that the authors' code lists are a part of
that, see `readings.published`: there each objective has a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from positions.experiments.classification.start import ROBERTA
from positions.experiments.language_modelling.config import LanguageConfig
from positions.experiments.language_modelling.start import RANDOM, SHUFFLED, SINUSOID, ZEROS
from positions.experiments.language_modelling.text import CAUSAL, MASKED, OBJECTIVES, Objective
from positions.tasks.corpora import generated, wikitext

Settings = Mapping[str, Any]
Arm = tuple[str, Settings]
"""A table, and what is set for it beside."""

SEEDS = 3
PAPER_SEED = 42

GPT2, BERT = "gpt2", "bert-base-uncased"
COPY = f"{BERT}-finetuned-a"
SKIPPED: Settings = {"stride": 4}
"""The paper's skipped positions: rows 0, 4, 8, ..."""

PLAIN: tuple[Arm, ...] = (
    (ZEROS, {}),
    (RANDOM, {}),
    (RANDOM, {"frozen": False}),
    *((name, {}) for name in (SINUSOID, GPT2, BERT, COPY, ROBERTA)),
    *((f"{SHUFFLED}:{name}", {}) for name in (GPT2, COPY)),
)
SKIPPING: tuple[Arm, ...] = tuple((name, SKIPPED) for name in (SINUSOID, GPT2, BERT, COPY, ROBERTA))
OTHER_ROWS: tuple[Arm, ...] = tuple(
    (name, rows)
    for rows in ({"stride": 2}, {"first": 128}, {"first": 384})
    for name in (GPT2, BERT, COPY)
)
"""Rows half as dense, and rows as dense that were trained more seldom."""

PUBLISHED: tuple[tuple[Objective, str], ...] = ((CAUSAL, GPT2), (MASKED, BERT), (MASKED, ROBERTA))
"""The pairs of objective and table that the authors' code lists."""


def grid(
    seeds: Iterable[int], corpora: Sequence[str], arms: Sequence[Arm], settings: Settings
) -> list[LanguageConfig]:
    """Return the configs of all combinations, seed by seed; the arms of a seed in their order."""
    return [
        LanguageConfig(
            corpus=corpus,
            objective=objective,
            table=table,
            seed=seed,
            **{**settings, **changed},
        )
        for seed in seeds
        for corpus in corpora
        for table, changed in arms
        for objective in OBJECTIVES
    ]


BASE: Settings = {"width": 768, "heads": 12, "layers": 12, "hidden": 3_072}
PAPER: Settings = {
    **BASE,
    "epochs": 20,
    "batch_size": 32,
    "gradient_accumulation": 2,
    "learning_rate": 5e-5,
    "evaluate_every": 1_000,
}
GPU: Settings = {
    "vocabulary": 8_192,
    "width": 256,
    "heads": 8,
    "layers": 4,
    "hidden": 1_024,
    "epochs": 10,
    "batch_size": 32,
    "learning_rate": 1e-3,
    "warmup": 0.05,
    "evaluate_every": 500,
}
LAPTOP: Settings = {
    "vocabulary": 512,
    "width": 128,
    "heads": 4,
    "layers": 2,
    "hidden": 512,
    "dropout": 0.0,
    "steps": 1_400,
    "batch_size": 8,
    "learning_rate": 2e-3,
    "warmup": 0.05,
    "evaluate_every": 200,
    "validation_blocks": 128,
    "test_blocks": 512,
}
SMOKE: Settings = {
    "documents": 20,
    "vocabulary": 300,
    "length": 16,
    "rows": 64,
    "offsets": (1, 8, 16, 48),
    "validation_blocks": 8,
    "test_blocks": 8,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 32,
    "steps": 4,
    "batch_size": 4,
    "learning_rate": 1e-3,
    "evaluate_every": 2,
}


def paper() -> list[LanguageConfig]:
    """Return the paper's runs on WikiText-2 as written, plain and skipped; its seed, and two more.

    Its WikiText-103 is not at hand. The three epochs there are 100 million tokens each.
    """
    tokenizers = {CAUSAL: GPT2, MASKED: BERT}
    plain: Settings = {}
    return [
        LanguageConfig(
            corpus=wikitext.RAW,
            objective=objective,
            table=table,
            tokenizer=tokenizers[objective],
            seed=seed,
            **{**PAPER, **rows},
        )
        for seed in range(PAPER_SEED, PAPER_SEED + SEEDS)
        for objective, table in PUBLISHED
        for rows in (plain, SKIPPED)
    ]


def gpu() -> list[LanguageConfig]:
    """Return the whole cross with larger models that read the text ten times; not yet run."""
    arms = (*PLAIN, *SKIPPING, *OTHER_ROWS)
    return grid(range(SEEDS), (wikitext.NAME, generated.NAME), arms, GPU)


def laptop() -> list[LanguageConfig]:
    """Return the whole cross with small models, seed by seed: about 80 seconds a run on one core.

    A step of 8 blocks takes 45 ms there, and the test of all selections of rows 9 s. As in the
    experiment on contexts 512 byte pairs are taken: tokens that all come often are learned sooner,
    and a masked model is asked for only 150 of them a step. Other rows and the generated language
    follow when all seeds of the first are there.
    """
    first = (*PLAIN, *SKIPPING)
    return [
        *grid(range(SEEDS), (wikitext.NAME,), first, LAPTOP),
        *grid(range(SEEDS), (wikitext.NAME,), OTHER_ROWS, LAPTOP),
        *grid(range(SEEDS), (generated.NAME,), PLAIN, LAPTOP),
    ]


def smoke() -> list[LanguageConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    names = (ZEROS, GPT2, COPY)
    arms = [arm for arm in (*PLAIN, *SKIPPING) if arm[0] in names]
    return [
        *grid(range(2), (wikitext.NAME,), arms, SMOKE),
        *grid(range(1), (generated.NAME,), ((ZEROS, {}), (SINUSOID, {})), SMOKE),
    ]


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
