"""Scoring: the paper's parsing."""

import pytest

from positions import tasks
from positions.errors import InvalidValueError
from positions.tasks import scoring


def test_text_after_the_separator_is_compared_exactly():
    assert scoring.same_text("Copy: a b [SEP] a b", "a b")
    assert scoring.same_text(" a b ", "a b")
    assert not scoring.same_text("Copy: a b [SEP] a  b", "a b")
    assert not scoring.same_text("Copy: a b [SEP] a b b", "a b")
    assert not scoring.same_text("a B", "a b")
    assert not scoring.same_text("", "a b")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The answer is 1 0 3.", True),
        ("Compute 9 5 + 8 ? The answer is 1 0 3. The answer is 9.", True),
        ("The answer is 0 1 0 3.", True),
        ("The answer is 103 .", True),
        ("The answer is 1 0 3", False),
        ("The answer is 1 0 4.", False),
        ("The answer is .", False),
        ("The answer is - 1 0 3.", False),
        ("The answer is 1 0 + 3.", False),
        ("1 0 3.", False),
        ("", False),
    ],
)
def test_numbers_are_compared_as_numbers(text, right):
    assert scoring.same_number(text, "103") is right


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("The answer is No.", "No", True),
        ("The answer is  no .", "No", True),
        ("The answer is Yes.", "No", False),
        ("The answer is No", "No", False),
        ("The answer is +1.", "+1", True),
        ("The answer is -1.", "+1", False),
        ("The answer is 1.", "+1", False),
        ("No.", "No", False),
    ],
)
def test_words_are_compared_without_case(text, answer, right):
    assert scoring.same_word(text, answer) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The sorted list is [ 6 3, 8 8 1 ].", True),
        ("Sort the following list [ 8 8 1, 6 3 ]. The sorted list is [ 6 3, 8 8 1 ].", True),
        ("The sorted list is [ 6 3,8 8 1].", True),
        ("The sorted list is [ 8 8 1, 6 3 ].", False),
        ("The sorted list is [ 6 3, 8 8 ].", False),
        ("The sorted list is [ 6 3, 8 8 1, ].", False),
        ("The sorted list is [ 63, 8 8 1 ].", False),
        ("The sorted list is 6 3, 8 8 1.", False),
        ("[ 6 3, 8 8 1 ].", False),
    ],
)
def test_lists_are_compared_element_by_element(text, right):
    assert scoring.same_list(text, "6 3, 8 8 1") is right


@pytest.mark.parametrize("name", ["copy_v1_repeat", "parity"])
def test_only_text_is_scored_and_only_against_an_example(name):
    task = tasks.build(name)
    (example,) = task.examples("test", seed=5, size=1)
    for prediction in (None, 3, [example.target]):
        with pytest.raises(InvalidValueError, match=r"prediction is .*; it must be text"):
            task.score(prediction, example)
    with pytest.raises(InvalidValueError, match=r"example is .*; it must be a positions.tasks.Ex"):
        task.score(example.target, example.target)


@pytest.mark.parametrize("name", tasks.names())
def test_a_target_scores_and_another_examples_target_does_not(name):
    task = tasks.build(name)
    examples = task.examples("test", seed=5, size=200)
    for example in examples:
        assert task.score(example.target, example)
        assert task.score(example.source + example.target, example)
        assert not task.score(example.source, example)
    for one in examples:
        other = next(each for each in examples if each.answer != one.answer)
        assert not task.score(other.target, one)
