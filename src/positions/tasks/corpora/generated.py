"""A small made-up language, so that a language model can be trained where no text is at hand.

Its documents are sentences of `positions.tasks.sentences.generated`: which word may stand where
depends on the words beside it, and with the same words in another order another thing is said.
Numbers measured on it say nothing about English.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from positions.tasks.corpora.corpus import PARTS, Corpus
from positions.tasks.sentences import generated

NAME = "generated-language"
SEED = 2020
DOCUMENTS = {"train": 1_500, "validation": 50, "test": 150}
SENTENCES = 24
"""Of a document."""


@lru_cache(maxsize=1)
def load() -> Corpus:
    """Return the documents, always the same; each part is drawn by itself."""
    return Corpus(NAME, **{part: _documents(part) for part in PARTS})


def _documents(part: str) -> tuple[str, ...]:
    chance = np.random.default_rng([SEED, *NAME.encode(), *part.encode()])
    return tuple(_document(chance) for _ in range(DOCUMENTS[part]))


def _document(chance: np.random.Generator) -> str:
    sentences = (" ".join(generated.sentence(chance).words) for _ in range(SENTENCES))
    return " . ".join(sentences) + " .\n"
