"""Parity and LEGO, worked out anew from the prompt's text."""

import re
import string
from collections import Counter

import numpy as np
import pytest

from positions import tasks


def test_parity():
    task = tasks.build("parity")
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=1000):
            pattern = r"Is the number of 1's even in the sequence \[ ([01](?:, [01])*) \] \? "
            bits = re.fullmatch(pattern, each.source)[1].split(", ")
            assert each.answer == ["Yes", "No"][bits.count("1") % 2]
            assert each.target == f"The answer is {each.answer}."
            assert (each.length, each.category) == (len(bits), str(len(bits)))


def test_every_short_bit_string_comes():
    task = tasks.build("parity", longest=4)
    assert len({each.source for each in task.examples("train", 1, 500)}) == 16


def follow(prompt):
    """Work out the asked variable from the clauses, whatever their order."""
    clauses, asked = re.fullmatch(
        r"If (.*)\. Then, what is the value of ([a-z])\? ", prompt
    ).groups()
    known = {}
    waiting = [re.fullmatch(r"([a-z]) = ([+-])(1| [a-z])", each) for each in clauses.split(", ")]
    while waiting:
        name, sign, of = waiting.pop(0).groups()
        value = {"1": 1}.get(of, known.get(of.strip()))
        known[name] = value if sign == "+" else -value
    return known, asked


def test_lego():
    task = tasks.build("lego")
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=1000):
            known, asked = follow(each.source)
            assert each.answer == f"{known[asked]:+d}"
            assert each.target == f"The answer is {each.answer}."
            place = list(known).index(asked)
            assert each.length == len(known)
            assert each.category == f"[{len(known)}, {place}]"
            assert len(known) / 2 <= place


def test_legos_variables_values_and_questions_are_uniform():
    drawn = tasks.build("lego", longest=8, shortest=8).examples("train", 1, 26_000)
    first = Counter(each.source[3] for each in drawn)
    assert set(first) == set(string.ascii_lowercase)
    assert max(abs(n - 1000) for n in first.values()) < 5 * np.sqrt(1000)
    questions = Counter(each.category for each in drawn)
    assert set(questions) == {"[8, 4]", "[8, 5]", "[8, 6]", "[8, 7]"}
    assert max(abs(n - 6500) for n in questions.values()) < 5 * np.sqrt(6500)
    signs = Counter(sign for each in drawn for sign in re.findall(r"= ([+-])", each.source))
    assert signs["+"] / signs.total() == pytest.approx(0.5, abs=0.01)


def test_both_answers_are_as_likely():
    for name in ("parity", "lego"):
        answers = Counter(each.answer for each in tasks.build(name).examples("test", 1, 20_000))
        assert len(answers) == 2
        assert min(answers.values()) / 20_000 == pytest.approx(tasks.build(name).chance, abs=0.02)
