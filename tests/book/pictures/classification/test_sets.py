"""The sets as a table, with the data at hand and without."""

import pytest

from positions.book.pictures.classification import sets
from positions.tasks import sentences


@pytest.fixture(autouse=True)
def forget():
    sentences.load.cache_clear()
    yield
    sentences.load.cache_clear()


def test_sizes_of_the_real_sets(data_folder) -> None:
    found = sets.overview(["trec", "cr"])
    assert found.loc["TREC", "texts"] == "5,952"
    assert found.loc["TREC", "of them to test"] == "500"
    assert found.loc["CR", "of them to test"] == "none given"
    assert found.loc["generated", "classes"] == 2
    assert sets.left_out(["trec", "cr"]) == "Texts without a word are left out: 5 of CR."
    assert sets.left_out(["trec"]) == "No text is without a word."


def test_what_is_not_at_hand_is_said(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("POSITIONS_DATA", raising=False)
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    found = sets.overview(["mr"])
    assert found.loc["MR", "texts"] == "not at hand"
    assert found.loc["generated", "texts"] == "5,000"
    assert sets.left_out(["mr"]) == "No text is without a word."


def test_examples_are_of_both_kinds() -> None:
    found = sets.examples(6)
    assert len(found) == 6
    assert set(found["class"]) == set(sets.generated.LABELS)
