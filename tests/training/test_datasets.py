"""What a model is given and asked for."""

from __future__ import annotations

import pytest
import torch

from positions.errors import InvalidValueError
from positions.model import IGNORE
from positions.training.datasets import CausalDataset, LabelledDataset, PairDataset

EXAMPLES = [([5, 6, 7, 8, 1], [0, 0, 0, 1, 1]), ([4, 3, 1], [1, 1, 1])]


@pytest.mark.parametrize("side", ["left", "right"])
def test_each_place_is_asked_for_the_token_after_it(side):
    data = CausalDataset(EXAMPLES, vocabulary=10, side=side)
    batch = data.batch(torch.tensor([0, 1]))
    for row, (tokens, chosen) in enumerate(EXAMPLES):
        asked = [
            (batch.tokens[row, i].item(), batch.labels[row, i].item())
            for i in range(batch.tokens.shape[1])
            if batch.labels[row, i] != IGNORE
        ]
        expected = [
            (before, token)
            for before, token, mark in zip(tokens, tokens[1:], chosen[1:], strict=False)
            if mark
        ]
        assert asked == expected
    assert batch.weight == 4
    assert (batch.labels[~batch.mask] == IGNORE).all()


def test_the_inputs_are_the_tokens_in_their_order():
    batch = CausalDataset(EXAMPLES, vocabulary=10, side="left").batch(torch.tensor([0, 1]))
    assert batch.tokens[1][batch.mask[1]].tolist() == [4, 3, 1]
    assert batch.size == 8


@pytest.mark.parametrize("example", [([1, 2], [1]), ([1, 2], [0, 0]), ([1, 2], [1, 0]), ([1], [1])])
def test_an_example_that_asks_for_nothing_is_refused(example):
    with pytest.raises(InvalidValueError, match="Example 1"):
        CausalDataset([EXAMPLES[0], example], vocabulary=10)


def test_labels_travel_with_their_sequences():
    data = LabelledDataset([[1], [2, 3], [4]], [0, 2, 1], vocabulary=5, classes=3)
    batch = data.batch(torch.tensor([2, 1]))
    assert batch.labels.tolist() == [1, 2]
    assert batch.tokens.tolist() == [[4, 0], [2, 3]]
    assert (batch.size, batch.weight) == (3, 2)


@pytest.mark.parametrize("labels", [[0, 1], [0, 1, 3], [0, -1, 1], [0.5, 1.0, 2.0]])
def test_wrong_labels_are_refused(labels):
    with pytest.raises(InvalidValueError, match="labels"):
        LabelledDataset([[1], [2, 3], [4]], labels, vocabulary=5, classes=3)


def test_pairs_give_the_decoder_what_came_before():
    data = PairDataset(
        [[1, 2, 3], [4]], [[0, 7, 9], [0, 8, 8, 9]], source_vocabulary=5, target_vocabulary=10
    )
    batch = data.batch(torch.tensor([0, 1]))
    assert batch.source.tolist() == [[1, 2, 3], [4, 0, 0]]
    assert batch.target.tolist() == [[0, 7, 9], [0, 8, 8]]
    assert batch.target_mask.all()
    assert batch.labels.tolist() == [[7, 9, IGNORE], [8, 8, 9]]
    assert (batch.weight, batch.size) == (5, 10)
    assert data.lengths.tolist() == [3, 4]


def test_pairs_must_match():
    with pytest.raises(InvalidValueError, match="2 sources and 1 targets"):
        PairDataset([[1], [2]], [[0, 1]], source_vocabulary=5, target_vocabulary=5)
    with pytest.raises(InvalidValueError, match="Target 0"):
        PairDataset([[1]], [[0]], source_vocabulary=5, target_vocabulary=5)
