"""What every task keeps: lengths, seeds, streams, splits."""

import numpy as np
import pytest

from positions import tasks
from positions.errors import InvalidValueError, UnknownNameError

ALL = pytest.mark.parametrize("name", tasks.names())
GENERATED = [name for name in tasks.names() if name not in ("scan", "pcfg")]


@pytest.mark.parametrize(
    ("name", "training", "test"),
    [(name, range(2, 21), range(21, 41)) for name in tasks.names()[:8]]
    + [
        ("addition", range(1, 9), range(9, 17)),
        ("summation", range(2, 9), range(9, 17)),
        ("parity", range(4, 9), range(9, 17)),
        ("sort_single", range(2, 9), range(9, 17)),
        ("sort_multi", range(2, 9), range(9, 17)),
        ("polynomial", range(1, 9), range(9, 17)),
        ("lego", range(4, 9), range(9, 17)),
        ("scan", None, (26, 27, 28, 30, 32, 33, 36, 40, 48)),
        ("pcfg", range(1, 9), (*range(9, 31), 32, 35)),
    ],
)
def test_the_papers_lengths(name, training, test):
    task = tasks.build(name)
    assert task.test_lengths == tuple(test)
    if training is not None:
        assert task.training_lengths == tuple(training)
    assert max(task.training_lengths) < min(task.test_lengths)


@ALL
@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_examples_are_as_many_as_asked_and_of_the_splits_lengths(name, split):
    task = tasks.build(name)
    examples = task.examples(split, seed=1, size=333)
    assert len(examples) == 333
    assert {each.length for each in examples} <= set(task.lengths(split))


@pytest.mark.parametrize("name", GENERATED)
def test_examples_are_spread_equally_over_bins(name):
    task = tasks.build(name)
    size = 3 * len(task.bins("test")) + 1
    examples = task.examples("test", seed=1, size=size)
    label = (lambda e: e.length) if name == "lego" else (lambda e: e.category)
    _, counts = np.unique([label(each) for each in examples], return_counts=True)
    assert len(counts) == len(task.bins("test"))
    assert sorted(counts.tolist()) == [3] * (len(counts) - 1) + [4]


@ALL
def test_the_same_seed_gives_the_same_and_another_another(name):
    task, again = tasks.build(name), tasks.build(name)
    assert task.examples("test", 3, 50) == again.examples("test", 3, 50)
    assert task.examples("test", 3, 50) != task.examples("test", 4, 50)
    assert task.examples("train", 3, 50) != task.examples("validation", 3, 50)


@ALL
def test_a_stream_has_no_memory(name):
    task = tasks.build(name)
    steps = [task.stream(7, step, 16) for step in range(3)]
    assert task.stream(7, 1, 16) == steps[1]
    assert steps[0] != steps[1] != steps[2]
    assert task.stream(8, 1, 16) != steps[1]
    assert all(len(step) == 16 for step in steps)


@pytest.mark.parametrize("name", ["parity", "addition", "scan", "pcfg"])
def test_a_stream_draws_the_bins_as_often_as_they_weigh(name):
    task = tasks.build(name)
    drawn = [each.length for step in range(10) for each in task.stream(0, step, 2000)]
    assert set(drawn) <= set(task.training_lengths)
    bins = task.bins("train")
    weights = np.array(task.weights("train") or [1] * len(bins), dtype=float)
    for length in task.training_lengths:
        # A bin's length is its only number, or the larger one of addition, or the first of PCFG.
        of = [max(each) == length for each in bins]
        expected = weights[of].sum() / weights.sum()
        spread = np.sqrt(expected * (1 - expected) / len(drawn))
        assert abs(drawn.count(length) / len(drawn) - expected) < 5 * spread


def test_longest_moves_the_test_to_twice_as_long():
    task = tasks.build("copy_v3_multi", longest=6)
    assert task.training_lengths == (2, 3, 4, 5, 6)
    assert task.test_lengths == (7, 8, 9, 10, 11, 12)


