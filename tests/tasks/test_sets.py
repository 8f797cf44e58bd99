"""The fixed sets: the paper's sizes, bins without rests, no duplicates where asked for."""

from collections import Counter

import pytest

from positions import tasks
from positions.errors import InvalidValueError
from positions.tasks import Sizes


def pool(dataset):
    return dataset.train + dataset.validation


@pytest.mark.parametrize(
    ("name", "share", "test_share", "half"),
    [
        # The halves of validation, where given, are those of the paper's records (runs.csv).
        ("copy_v1_repeat", 6052, 500, 7494),
        ("copy_v2_replace", 6006, 500, 7057),
        ("copy_v3_multi", 6052, 500, 7494),
        ("addition", 1796, 52, 7472),
        ("summation", 16_428, 1250, None),
        ("parity", 23_000, 1250, None),
        ("polynomial", 14_375, 1250, None),
    ],
)
def test_the_papers_sizes(name, share, test_share, half):
    task = tasks.build(name)
    data = task.dataset()
    trained = Counter(each.category for each in pool(data))
    tested = Counter(each.category for each in data.test)
    assert len(trained) == len(task.bins("train"))
    assert len(tested) == len(task.bins("test"))
    assert set(trained.values()) == {share}
    assert set(tested.values()) == {test_share}
    assert len(data.train) == 100_000
    assert half in (None, len(data.validation_half(256788)))


def test_lego_asks_each_chain_once_for_every_late_variable():
    data = tasks.build("lego").dataset()
    counts = Counter(each.category for each in pool(data))
    queries = {4: [2, 3], 5: [3, 4], 6: [3, 4, 5], 7: [4, 5, 6], 8: [4, 5, 6, 7]}
    chains = {4: 11_500, 5: 11_500, 6: 7666, 7: 7666, 8: 5750}
    assert counts == {f"[{n}, {q}]": chains[n] for n in queries for q in queries[n]}
    by_chain = Counter(each.source.split(" Then,")[0] for each in pool(data) if each.length == 8)
    assert set(by_chain.values()) == {4}
    assert Counter(each.length for each in data.test)[16] == 1248


