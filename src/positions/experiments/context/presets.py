"""At which scale the experiment is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from positions.experiments.context.config import ContextConfig
from positions.tasks.corpora import standard_library, starcoder, wikitext

CORPORA = (wikitext.NAME, standard_library.NAME)

ENCODINGS = (
    ("nope", ""),
    ("sinusoidal", "amplitude=1.0"),  # as large as the embeddings, which start as N(0, 1)
    ("t5", ""),
    ("alibi", ""),
    ("rotary", "fraction=0.25"),  # as the paper's code ran it
)
PAPER_ENCODINGS = (ENCODINGS[0], ENCODINGS[3], ENCODINGS[4])

PAPER_CONTEXT = 1_024
PAPER_CONTEXTS = (512, 640, 760, 878, 1_024, 1_200, 1_400, 1_600, 1_800, 2_048, 2_304, 2_560)
"""As published: half of the training context to two and a half times as much."""

TIMES = (0.5, 0.75, 1.0, 1.17, 1.37, 1.56, 1.76, 2.0, 2.5, 4.0, 8.0)
"""Ours, in multiples of the training context: most of the paper's, and two beyond."""


def contexts(context: int) -> tuple[int, ...]:
    """Return the contexts that are measured, nearest to the paper's multiples of `context`."""
    return tuple(round(each * context) for each in TIMES)


def grid(
    texts: Iterable[str],
    encodings: Sequence[tuple[str, str]],
    seeds: Iterable[int],
    settings: Mapping[str, Any],
) -> list[ContextConfig]:
    """Return the configs of all combinations: each seed's whole grid before the next seed's."""
    texts = list(texts)
    return [
        ContextConfig(
            corpus=corpus, encoding=encoding, encoding_options=options, seed=seed, **settings
        )
        for seed in seeds
        for corpus in texts
        for encoding, options in encodings
    ]


def paper() -> list[ContextConfig]:
    """Return the paper's own runs: 1.26 billion weights, 30 billion tokens once (appendix F).

    The text is not at hand, and a sweep says so. Its test has 1,500 files; which is not published.
    """
    settings = {
        "vocabulary": 49_152,
        "context": PAPER_CONTEXT,
        "contexts": PAPER_CONTEXTS,
        "scored": 200,
        "stretches": 1,
        "width": 1_024,
        "heads": 32,
        "head_width": 128,
        "layers": 24,
        "hidden": 16_384,
        "steps": 30_000_000_000 // (256 * PAPER_CONTEXT),
        "batch_size": 256,
        "learning_rate": 2e-4,
        "evaluate_every": 5_000,
    }
    return grid([starcoder.NAME], PAPER_ENCODINGS, [0], settings)


def gpu() -> list[ContextConfig]:
    """Return runs for one GPU: 8 million weights, context 256, six times through each text."""
    settings = {
        "vocabulary": 8_192,
        "context": 256,
        "contexts": contexts(256),
        "scored": 50,
        "stretches": 2,
        "width": 256,
        "heads": 8,
        "layers": 6,
        "hidden": 1_024,
        "dropout": 0.1,
        "steps": 2_000,
        "batch_size": 32,
        "learning_rate": 1e-3,
        "evaluate_every": 200,
    }
    encodings = (*ENCODINGS, ("rotary", "fraction=1.0"))
    return grid(CORPORA, encodings, range(3), settings)


def laptop() -> list[ContextConfig]:
    """Return runs of small models: about three minutes each on one core."""
    settings = {
        "vocabulary": 4_096,
        "context": 128,
        "contexts": contexts(128),
        "scored": 25,
        "stretches": 2,
        "width": 128,
        "heads": 4,
        "layers": 4,
        "hidden": 512,
        "steps": 800,
        "batch_size": 16,
        "learning_rate": 2e-3,
        "evaluate_every": 100,
    }
    return grid(CORPORA, ENCODINGS, range(3), settings)


def smoke() -> list[ContextConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    settings = {
        "documents": 20,
        "vocabulary": 512,
        "context": 16,
        "contexts": contexts(16),
        "scored": 3,
        "stretches": 1,
        "width": 16,
        "heads": 2,
        "layers": 1,
        "hidden": 32,
        "steps": 4,
        "batch_size": 4,
        "learning_rate": 1e-3,
        "evaluate_every": 2,
    }
    return grid(CORPORA, ENCODINGS, range(2), settings)


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu, "paper": paper}
