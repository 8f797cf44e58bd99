"""WikiText-2: its articles, and what is said where it is missing or damaged."""

from pathlib import Path

import pytest

from positions import data
from positions.errors import DamagedFileError, NotAtHandError
from positions.tasks.corpora import wikitext

TEXT = "\n".join(
    [
        *(" ", " = One = ", " ", " Text , with a formula : ", " = 1 / s and k = ", " and more . "),
        *(" ", " = = Part = = ", " ", " End . ", " ", " = Two = ", " ", " Text . ", ""),
    ]
)


def test_titles_stand_alone() -> None:
    first, second = wikitext.articles(TEXT)
    assert first.startswith(" = One = ") and "= 1 / s" in first and "= = Part" in first
    assert second == " = Two = \n \n Text . \n"


def test_the_real_files_hold_720_articles(data_folder: Path) -> None:
    corpus = wikitext.load()
    assert [len(each) for each in (corpus.train, corpus.validation, corpus.test)] == [600, 60, 60]
    for part, name in wikitext.FILES.items():
        whole = data.read(data.resource(name)).decode()
        assert "\n".join(getattr(corpus, part)) == whole[whole.index(" = ") :]
    assert all(each.startswith(" = ") for each in corpus.train)
    assert wikitext.missing() is None


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder and cache, and no network."""
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


def test_without_the_files_it_is_said_how_to_get_them(nothing: Path) -> None:
    reason = wikitext.missing()
    assert reason is not None and "WikiText-2" in reason and "POSITIONS_DATA" in reason
    with pytest.raises(NotAtHandError, match="WikiText-2, train"):
        wikitext.load()


def test_a_damaged_file_is_named(nothing: Path) -> None:
    folder = nothing / "wikitext-2"
    folder.mkdir()
    for name in wikitext.FILES.values():
        (nothing / name).write_text(TEXT)
    assert wikitext.missing() is None, "what is damaged fails in its own run, with its own message"
    with pytest.raises(DamagedFileError, match=r"wiki\.train\.tokens is not the file it should be"):
        wikitext.load()
