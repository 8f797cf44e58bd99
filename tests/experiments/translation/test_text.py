"""Byte pairs on both sides, and tokens put together again."""

import pytest

from positions.errors import InvalidValueError
from positions.experiments.translation.text import (
    END_ID,
    START_ID,
    check_lengths,
    detokenised,
    dictionaries,
)
from positions.tasks import translations


@pytest.fixture(scope="module")
def words():
    return dictionaries(translations.load("generated-pairs"), 300)


def test_each_side_has_a_dictionary_of_its_own(words) -> None:
    assert words.source.sha256 != words.target.sha256
    ((first, target),) = translations.load("generated-pairs").test[:1]
    source, translation = words.sources([(first, target)])[0], words.targets([(first, target)])[0]
    assert source[-1] == translation[-1] == END_ID and translation[0] == START_ID
    assert START_ID not in source
    assert words.source.decode(source[:-1]) == first
    assert words.target.decode(translation[1:-1]) == target


def test_no_text_is_foreign(words) -> None:
    foreign = "ein Wort, das im Training fehlt: żółć"
    assert words.target.decode(words.target.encode(foreign)) == foreign


def test_a_sentence_longer_than_the_table_is_said(words) -> None:
    data = words.dataset([("a dog", "ba"), ("a cat sees", "baba " * 20)])
    with pytest.raises(InvalidValueError, match=r"Translation 1 of the test part has \d+ tokens"):
        check_lengths(data, 30, "test")
    check_lengths(data, 300, "test")


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("ein hund , der läuft .", "ein hund, der läuft."),
        ("ein mann &quot; springt &quot; hoch", 'ein mann "springt" hoch'),
        ("ein t @-@ shirt", "ein t-shirt"),
        ("( zwei ) männer !", "(zwei) männer!"),
        ("", ""),
    ],
)
def test_signs_stand_at_their_words_again(tokens, text) -> None:
    assert detokenised(tokens) == text


def test_putting_together_the_references_gives_the_references(data_folder) -> None:
    corpus = translations.load("multi30k")
    right = sum(
        detokenised(tokens).replace(" ", "") == written.lower().replace(" ", "")
        for (_, tokens), written in zip(corpus.test, corpus.written, strict=True)
    )
    exact = sum(
        detokenised(tokens) == " ".join(written.lower().split())
        for (_, tokens), written in zip(corpus.test, corpus.written, strict=True)
    )
    assert right > 980 and exact > 950, (right, exact)
