"""A batch can be cut into parts that make it up again."""

from __future__ import annotations

import torch

from positions.training.datasets import PairDataset


def make(count):
    rows = [[0, *range(1, 2 + number % 3)] for number in range(count)]
    data = PairDataset(rows, rows, source_vocabulary=5, target_vocabulary=5)
    return data.batch(torch.arange(count))


def test_parts_make_up_the_whole():
    batch = make(7)
    parts = batch.parts(3)
    assert [len(part) for part in parts] == [3, 2, 2]
    for name in ("source", "source_mask", "target", "target_mask", "labels"):
        assert torch.equal(torch.cat([getattr(p, name) for p in parts]), getattr(batch, name))
    assert sum(part.weight for part in parts) == batch.weight
    assert sum(part.size for part in parts) == batch.size


def test_a_small_batch_has_fewer_parts():
    assert [len(part) for part in make(2).parts(5)] == [1, 1]


def test_it_travels_whole():
    there = make(2).to(torch.device("meta"))
    assert {value.device.type for value in vars(there).values()} == {"meta"}
