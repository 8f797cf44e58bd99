"""Addition and summation, worked out anew from the prompt's text."""

import re

import numpy as np

from positions import tasks


def test_addition():
    task = tasks.build("addition")
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=1000):
            match = re.fullmatch(r"Compute (\d(?: \d)*) \+ (\d(?: \d)*) \? ", each.source)
            a, b = (operand.replace(" ", "") for operand in match.groups())
            total = str(int(a) + int(b))
            assert each.answer == total
            assert each.target == f"The answer is {' '.join(total)}."
            assert each.category == f"{len(a)}-by-{len(b)}"
            assert each.length == max(len(a), len(b))
            assert str(int(a)) == a
            assert str(int(b)) == b


def test_operands_are_uniform_over_their_digits():
    drawn = tasks.build("addition", longest=2).examples("train", 1, 40_000)
    ones = [int(each.source[8]) for each in drawn if each.category.startswith("1-")]
    twos = [
        int(each.source[8] + each.source[10]) for each in drawn if each.category.startswith("2-")
    ]
    for numbers, values in ((ones, range(10)), (twos, range(10, 100))):
        counts = np.bincount(numbers, minlength=values.stop)[values.start :]
        expected = len(numbers) / len(values)
        assert counts.sum() == len(numbers) == 20_000
        assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)


def test_additions_bins():
    task = tasks.build("addition")
    assert len(task.bins("train")) == 64
    assert len(task.bins("test")) == 192
    assert all(9 <= max(pair) <= 16 for pair in task.bins("test"))
    assert len(tasks.build("addition", test_shortest=12, test_longest=12).bins("test")) == 23


def test_existing_pairs_are_counted():
    task = tasks.build("addition")
    assert task.existing((1, 1)) == 100
    assert task.existing((1, 2)) == task.existing((2, 1)) == 900
    assert task.existing((3, 2)) == 81_000


def test_summation():
    task = tasks.build("summation")
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=1000):
            match = re.fullmatch(r"Compute: ([1-9](?: \+ [1-9])*) \.\[SEP\] ", each.source)
            digits = [int(digit) for digit in match[1].split(" + ")]
            assert each.answer == str(sum(digits) % 10)
            assert each.target == f"The answer is {each.answer} ."
            assert (each.length, each.category) == (len(digits), str(len(digits)))


def test_summations_answers_are_nearly_uniform():
    drawn = tasks.build("summation").examples("test", 1, 20_000)
    counts = np.bincount([int(each.answer) for each in drawn], minlength=10)
    assert np.abs(counts - 2000).max() < 5 * np.sqrt(2000)
