"""A small language whose sentences ask about the order of their words, and about nothing else.

Each tells of a tame animal and a wild one, and of what one does to the other: "at night the old
fox follows a hen by the river". The class says whether the tame one acts. The animals swapped, the
same words are a sentence of the other class: a model that sees a bag of words can only guess. Nor
does it help to look at the first or the last word, which are never animals.
"""

from __future__ import annotations

import hashlib

import numpy as np

from positions.tasks.sentences.corpus import Corpus, Text

NAME = "generated"
LABELS = ("the wild one acts", "the tame one acts")
TEXTS = 5_000
SEED = 2020

TAME = ("dog", "cat", "horse", "goat", "hen", "sheep")
WILD = ("wolf", "fox", "bear", "lynx", "hawk", "boar")
VERBS = ("sees", "hears", "follows", "meets", "avoids", "watches")
ADJECTIVES = ("old", "young", "small", "grey", "quiet", "proud", "tired", "lean")
ASIDES = (
    "today",
    "at night",
    "in spring",
    "every morning",
    "by the river",
    "behind the barn",
    "near the wood",
    "in the snow",
)
MOST_ADJECTIVES, MOST_ASIDES = 2, 3


def sentence(chance: np.random.Generator) -> Text:
    """Draw one sentence: asides, who acts, the verb, on whom, asides; 6 to 27 words."""
    tame_acts = bool(chance.integers(2))
    first, second = (TAME, WILD) if tame_acts else (WILD, TAME)
    parts = [
        *_some(ASIDES, MOST_ASIDES, chance),
        *_animal(first, chance),
        _one(VERBS, chance),
        *_animal(second, chance),
        *_some(ASIDES, MOST_ASIDES, chance, least=1),
    ]
    return Text(tuple(" ".join(parts).split()), int(tame_acts))


def corpus(texts: int = TEXTS, seed: int = SEED) -> Corpus:
    """Return that many different sentences, the same for the same seed; no part is set aside."""
    chance = np.random.default_rng([seed, *NAME.encode()])
    found: dict[Text, None] = {}
    while len(found) < texts:
        found[sentence(chance)] = None
    lines = "".join(f"{text.label} {' '.join(text.words)}\n" for text in found)
    digest = hashlib.sha256(lines.encode()).hexdigest()
    return Corpus(NAME, len(LABELS), tuple(found), digests={"generated sentences": digest})


def _animal(kind: tuple[str, ...], chance: np.random.Generator) -> list[str]:
    article = _one(("the", "a"), chance)
    return [article, *_some(ADJECTIVES, MOST_ADJECTIVES, chance), _one(kind, chance)]


def _one(words: tuple[str, ...], chance: np.random.Generator) -> str:
    return words[chance.integers(len(words))]


def _some(
    words: tuple[str, ...], most: int, chance: np.random.Generator, least: int = 0
) -> list[str]:
    """Draw `least` to `most` different ones."""
    count = int(chance.integers(least, most + 1))
    return [words[place] for place in chance.permutation(len(words))[:count]]
