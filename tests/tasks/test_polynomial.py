"""Polynomials, worked out anew from the prompt's text."""

import re
from collections import Counter
from itertools import product

import pytest

from positions import tasks

TERM = r"(?:- )?[0-3] \* x \*\* [0-3]"


def test_polynomials():
    task = tasks.build("polynomial")
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=1000):
            pattern = rf"Evaluate at x = ((?:- )?[0-2]) in ({TERM}(?: \+ {TERM})*) \? "
            x, polynomial = re.fullmatch(pattern, each.source).groups()
            # Python reads the prompt as it stands, once x is one number and minus binds to one.
            value = eval(polynomial.replace("- ", "-"), {"x": int(x.replace(" ", ""))})
            assert each.answer == str(value % 10)
            assert each.target == f"The answer is {each.answer}."
            terms = polynomial.count("x")
            assert (each.length, each.category) == (terms, str(terms))


def test_every_one_term_prompt_comes():
    task = tasks.build("polynomial", longest=1)
    drawn = {each.source for each in task.examples("train", 1, 3000)}
    assert len(drawn) == task.existing((1,)) == 140


def test_chance_is_the_share_of_the_most_frequent_answer():
    task = tasks.build("polynomial", longest=1, test_longest=2)
    answers = Counter()
    terms = list(product(range(-3, 4), range(4)))
    for x, (a, k), (b, m) in product(range(-2, 3), terms, terms):
        answers[(a * x**k + b * x**m) % 10] += 1
    assert task.chance == pytest.approx(answers.most_common(1)[0][1] / sum(answers.values()))


def test_chance_is_above_a_tenth_and_what_guessing_gets():
    task = tasks.build("polynomial")
    drawn = Counter(each.answer for each in task.examples("test", 1, 40_000))
    assert task.chance > 0.1
    assert drawn.most_common(1)[0][1] / 40_000 == pytest.approx(task.chance, abs=0.008)
