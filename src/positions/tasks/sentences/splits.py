"""Which texts train, which choose the weights, and which are scored.

Wang & Chen (2020), section 5.1, set a fifth of the training texts aside at random where a set comes
without a validation part, and where it comes without a test part report the best score on that
fifth at any evaluation. Here the seed says which fifth: five seeds in a row set each text aside
once. And where there is no test part the fifth is halved, so that it can be read either way: one
half chooses the weights and the other is scored; with ten seeds in a row each text is scored once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from positions.tasks.sentences.corpus import Corpus, Text

FIFTHS = 5
PERIOD = 2 * FIFTHS
"""Seeds after which the set is dealt out anew."""


@dataclass(frozen=True)
class Split:
    """The texts of one run. `given`: whether the set came with the test part."""

    train: tuple[Text, ...]
    choose: tuple[Text, ...]
    test: tuple[Text, ...]
    given: bool


def split(corpus: Corpus, seed: int) -> Split:
    """Deal out the texts of a corpus for a seed (0, 1, ...)."""
    if corpus.dev and corpus.test:
        return Split(corpus.train, corpus.dev, corpus.test, given=True)
    tenths = _tenths(corpus, seed // PERIOD)
    first = 2 * (seed % FIFTHS)
    aside = [tenths.pop(first), tenths.pop(first)]
    train = tuple(text for tenth in tenths for text in tenth)
    if corpus.test:
        return Split(train, (*aside[0], *aside[1]), corpus.test, given=True)
    if seed % PERIOD >= FIFTHS:
        aside.reverse()
    return Split(train, choose=aside[0], test=aside[1], given=False)


def _tenths(corpus: Corpus, deal: int) -> list[tuple[Text, ...]]:
    """Deal the training texts out into ten parts, at random but the same for all runs."""
    chance = np.random.default_rng([deal, *corpus.name.encode()])
    order = chance.permutation(len(corpus.train))
    return [tuple(corpus.train[i] for i in part) for part in np.array_split(order, PERIOD)]
