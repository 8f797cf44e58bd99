"""Parallel corpora: real captions, the made-up language, and files that will not do."""

import gzip

import pytest

from positions.errors import (
    DamagedFileError,
    InvalidValueError,
    NotAtHandError,
    UnknownNameError,
)
from positions.tasks import translations
from positions.tasks.translations import generated, multi30k
from positions.tasks.translations.corpus import ParallelCorpus
from positions.tasks.translations.reading import lines, pairs

NAMES = ("a.en", "a.de")


def test_the_captions_are_those_of_the_paper(data_folder) -> None:
    found = translations.load("multi30k")
    assert [len(part) for part in (found.train, found.validation, found.test)] == [
        29_000,
        1_014,
        1_000,
    ]
    words = [len(source.split()) for source, _ in found.test]
    assert sum(words) / len(words) == pytest.approx(12.97, abs=0.2)
    assert found.written[0] == "Ein Mann mit einem orangefarbenen Hut, der etwas anstarrt."


def test_the_made_up_language_is_fixed_and_no_source_is_in_two_parts() -> None:
    found = generated.load()
    sources = [source for part in (found.train, found.validation, found.test) for source, _ in part]
    assert len(set(sources)) == len(sources) == sum(generated.PAIRS.values())
    assert generated.load().sha256 == found.sha256
    assert found.shortened(5, 3, 2).sha256 != found.sha256


def test_its_translations_turn_on_order_alone() -> None:
    one = generated.translation(("the", "old", "fox", "sees", "a", "hen", "today"))
    other = generated.translation(("a", "hen", "sees", "the", "old", "fox", "today"))
    assert one != other and sorted(one.split()) == sorted(other.split())
    the, fox, old, *_, last = one.split()
    assert [the, fox, old, last] == [generated.word_of(w) for w in ("the", "fox", "old", "sees")]


def test_every_source_word_has_a_word_of_its_own() -> None:
    words = {word for source, _ in generated.load().train for word in source.split()}
    assert len({generated.word_of(word) for word in words}) == len(words) > 30


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "a.en is empty"),
        (b"one\ntwo", "cut short: its last line (2)"),
        (b"one\n \nthree\n", "a.en, line 2 is empty"),
        (b"\xff\n", "not UTF-8"),
    ],
)
def test_a_damaged_file_is_said_with_its_line(content, words) -> None:
    with pytest.raises(DamagedFileError) as caught:
        lines(content, "a.en")
    assert words in str(caught.value) and "positions data" in str(caught.value)


def test_languages_with_different_numbers_of_lines_are_refused() -> None:
    with pytest.raises(DamagedFileError, match=r"a\.en has 2 lines and a\.de 1"):
        pairs(b"one\ntwo\n", b"eins\n", NAMES)
    assert pairs(b"one\n", b"eins\n", NAMES) == (("one", "eins"),)


def test_a_corpus_must_hold_whole_pairs() -> None:
    whole = (("one", "eins"),)
    with pytest.raises(InvalidValueError, match="no pair for validation"):
        ParallelCorpus("x", "a", "b", whole, (), whole, ("Eins",))
    with pytest.raises(InvalidValueError, match="Pair 0 of the train part"):
        ParallelCorpus("x", "a", "b", (("one", " "),), whole, whole, ("Eins",))
    with pytest.raises(InvalidValueError, match="one a pair"):
        ParallelCorpus("x", "a", "b", whole, whole, whole, ())


def test_what_is_missing_or_cut_short_ends_in_one_message(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("positions.data.files._download", _no_network)
    assert "not at hand" in translations.missing("multi30k")
    for name in (*multi30k.FILES, multi30k.WRITTEN):
        path = tmp_path / f"{name}.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(b"a caption\n" * 9))
    assert translations.missing("multi30k") is None
    with pytest.raises(DamagedFileError, match="is not the file it should be"):
        translations.load("multi30k")
    with pytest.raises(UnknownNameError, match="Did you mean 'multi30k'"):
        translations.load("multi30")


def _no_network(resource):
    raise NotAtHandError(f"{resource.path} is not at hand")
