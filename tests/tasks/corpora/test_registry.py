"""Corpora by name."""

import pytest

from positions.errors import InvalidValueError, NotAtHandError, UnknownNameError
from positions.tasks import corpora
from positions.tasks.corpora import registry


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))


def test_an_unknown_name_suggests_the_nearest() -> None:
    for ask in (corpora.load, corpora.missing, corpora.title):
        with pytest.raises(UnknownNameError, match="Did you mean 'wikitext-2'"):
            ask("wikitext2")


def test_code_is_always_there() -> None:
    assert corpora.missing("standard-library") is None
    assert corpora.load("standard-library").name == "standard-library"


def test_the_papers_corpus_says_in_one_message_why_it_is_not_there() -> None:
    reason = corpora.missing("starcoder")
    assert reason is not None and "30 billion tokens" in reason and "\n" not in reason
    with pytest.raises(NotAtHandError, match="Use the preset laptop or gpu"):
        corpora.load("starcoder")


def test_a_corpus_of_ones_own() -> None:
    def letters() -> corpora.Corpus:
        return corpora.Corpus("letters", ("a",), ("b",), ("c",))

    corpora.register("letters", title="My letters")(letters)
    corpora.register("letters", title="My letters")(letters)  # a cell run twice
    assert "letters" in corpora.names()
    assert corpora.title("letters") == "My letters"
    assert corpora.load("letters").test == ("c",)


def test_a_taken_name_is_refused_but_the_papers_may_be_given() -> None:
    def other() -> corpora.Corpus:
        return corpora.Corpus("other", ("a",), ("b",), ("c",))

    with pytest.raises(InvalidValueError, match=r"registered already.*taken are: wikitext-2"):
        corpora.register("wikitext-2")(other)
    corpora.register("starcoder")(other)
    assert corpora.missing("starcoder") is None
