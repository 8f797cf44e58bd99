"""The sets by name: what the real files hold, and what is said where one is missing or damaged."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from positions.errors import DamagedFileError, NotAtHandError, UnknownNameError
from positions.tasks import sentences

COUNTS = {
    "mr": (10_662, 0, 0, 0),
    "sst1": (8_544, 1_101, 2_210, 0),
    "sst2": (6_920, 872, 1_821, 0),
    "subj": (10_000, 0, 0, 0),
    "trec": (5_452, 0, 500, 0),
    "cr": (3_770, 0, 0, 5),
    "mpqa": (10_603, 0, 0, 3),
}


@pytest.fixture(autouse=True)
def forget():
    """Read files anew in each test: folders change."""
    sentences.load.cache_clear(), sentences.missing.cache_clear()
    yield
    sentences.load.cache_clear(), sentences.missing.cache_clear()


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, an empty cache, no network."""
    folder = tmp_path / "data"
    (folder / "sentences").mkdir(parents=True)
    monkeypatch.setenv("POSITIONS_DATA", str(folder))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return folder


@pytest.mark.parametrize("name", COUNTS)
def test_real_sets_hold_what_their_authors_say(name: str, data_folder: Path) -> None:
    assert sentences.at_hand(name) and sentences.missing(name) is None
    corpus = sentences.load(name)
    parts = tuple(len(part) for part in (corpus.train, corpus.dev, corpus.test))
    assert (*parts, corpus.left_out) == COUNTS[name]
    assert {text.label for text in corpus.texts} == set(range(corpus.classes))
    assert corpus.classes == len(sentences.get(name).labels)
    assert max(len(text.words) for text in corpus.texts) <= 128
    assert all(text.words for text in corpus.texts)


def test_labels_mean_what_they_are_called(data_folder: Path) -> None:
    """Words that only one class can be full of."""
    telling = {
        "mr": (1, "moving", 0, "dull"),
        "cr": (1, "great", 0, "problem"),
        "subj": (0, "film", 1, "murder"),
        "trec": (4, "country", 5, "many"),
        "sst1": (4, "masterpiece", 0, "worst"),
        "mpqa": (1, "welcomed", 0, "accused"),
    }
    for name, (one, its, other, theirs) in telling.items():
        texts = sentences.load(name).texts
        counts = Counter((text.label, word) for text in texts for word in set(text.words))
        assert counts[one, its] > counts[other, its], name
        assert counts[other, theirs] > counts[one, theirs], name


def test_an_unknown_set_lists_all(nothing: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'sst2'.*cr, generated, mpqa, mr"):
        sentences.load("sst-2")
    with pytest.raises(UnknownNameError, match="Valid"):
        sentences.at_hand("imdb")
    with pytest.raises(UnknownNameError, match="published set"):
        sentences.get("generated")


def test_with_nothing_at_hand_the_generated_set_is_left(nothing: Path) -> None:
    assert [name for name in sentences.names() if sentences.at_hand(name)] == ["generated"]
    assert sentences.missing("generated") is None
    assert len(sentences.load("generated").texts) > 0
    assert "Looked for" in (sentences.missing("mr") or "")
    with pytest.raises(NotAtHandError, match=r"rt-polarity\.all.*POSITIONS_DATA"):
        sentences.load("mr")


def test_a_file_cut_short_is_refused(data_folder: Path, nothing: Path) -> None:
    whole = (data_folder / "sentences" / "custrev.all").read_bytes()
    (nothing / "sentences" / "custrev.all").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedFileError, match=r"custrev\.all is not the file it should be"):
        sentences.load("cr")


def test_a_set_needs_all_of_its_files(data_folder: Path, nothing: Path) -> None:
    shutil.copy(data_folder / "sentences" / "TREC.train.all", nothing / "sentences")
    assert not sentences.at_hand("trec")
    assert "TREC test" in (sentences.missing("trec") or "")
