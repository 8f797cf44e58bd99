"""Who trains, who chooses, who is scored."""

from collections import Counter

import pytest

from positions.tasks.sentences import Corpus, Text, split


def corpus(train: int = 103, dev: int = 0, test: int = 0) -> Corpus:
    parts = [
        tuple(Text((f"{part}{number}",), number % 2) for number in range(count))
        for part, count in (("train", train), ("dev", dev), ("test", test))
    ]
    return Corpus("made up", 2, *parts)


@pytest.mark.parametrize("seed", [0, 4, 7, 7122])
def test_parts_do_not_overlap_and_leave_nothing_out(seed: int) -> None:
    whole = corpus()
    found = split(whole, seed)
    parts = [*found.train, *found.choose, *found.test]
    assert Counter(parts) == Counter(whole.train)
    assert len(found.train) == pytest.approx(0.8 * 103, abs=2)
    assert abs(len(found.choose) - len(found.test)) <= 1
    assert not found.given


def test_five_seeds_set_each_text_aside_once_and_ten_score_each_once() -> None:
    whole = corpus()
    for start in (0, 5, 10):
        splits = [split(whole, seed) for seed in range(start, start + 5)]
        aside = [text for each in splits for text in (*each.choose, *each.test)]
        assert Counter(aside) == Counter(whole.train)
    scored = [text for seed in range(10) for text in split(whole, seed).test]
    assert Counter(scored) == Counter(whole.train)


def test_the_next_ten_seeds_deal_the_texts_out_anew() -> None:
    whole = corpus()
    assert split(whole, 0) == split(whole, 0)
    assert set(split(whole, 0).test) != set(split(whole, 10).test)


def test_given_parts_are_used_as_they_are() -> None:
    whole = corpus(dev=20, test=30)
    found = split(whole, 3)
    assert (found.train, found.choose, found.test) == (whole.train, whole.dev, whole.test)
    assert found.given


def test_without_a_validation_part_a_fifth_chooses() -> None:
    whole = corpus(test=30)
    found = split(whole, 8)
    assert found.test == whole.test and found.given
    assert Counter((*found.train, *found.choose)) == Counter(whole.train)
    assert len(found.choose) == pytest.approx(103 / 5, abs=1)
