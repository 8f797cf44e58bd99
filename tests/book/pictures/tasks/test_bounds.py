"""What guessing gets and what decoding cannot reach, against exact counts and published logs."""

import pytest

from positions.book.pictures.tasks import bounds


def test_answers_of_one_term_are_those_of_all_its_prompts():
    numbers = bounds.answers(most=1, size=20_000).numbers.set_index("answer")["share"]
    every = [c * x**d % 10 for c in range(-3, 4) for d in range(4) for x in range(-2, 3)]
    for answer in range(10):
        assert numbers[answer] == pytest.approx(every.count(answer) / len(every), abs=0.015)


def test_published_copying_stays_near_its_ceiling():
    frame = bounds.ceiling().numbers.set_index("length").loc[:20]
    encodings = frame.drop(columns="0.99^ℓ")
    assert (encodings.max(axis=1) - encodings.min(axis=1)).max() < 0.04
    assert abs(encodings.mean(axis=1) - frame["0.99^ℓ"]).max() < 0.03
