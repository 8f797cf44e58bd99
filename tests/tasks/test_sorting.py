"""Sorting, worked out anew from the prompt's text."""

import re
import string
from collections import Counter

import numpy as np
import pytest

from positions import tasks

ORDER = (string.digits + string.ascii_lowercase + string.ascii_uppercase)[:50]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("sort_single", ORDER.index),
        ("sort_multi", lambda digits: int(digits.replace(" ", ""))),
    ],
)
def test_a_list_is_sorted(name, key):
    task = tasks.build(name)
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=1000):
            items = re.fullmatch(r"Sort the following list \[ (.*) \]\. ", each.source)[1]
            items = items.split(", ")
            expected = ", ".join(sorted(items, key=key))
            assert each.answer == expected
            assert each.target == f"The sorted list is [ {expected} ]."
            assert (each.length, each.category) == (len(items), str(len(items)))


def elements(name, **options):
    drawn = tasks.build(name, **options).examples("test", 1, 2000)
    return [item for each in drawn for item in each.answer.split(", ")]


def test_symbols_are_uniform_and_ties_allowed():
    counts = Counter(elements("sort_single"))
    expected = sum(counts.values()) / 50
    assert set(counts) == set(ORDER)
    assert max(abs(n - expected) for n in counts.values()) < 5 * np.sqrt(expected)
    drawn = tasks.build("sort_single").examples("test", 1, 500)
    assert any(len(set(each.answer.split(", "))) < each.length for each in drawn)


def test_fewer_symbols_are_the_first_ones():
    assert set(elements("sort_single", symbols=7)) == set(ORDER[:7])


def test_numbers_are_uniform_from_10_to_9999():
    numbers = np.array([int(item.replace(" ", "")) for item in elements("sort_multi")])
    assert numbers.min() >= 10
    assert numbers.max() <= 9999
    assert all(re.fullmatch(r"\d( \d){1,3}", item) for item in elements("sort_multi"))
    assert numbers.mean() == pytest.approx(5004.5, abs=5 * 2884 / np.sqrt(len(numbers)))
    assert (numbers < 1000).mean() == pytest.approx(990 / 9990, abs=0.01)
