"""The generated language: its classes lie in the order of the words, and nowhere else."""

from collections import Counter

import pytest

from positions.tasks.sentences import generated, load
from positions.tasks.sentences.generated import TAME, WILD

CORPUS = load("generated")


def swapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """Let the two animals change places."""
    places = [place for place, word in enumerate(words) if word in TAME + WILD]
    assert len(places) == 2
    found = list(words)
    found[places[0]], found[places[1]] = words[places[1]], words[places[0]]
    return tuple(found)


def test_the_class_is_which_kind_of_animal_comes_first() -> None:
    for text in CORPUS.texts:
        first = next(word for word in text.words if word in TAME + WILD)
        assert text.label == (first in TAME)


def test_a_bag_of_words_cannot_tell_the_classes_apart() -> None:
    """Whatever is true of a bag of words is as likely in either class."""
    tame = [text for text in CORPUS.texts if text.label]
    counts = [
        Counter(word for text in CORPUS.texts if text.label == label for word in text.words)
        for label in (0, 1)
    ]
    assert len(tame) / len(CORPUS.texts) == pytest.approx(0.5, abs=0.03)
    for word in counts[0]:
        total = counts[0][word] + counts[1][word]
        # two shares of one half differ by more than this once in a million words
        assert abs(counts[0][word] - counts[1][word]) < 5 * total**0.5 + 0.06 * total


def test_the_swapped_sentence_belongs_to_the_language_with_the_other_class() -> None:
    for text in CORPUS.texts[:200]:
        other = swapped(text.words)
        assert Counter(other) == Counter(text.words)
        assert (next(word for word in other if word in TAME + WILD) in TAME) != text.label


def test_the_same_seed_gives_the_same_texts_and_another_other_ones() -> None:
    assert generated.corpus(50, 1) == generated.corpus(50, 1)
    assert generated.corpus(50, 1).digests != generated.corpus(50, 2).digests


def test_no_sentence_comes_twice() -> None:
    assert len({text.words for text in CORPUS.texts}) == len(CORPUS.texts) == generated.TEXTS
    lengths = {len(text.words) for text in CORPUS.texts}
    assert min(lengths) == 6 and max(lengths) <= 27


def test_neither_the_first_nor_the_last_word_is_an_animal() -> None:
    ends = {text.words[place] for text in CORPUS.texts for place in (0, -1)}
    assert ends.isdisjoint(TAME + WILD)
