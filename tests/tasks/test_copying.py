"""Copying: the prompt alone says what to write."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest

from positions import tasks
from positions.tasks.symbols import symbols

SAMPLES = ("train", "test")


def examples(name, **options):
    task = tasks.build(name, **options)
    return [each for split in SAMPLES for each in task.examples(split, seed=11, size=600)]


def read(prompt, words):
    """Return the list between the words and the separator."""
    match = re.fullmatch(rf"{words}((?: \S+)+) \[SEP\] ", prompt)
    assert match, prompt
    return match[1].split()


@pytest.mark.parametrize(("name", "times"), [("copy_v1_repeat", 1), ("copy_v1_repeat_2x", 2)])
def test_one_symbol_is_repeated(name, times):
    for each in examples(name):
        items = read(each.source, "Copy:")
        assert len(set(items)) == 1
        assert each.target == each.answer == " ".join(items * times)
        assert (each.length, each.category) == (len(items), str(len(items)))


def test_a_symbol_is_replaced():
    for each in examples("copy_v2_replace"):
        old, new = re.match(r"Replace (\S+) with (\S+) in ", each.source).groups()
        items = read(each.source, re.escape(f"Replace {old} with {new} in"))
        assert set(items) == {old} != {new}
        assert each.target == " ".join(new for _ in items)
        assert each.length == len(items)


@pytest.mark.parametrize(("name", "times"), [("copy_v3_multi", 1), ("copy_v3_multi_2x", 2)])
def test_a_list_is_copied(name, times):
    for each in examples(name):
        items = read(each.source, "Copy:")
        assert each.target == " [NEXT] ".join([" ".join(items)] * times)
        assert (each.length, each.category) == (len(items), str(len(items)))


def test_fixed_sets_of_one_symbol_hold_all_of_them_at_each_length():
    data = tasks.build("copy_v1_repeat", symbols=30).dataset(1, tasks.Sizes(500, 300))
    pool = data.train + data.validation
    assert Counter((each.source.split()[1], each.length) for each in pool) == Counter(
        (symbol, length) for symbol in symbols(30) for length in range(2, 21)
    )
    assert {each.source.split()[1] for each in data.test} == set(symbols(30))
    assert max(Counter(each.source for each in data.test).values()) == 1


def test_replacement_holds_all_ordered_pairs():
    data = tasks.build("copy_v2_replace", symbols=6).dataset(1, tasks.Sizes(500, 300))
    at_2 = {tuple(each.source.split()[1:4:2]) for each in data.train if each.length == 2}
    at_2 |= {tuple(each.source.split()[1:4:2]) for each in data.validation if each.length == 2}
    assert at_2 == {(a, b) for a in symbols(6) for b in symbols(6) if a != b}


def test_lists_are_of_independent_uniform_symbols():
    drawn = tasks.build("copy_v3_multi", symbols=10).examples("test", 3, 2000)
    rows = [each.target.split() for each in drawn]
    counts = Counter(symbol for row in rows for symbol in row)
    expected = sum(counts.values()) / 10
    assert set(counts) == set(symbols(10))
    assert max(abs(n - expected) for n in counts.values()) < 5 * np.sqrt(expected)
    pairs = [a == b for row in rows for a, b in itertools.pairwise(row)]
    assert abs(np.mean(pairs) - 0.1) < 0.01


def test_symbols_are_single_characters_first_and_all_different():
    made = symbols(6052)
    assert len(set(made)) == 6052
    assert made[:12] == tuple("0123456789ab")
    assert "".join(made[:62]).isalnum()
    assert all(len(symbol) == 1 for symbol in made[:79])
    assert made[:78] == symbols(78)
    assert not any(set(symbol) & set(" []") for symbol in made)
