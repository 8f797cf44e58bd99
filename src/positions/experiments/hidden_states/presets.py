"""At which scale the experiment is run: the language models of `context`, trained for less long."""

from __future__ import annotations

from typing import Any

from positions.experiments.context import ContextConfig
from positions.experiments.context.presets import ENCODINGS as OF_CONTEXT
from positions.experiments.context.presets import PRESETS as CONTEXT
from positions.tasks.corpora import wikitext

ENCODINGS = (*OF_CONTEXT[:2], ("learned", "std=1.0"), *OF_CONTEXT[2:])
"""With a table that is learned, which `context` cannot have: it ends where training ends."""


def _preset(name: str, seeds: int, **changes: Any) -> list[ContextConfig]:
    """Return the models of a preset of `context` on Wikipedia, read within their context alone."""
    model = CONTEXT[name]()[0].canonical()
    context = model["context"]
    settings = {
        **model,
        "corpus": wikitext.NAME,
        "contexts": (context // 2, context),
        "scored": context // 4,
        "stretches": 4,
        **changes,
    }
    return [
        ContextConfig(
            **{**settings, "encoding": encoding, "encoding_options": options, "seed": seed}
        )
        for seed in range(seeds)
        for encoding, options in ENCODINGS
    ]


def smoke() -> list[ContextConfig]:
    """Return runs that show that the machinery works; their numbers mean nothing."""
    return _preset("smoke", seeds=2)


def laptop() -> list[ContextConfig]:
    """Return small models, a minute each on one core: a third of the steps of `context`."""
    return _preset("laptop", seeds=3, steps=800)


def gpu() -> list[ContextConfig]:
    """Return the models that `context` trains on one GPU, with all of its steps."""
    return _preset("gpu", seeds=3)


PRESETS = {"smoke": smoke, "laptop": laptop, "gpu": gpu}
