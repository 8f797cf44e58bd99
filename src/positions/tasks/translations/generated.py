"""A made-up language to translate into, so that a translator can be trained where no text is.

The sources are sentences of `positions.tasks.sentences.generated`. In the translation each word has
one word of its own, adjectives follow their noun, and the verb goes to the end: a word is
found by content, its place by the order of the source. Scores on it say nothing about German.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from positions.tasks.sentences import generated
from positions.tasks.translations.corpus import Pair, ParallelCorpus

NAME = "generated-pairs"
SEED = 2020
PAIRS = {"train": 6_000, "validation": 200, "test": 400}
_ONSETS, _VOWELS = "bdfgklmnprstvz", "aeiou"


@lru_cache(maxsize=1)
def load() -> ParallelCorpus:
    """Return the pairs, always the same; no source stands in two parts."""
    chance = np.random.default_rng([SEED, *NAME.encode()])
    sources: dict[tuple[str, ...], None] = {}
    while len(sources) < sum(PAIRS.values()):
        sources[generated.sentence(chance).words] = None
    every = [(" ".join(words), translation(words)) for words in sources]
    parts: dict[str, tuple[Pair, ...]] = {}
    for name, count in PAIRS.items():
        parts[name], every = tuple(every[:count]), every[count:]
    written = tuple(target for _, target in parts["test"])
    return ParallelCorpus(NAME, "made-up source", "made-up target", **parts, written=written)


def translation(words: tuple[str, ...]) -> str:
    """Return the one right translation of a source."""
    verb = next(place for place, word in enumerate(words) if word in generated.VERBS)
    ordered = [*_turned(words[:verb]), *_turned(words[verb + 1 :]), words[verb]]
    return " ".join(word_of(word) for word in ordered)


@lru_cache(maxsize=256)
def word_of(word: str) -> str:
    """Return the target's word for one of the source, the same always."""
    chance = np.random.default_rng([SEED, *word.encode()])
    syllables = [
        _ONSETS[chance.integers(len(_ONSETS))] + _VOWELS[chance.integers(len(_VOWELS))]
        for _ in range(3)
    ]
    return "".join(syllables)


def _turned(words: tuple[str, ...]) -> list[str]:
    """Put adjectives behind the noun that they stand before."""
    found: list[str] = []
    waiting: list[str] = []
    for word in words:
        if word in generated.ADJECTIVES:
            waiting.append(word)
        else:
            found += [word, *waiting]
            waiting = []
    return found