def test_sets_are_shuffled():
    data = tasks.build("sort_single").dataset(1, Sizes(2000, 1000))
    for part in (data.train, data.validation, data.test):
        lengths = [each.length for each in part]
        assert lengths != sorted(lengths)
        first, second = lengths[: len(lengths) // 2], lengths[len(lengths) // 2 :]
        assert abs(sum(first) / len(first) - sum(second) / len(second)) < 0.5


def test_validation_half_depends_on_the_runs_seed():
    data = tasks.build("parity").dataset(1, Sizes(1000, 100))
    one, other = data.validation_half(1), data.validation_half(2)
    assert len(one) == len(data.validation) // 2
    assert one != other
    assert one == data.validation_half(1)
    assert not Counter(one) - Counter(data.validation)


def test_without_distinct_short_lengths_are_memorised_as_in_the_paper():
    data = tasks.build("parity").dataset(1, Sizes(20_000, 10))
    seen = {each.source for each in data.train}
    assert len(seen) == 2**4 + 2**5 + 2**6 + 2**7 + 2**8 == 496
    assert all(each.source in seen for each in data.validation)


@pytest.mark.parametrize("name", tasks.names())
def test_distinct_sets_hold_nothing_twice(name):
    data = tasks.build(name).dataset(2, Sizes(300, 200), distinct=True)
    assert len(data.train) == 300
    assert data.validation
    sources = [each.source for part in (data.train, data.validation, data.test) for each in part]
    assert len(set(sources)) == len(sources)


def test_distinct_takes_all_of_a_small_bin_and_more_of_the_others():
    data = tasks.build("addition").dataset(1, Sizes(100_000, 10_000), distinct=True)
    counts = Counter(each.category for each in pool(data))
    assert counts["1-by-1"] == 100
    assert counts["1-by-2"] == counts["2-by-1"] == 900
    others = {n for category, n in counts.items() if category not in ("1-by-1", "1-by-2", "2-by-1")}
    assert len(others) == 1
    assert others.pop() == (115_000 - 1900) // 61
    assert len({each.source for each in pool(data)}) == sum(counts.values())


def test_all_that_exist_can_be_had():
    data = tasks.build("parity").dataset(1, Sizes(495, 9000), distinct=True)
    assert len({each.source for each in pool(data)}) == 496
    assert len(data.validation) == 1
    assert len({each.source for each in data.test}) == len(data.test)


@pytest.mark.parametrize(
    ("name", "options", "sizes", "distinct", "message"),
    [
        (
            "parity",
            {},
            Sizes(496, 10),
            True,
            "496 different training examples, and at least one for validation, were asked for, and "
            "only 496 exist at the lengths 4 to 8. Ask for fewer, leave distinct out or",
        ),
        ("parity", {"longest": 5}, Sizes(20, 2000), True, "2000 different test examples were"),
        ("polynomial", {"longest": 1}, Sizes(140, 10), True, "only 140 exist"),
        ("summation", {"longest": 2}, Sizes(90, 10), True, "only 81 exist"),
        ("copy_v1_repeat", {"symbols": 10}, Sizes(200, 10), False, "only 190 exist at the lengt"),
        ("copy_v2_replace", {"symbols": 3}, Sizes(100, 121), False, "only 120 exist at the leng"),
        ("scan", {}, Sizes(17_774, 10), False, "only 17774 exist at the lengths 1 to 25"),
        ("scan", {}, Sizes(100, 3137), False, "only 3136 exist at the lengths 26 to 48"),
    ],
)
def test_asking_for_more_than_exist_says_how_many_do(name, options, sizes, distinct, message):
    with pytest.raises(InvalidValueError) as error:
        tasks.build(name, **options).dataset(1, sizes, distinct)
    assert message in str(error.value)
    assert ("distinct" in str(error.value)) == distinct


@pytest.mark.parametrize("name", tasks.names())
def test_tiny_sets_have_what_they_are_asked_for(name):
    data = tasks.build(name).dataset(1, Sizes(5, 5))
    assert len(data.train) == 5
    assert data.validation
    assert 0 < len(data.test) <= 5


def test_test_sets_hold_no_training_length():
    for name in tasks.names():
        task = tasks.build(name)
        data = task.dataset(1, Sizes(200, 200))
        assert {each.length for each in pool(data)} <= set(task.training_lengths)
        assert {each.length for each in data.test} <= set(task.test_lengths)


@pytest.mark.parametrize("name", tasks.names())
def test_a_seed_gives_the_same_bytes_on_every_machine(name):
    digest = tasks.build(name).dataset(2023, Sizes(300, 100)).sha256
    assert digest.startswith(DIGESTS[name])


# Computed once, on one machine. A change here changes every fixed set: raise the version of the
# experiments that use it.
DIGESTS = {
    "copy_v1_repeat": "65d4c1b92c5e1673",
    "copy_v1_repeat_2x": "368a0730734ac806",
    "copy_v2_replace": "e9a5d46c2d625209",
    "copy_v3_multi": "1cbd2cc5efccefef",
    "copy_v3_multi_2x": "2c5b04fa70389161",
    "reverse_v1": "c0c98a5bd2f8a8c6",
    "reverse_v1_2x": "3327f6cf6b1a5547",
    "reverse_v2_revcopy": "7226b87b9d2ec849",
    "addition": "fd76b7cd02bfc987",
    "summation": "c45fc0f4409f0299",
    "parity": "e040443633bfc777",
    "sort_single": "494a7ba7ed7b586c",
    "sort_multi": "de9963b962e1ed96",
    "polynomial": "eba707d3203cb65b",
    "lego": "6ddc199e5c924d6f",
    "scan": "a84b0818cfb8c66a",
    "pcfg": "8b60eb497f803c8e",
}
