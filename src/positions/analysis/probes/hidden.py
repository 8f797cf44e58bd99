"""What is left of position inside a model? The index probe on hidden states.

Wang & Chen (2020) probe bare tables (section 4.1.1). A model never sees a bare row: it sees the sum
of a word and a row, and after each layer whatever has become of it. Here a linear regression reads
the position of a token from a vector that also holds a word. It has a penalty, unlike that on bare
rows: a few hundred words span all of a model's width, and plain least squares learns these words
by heart, so that on others it errs more than who knows nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from positions.analysis.probes.absolute import spearman
from positions.analysis.rows import Array
from positions.errors import InvalidValueError

Integers = NDArray[np.int64]

PENALTIES = tuple(10.0**power for power in range(8))
"""From nearly none to one that leaves nothing but the mean; of standardised columns."""
FOLDS = 4
"""Of the words learned on, each left out once to choose the penalty by."""


@dataclass(frozen=True)
class Split:
    """Places (text, position) to learn from and to test on, bool (texts, positions).

    They share neither a text nor a word. `words`: the tokens of all places, by which the probe
    chooses its penalty.
    """

    train: NDArray[np.bool_]
    test: NDArray[np.bool_]
    words: Integers


@dataclass(frozen=True)
class HiddenReading:
    """What the probe makes of hidden states, in positions.

    `error`: the mean distance of a prediction from the position, not rounded. `guess`: that of
    always guessing the mean position of training. `spearman`: rank correlation of prediction and
    position. `position` (those tested,), with `predicted` and `spread`: the mean and the standard
    deviation of the predictions there.
    """

    error: float
    guess: float
    spearman: float
    position: Integers
    predicted: Array
    spread: Array


def split(tokens: ArrayLike, seed: int) -> Split:
    """Cut texts into halves, and the words into halves: learn on one of each, test on the other.

    `tokens` (texts, positions), integers. A probe that knows the words of its test could tell
    positions by what tends to stand there. Raises `InvalidValueError` for another shape, fewer than
    two texts, and where a side would be left without places.
    """
    words = np.asarray(tokens)
    if words.ndim != 2 or not np.issubdtype(words.dtype, np.integer):
        raise InvalidValueError(
            "Tokens must be integers with two axes (texts, positions), not "
            f"{words.dtype} of shape {words.shape}."
        )
    draw = np.random.default_rng(seed)
    known = draw.permutation(np.unique(words))
    learned_words = np.isin(words, known[: len(known) // 2])
    learned_texts = np.zeros((len(words), 1), dtype=bool)
    learned_texts[draw.permutation(len(words))[: len(words) // 2]] = True
    parts = Split(learned_texts & learned_words, ~learned_texts & ~learned_words, words)
    if len(np.unique(words[parts.train])) < FOLDS or not parts.test.any():
        raise InvalidValueError(
            f"{len(words)} texts with {len(known)} different words cannot be cut into halves that "
            "share neither. Give more texts."
        )
    return parts


def read(states: ArrayLike, parts: Split) -> HiddenReading:
    """Probe the hidden states of one layer, (texts, positions, width).

    Ridge regression on standardised columns; of `PENALTIES`, the one that does best on words left
    out of the learned half, in `FOLDS` folds. Raises `InvalidValueError` where the states are not
    finite or do not fit the split.
    """
    vectors = np.asarray(states, dtype=np.float64)
    if vectors.ndim != 3 or vectors.shape[:2] != parts.train.shape:
        raise InvalidValueError(
            f"Hidden states must have the shape (texts, positions, width) with "
            f"{parts.train.shape} texts and positions, not {vectors.shape}."
        )
    if not np.isfinite(vectors).all():
        raise InvalidValueError("The hidden states hold values that are not finite.")
    places = np.broadcast_to(np.arange(vectors.shape[1]), parts.train.shape)
    learned, wanted = places[parts.train], places[parts.test]
    predicted = _fit(vectors[parts.train], learned, parts.words[parts.train])(vectors[parts.test])
    tested = np.unique(wanted)
    at = [predicted[wanted == position] for position in tested]
    return HiddenReading(
        error=float(np.abs(predicted - wanted).mean()),
        guess=float(np.abs(learned.mean() - wanted).mean()),
        spearman=spearman(predicted, wanted.astype(np.float64)),
        position=tested.astype(np.int64),
        predicted=np.array([each.mean() for each in at]),
        spread=np.array([each.std() for each in at]),
    )


def _fit(vectors: Array, places: Integers, words: Integers) -> Callable[[Array], Array]:
    """Return the prediction of the regression whose penalty does best on words left out."""
    scaled = make_pipeline(StandardScaler(), Ridge())
    search = GridSearchCV(
        scaled,
        {"ridge__alpha": PENALTIES},
        scoring="neg_mean_absolute_error",
        cv=GroupKFold(FOLDS),
    )
    search.fit(vectors, places, groups=words)
    predict: Callable[[Array], Array] = search.predict
    return predict
