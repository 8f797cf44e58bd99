"""Made-up runs of translators, and studies of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from made_up import provenance
from positions.analysis.bleu import bleu
from positions.book.pictures.translation import study
from positions.experiments.base import key
from positions.experiments.translation import EXPERIMENT, TranslationConfig
from positions.experiments.translation.presets import COPY, GRID, SMOKE
from positions.experiments.translation.run import COLUMNS
from positions.runs import Record

SENTENCES = 60
HELP = {COPY: 0.2, "gpt2": 0.1, "sinusoidal": 0.05, "random": 0.0, "zeros": -0.2}


def made_up(encoder: str, decoder: str, seed: int = 0, **changes) -> Record:
    """Make a record in which the tables of `HELP` match more n-grams."""
    settings = {"corpus": "multi30k", **SMOKE, **changes}
    config = TranslationConfig(encoder=encoder, decoder=decoder, seed=seed, **settings)
    chance = np.random.default_rng([seed, *f"{encoder} {decoder}".encode()])
    lengths = np.linspace(4, 30, SENTENCES).astype(int)
    share = 0.6 + HELP.get(encoder, 0) + HELP.get(decoder, 0) + 0.01 * chance.normal()
    matches = [
        [int(max(n - order, 0) * min(share, 0.99) ** (order + 1)) for order in range(4)]
        for n in lengths
    ]
    counts = np.column_stack([matches, lengths, lengths])
    return Record(
        key=key(EXPERIMENT.name, EXPERIMENT.version, config.canonical()),
        experiment=EXPERIMENT.name,
        version=EXPERIMENT.version,
        preset="laptop",
        config=config.canonical(),
        metrics={
            "bleu": bleu(counts),
            "bleu_written": bleu(counts) - 1,
            "validation_loss": 2.0,
            "length_ratio": 1.0,
            "kept_encoder": 0.9,
            "kept_decoder": 0.9,
        },
        series={
            **{name: counts[:, i].tolist() for i, name in enumerate(COLUMNS)},
            "source_length": lengths.tolist(),
            "example_source": ["a dog .", "a long dog ."],
            "example_written": ["ein hund .", f"ein {encoder} ."],
            "example_reference": ["ein hund .", "ein langer hund ."],
        },
        status="ok",
        provenance=provenance(seconds=200.0),
    )


@cache
def grid(seeds: int = 2) -> tuple[Record, ...]:
    return tuple(
        record
        for seed in range(seeds)
        for record in (
            *(made_up(one, other, seed) for one in GRID for other in GRID),
            made_up("zeros", "zeros", seed, frozen=True),
            made_up(COPY, "gpt2", seed, preparation="paper", smoothing=0.0),
            made_up("random", "random", seed, preparation="paper"),
        )
    )


@pytest.fixture
def one() -> Callable[..., Record]:
    """Give the function that makes one run."""
    return made_up


@pytest.fixture
def chosen() -> Callable[..., study.Study]:
    """Give a function that makes a study of some runs, by default of a whole grid."""
    return lambda found=None: study.choose(list(grid() if found is None else found), "laptop")
