"""Words of a text, and numbers for words."""

import pytest

from positions.tasks.sentences import Vocabulary, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's so laddish, only boys don't mind .", "it 's so laddish , only boys do n't mind"),
        ("they'd can't we've you'll they're", "they 'd ca n't we 've you 'll they 're"),
        ("it does n 't show ( 2x )", "it does n 't show ( 2x )"),
        ("a 'dull film's end!?", "a 'dull film 's end ! ?"),
        ("cr\xc3\xa8me br\xc3\xbbl\xc3\xa9e", "cr me br l e"),
        ("well--done; 50% & more", "well done 50 more"),
        (" . - ", ""),
    ],
)
def test_text_is_cut_into_words(text, expected) -> None:
    assert " ".join(words(text)) == expected


def test_cutting_words_again_changes_nothing() -> None:
    once = words("Don't! (It's 'the' film's end?)")
    assert words(" ".join(once)) == once


def test_numbers_of_words() -> None:
    known = Vocabulary([["the", "cat"], ["the", "dog"]])
    assert len(known) == 5
    assert known.encode(["dog", "the", "cow", "cat"]) == [4, 2, 1, 3]