def test_a_bins_examples_do_not_depend_on_other_lengths():
    def at_length_5(longest):
        task = tasks.build("copy_v3_multi", longest=longest)
        examples = task.dataset(1, tasks.Sizes(20 * (longest - 1), 100))
        pool = examples.train + examples.validation
        return sorted(each.source for each in pool if each.length == 5)

    assert at_length_5(6) == at_length_5(11)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"longest": 3}, "parity: nothing has a train length between shortest=4 and longest=3"),
        ({"shortest": 9}, "between shortest=9 and longest=8"),
        ({"test_shortest": 8}, "begin at 8 and the training lengths end at 8; they must not over"),
        ({"test_shortest": 3}, "Choose test_shortest=9 or more"),
        ({"test_longest": 8}, "nothing has a test length between test_shortest=9 and test_longes"),
        ({"test_shortest": 20}, "between test_shortest=20 and test_longest=16"),
        ({"shortest": 0}, "parity: shortest is 0; it must be a whole number from 1 to 10000"),
        ({"longest": None}, "longest is None; it must be a whole number from 1 to 10000"),
        ({"longest": 10**9}, "longest is 1000000000; it must be a whole number from 1 to 10000"),
        ({"longest": 6000}, "longest test length is 12000; it must be a whole number from 1 to"),
        ({"longest": -2}, "longest is -2"),
        ({"longest": 8.0}, "longest is 8.0; it must be a whole number"),
        ({"longest": "8"}, "longest is '8'"),
        ({"longest": True}, "longest is True"),
        ({"test_longest": "all"}, "test_longest is 'all'"),
    ],
)
def test_lengths_that_make_no_sense_are_refused(options, message):
    with pytest.raises(InvalidValueError) as error:
        tasks.build("parity", **options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("lego", {"longest": 14}, "longest test length is 28; it must be a whole number from 2"),
        ("addition", {"longest": 129}, "longest test length is 258; it must be a whole number"),
        ("lego", {"shortest": 1}, "shortest is 1; it must be a whole number from 2 to 26"),
        ("scan", {"longest": 48}, "nothing has a test length between test_shortest=49 and"),
        ("scan", {"test_shortest": 46, "test_longest": 47}, "nothing has a test length"),
        ("scan", {"shortest": 29, "longest": 29}, "nothing has a train length"),
        ("pcfg", {"longest": 36}, "longest is 36; it must be a whole number from 1 to 35"),
        ("pcfg", {"test_shortest": 33, "test_longest": 34}, "nothing has a test length"),
    ],
)
def test_lengths_that_a_task_does_not_have_are_refused(name, options, message):
    with pytest.raises(InvalidValueError) as error:
        tasks.build(name, **options)
    assert message in str(error.value)


def test_more_examples_than_memory_holds_are_refused():
    task, many = tasks.build("parity"), 10**12
    valid = "is 1000000000000; it must be a whole number from 1 to 10000000"
    with pytest.raises(InvalidValueError, match=f"training size {valid}"):
        task.dataset(1, tasks.Sizes(many, 10))
    with pytest.raises(InvalidValueError, match=f"test size {valid}"):
        task.dataset(1, tasks.Sizes(10, many))
    with pytest.raises(InvalidValueError, match=f"size {valid}"):
        task.examples("train", 1, many)
    with pytest.raises(InvalidValueError, match=f"batch {valid}"):
        task.stream(1, 1, many)


@pytest.mark.parametrize("bad", [-1, 1.5, "1", None, True])
def test_bad_numbers_are_refused(bad):
    task = tasks.build("parity")
    with pytest.raises(InvalidValueError, match="seed is"):
        task.dataset(bad)
    with pytest.raises(InvalidValueError, match="seed is"):
        task.examples("train", bad, 1)
    with pytest.raises(InvalidValueError, match="size is"):
        task.examples("train", 1, bad)
    with pytest.raises(InvalidValueError, match="seed is"):
        task.stream(bad, 1, 1)
    with pytest.raises(InvalidValueError, match="step is"):
        task.stream(1, bad, 1)
    with pytest.raises(InvalidValueError, match="batch is"):
        task.stream(1, 1, bad)
    with pytest.raises(InvalidValueError, match="training size is"):
        task.dataset(1, tasks.Sizes(bad, 10))
    with pytest.raises(InvalidValueError, match="test size is"):
        task.dataset(1, tasks.Sizes(10, bad))


def test_sizes_and_flags_of_another_type_are_refused():
    task = tasks.build("parity")
    with pytest.raises(InvalidValueError, match="sizes are"):
        task.dataset(1, 100)
    with pytest.raises(InvalidValueError, match="distinct is 'yes'; it must be True or False"):
        task.dataset(1, tasks.Sizes(10, 10), distinct="yes")


def test_an_unknown_split_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'train'"):
        tasks.build("parity").examples("training", 1, 1)


def test_chance_is_that_of_the_paper():
    chances = {name: tasks.build(name).chance for name in tasks.names()}
    assert (chances["parity"], chances["lego"], chances["summation"]) == (0.5, 0.5, 0.1)
    assert all(chances[name] == 0 for name in tasks.names()[:9])
