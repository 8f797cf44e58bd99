"""The probe of hidden states: what it finds where the answer is known, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from positions.analysis.probes import hidden
from positions.errors import InvalidValueError

TEXTS, LENGTH, WORDS, WIDTH = 60, 24, 40, 16


@pytest.fixture
def tokens():
    return np.random.default_rng(0).integers(0, WORDS, (TEXTS, LENGTH))


def embedded(tokens, of_position):
    """Return word vectors plus a vector of each position, (texts, positions, width)."""
    words = np.random.default_rng(1).normal(size=(WORDS, WIDTH))
    return words[tokens] + of_position


def test_halves_share_neither_text_nor_word(tokens) -> None:
    parts = hidden.split(tokens, seed=3)
    assert not set(tokens[parts.train]) & set(tokens[parts.test])
    assert not (parts.train.any(axis=1) & parts.test.any(axis=1)).any()
    again, other = hidden.split(tokens, seed=3), hidden.split(tokens, seed=4)
    assert np.array_equal(parts.train, again.train) and np.array_equal(parts.test, again.test)
    assert not np.array_equal(parts.train, other.train)


def test_a_position_written_plainly_is_read_without_error(tokens) -> None:
    ramp = np.zeros((LENGTH, WIDTH + 1))
    ramp[:, -1] = np.arange(LENGTH)
    states = np.pad(embedded(tokens, 0.0), ((0, 0), (0, 0), (0, 1))) + ramp
    found = hidden.read(states, hidden.split(tokens, 0))
    assert found.error < 0.05
    assert found.spearman > 0.99
    assert found.predicted == pytest.approx(found.position, abs=0.05)
    assert found.spread.max() < 0.05


def test_words_alone_say_nothing_even_where_a_word_tells_its_place() -> None:
    """Each position has a word of its own: a lookup would be perfect, and is no position."""
    tokens = np.tile(np.arange(WORDS), (TEXTS, 1))
    states = np.random.default_rng(2).normal(size=(WORDS, WIDTH))[tokens]
    parts = hidden.split(tokens, 0)
    found = hidden.read(states, parts)
    assert found.error > 0.9 * found.guess


def test_words_learned_by_heart_do_not_mislead() -> None:
    """Fewer words than columns: plain least squares errs more than who knows nothing."""
    tokens = np.random.default_rng(3).integers(0, WORDS, (TEXTS, LENGTH))
    words = 5 * np.random.default_rng(4).normal(size=(WORDS, 30))
    states = words[tokens] + np.random.default_rng(6).normal(size=(TEXTS, LENGTH, 30))
    parts = hidden.split(tokens, 0)
    places = np.broadcast_to(np.arange(LENGTH), tokens.shape)
    plain = LinearRegression().fit(states[parts.train], places[parts.train])
    misled = np.abs(plain.predict(states[parts.test]) - places[parts.test]).mean()
    found = hidden.read(states, parts)
    assert found.error < 1.02 * found.guess < 1.1 * found.guess < misled


def test_the_guess_is_the_mean_of_what_was_learned(tokens) -> None:
    parts = hidden.split(tokens, 0)
    places = np.tile(np.arange(LENGTH), (TEXTS, 1))
    expected = np.abs(places[parts.test] - places[parts.train].mean()).mean()
    found = hidden.read(np.zeros((TEXTS, LENGTH, 3)), parts)
    assert found.guess == pytest.approx(expected)
    assert found.error == pytest.approx(expected)
    assert np.isnan(found.spearman)


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (np.zeros((4, 5)), "integers"),
        (np.zeros(5, dtype=int), "two axes"),
        (np.zeros((4, 5), dtype=int), "1 different words cannot be cut"),
        (np.arange(5)[None], "1 texts with 5"),
    ],
)
def test_tokens_that_cannot_be_cut(tokens, words) -> None:
    with pytest.raises(InvalidValueError, match=words):
        hidden.split(tokens, 0)


def test_states_that_do_not_fit_or_are_not_finite(tokens) -> None:
    parts = hidden.split(tokens, 0)
    with pytest.raises(InvalidValueError, match=r"\(texts, positions, width\).*not \(60, 24\)"):
        hidden.read(np.zeros((TEXTS, LENGTH)), parts)
    with pytest.raises(InvalidValueError, match="not finite"):
        hidden.read(np.full((TEXTS, LENGTH, 2), np.nan), parts)
