"""Which examples a step sees depends on the seed and the step alone."""

from __future__ import annotations

from itertools import chain

import pytest
import torch

from positions.errors import InvalidValueError
from positions.training.datasets import LabelledDataset
from positions.training.sampling import ShuffledBatches, TokenBudgetBatches, in_order, per_example


@pytest.fixture
def data():
    lengths = torch.randint(1, 40, (53,), generator=torch.Generator().manual_seed(0)).tolist()
    # the label is the example's number, so that batches show what they hold
    return LabelledDataset([[1] * n for n in lengths], range(53), vocabulary=2, classes=53)


def joined(batches):
    return list(chain.from_iterable(batches))


def held(batches, steps):
    return [batches(step).labels.tolist() for step in steps]


@pytest.mark.parametrize("pool", [1, 3])
def test_every_example_once_an_epoch_in_a_new_order(data, pool):
    batches = ShuffledBatches(data, 8, seed=1, pool=pool)
    assert len(batches) == 7
    first, second = held(batches, range(7)), held(batches, range(7, 14))
    assert sorted(joined(first)) == sorted(joined(second)) == list(range(53))
    assert first != second
    assert joined(first) != sorted(joined(first))


@pytest.mark.parametrize("pool", [1, 3])
def test_steps_may_be_asked_for_in_any_order(data, pool):
    batches = ShuffledBatches(data, 8, seed=1, pool=pool)
    forward = held(batches, range(14))
    again = ShuffledBatches(data, 8, seed=1, pool=pool)
    assert held(again, reversed(range(14))) == forward[::-1]
    assert held(ShuffledBatches(data, 8, seed=2, pool=pool), range(14)) != forward


def test_pools_save_padding(data):
    def padding(pool):
        batches = ShuffledBatches(data, 8, seed=1, pool=pool)
        return sum(int((~batches(step).mask).sum()) for step in range(7))

    assert padding(7) < padding(1) / 3


def test_a_budget_of_tokens_is_kept_and_used(data):
    batches = TokenBudgetBatches(data, tokens=120, seed=0)
    sizes = [batches(step).tokens.numel() for step in range(len(batches))]
    assert max(sizes) <= 120
    assert sum(sizes) / len(sizes) > 80
    first = held(batches, range(len(batches)))
    assert sorted(joined(first)) == list(range(53))
    again = held(TokenBudgetBatches(data, tokens=120, seed=0), range(len(batches)))
    assert again == first
    assert held(batches, range(len(batches), 2 * len(batches))) != first


def test_a_budget_below_the_longest_example_is_refused(data):
    longest = int(data.lengths.max())
    with pytest.raises(InvalidValueError, match=f"has {longest} tokens"):
        TokenBudgetBatches(data, tokens=longest - 1, seed=0)
    assert len(TokenBudgetBatches(data, tokens=longest, seed=0)) > 1


def test_sizes_below_one_are_refused(data):
    with pytest.raises(InvalidValueError, match="batch_size = 0"):
        ShuffledBatches(data, 0, seed=0)


def test_in_order_yields_every_example_once(data):
    found = [batch.labels.tolist() for batch in in_order(data, 10)]
    assert joined(found) == list(range(53))
    assert {len(labels) for labels in found} == {10, 3}


def test_measures_come_back_in_the_examples_order(data):
    widths = []

    def measure(batch):
        widths.append(batch.tokens.shape[1])
        return batch.labels * 2

    assert per_example(measure, data, 10).tolist() == list(range(0, 106, 2))
    assert widths == sorted(widths)
    lengths = per_example(lambda batch: batch.mask.sum(1), data, 10)
    assert torch.equal(lengths, data.lengths)
