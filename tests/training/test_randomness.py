"""One seed for every generator, and no trace left behind."""

from __future__ import annotations

import random

import numpy as np
import torch

from positions.training.randomness import generator, mix, preserved, seed_all, seeded


def draw():
    return (
        torch.rand(3).tolist(),
        torch.nn.functional.dropout(torch.ones(8)).tolist(),
        random.random(),
        np.random.rand(2).tolist(),
    )


def test_the_same_keys_draw_the_same_and_others_do_not():
    draws = {}
    for keys in [(1, 2), (2, 1), (1, 2, "evaluation"), (12,), (1, 23), (12, 3)]:
        seed_all(*keys)
        draws[keys] = draw()
        seed_all(*keys)
        assert draw() == draws[keys]
    assert len({str(value) for value in draws.values()}) == len(draws)


def test_neighbouring_steps_are_not_alike():
    means = []
    for step in range(400):
        seed_all(0, step)
        means.append(torch.rand(50).mean().item())
    # independent means of 50 uniforms: spread √(1/12/50) = 0.0408, neighbours uncorrelated
    assert abs(np.std(means) - 0.0408) < 0.006
    assert abs(np.corrcoef(means[:-1], means[1:])[0, 1]) < 0.2


def test_global_generators_are_left_as_they_were():
    seed_all("before")
    expected = draw()
    seed_all("before")
    with preserved():
        seed_all(7)
        draw()
    assert draw() == expected


def test_a_seeded_block_repeats_and_leaves_no_trace():
    seed_all("before")
    expected = draw()
    seed_all("before")
    with seeded(3):
        first = torch.nn.Linear(4, 4)
    assert draw() == expected
    with seeded(3):
        again = torch.nn.Linear(4, 4)
    assert torch.equal(first.weight, again.weight)


def test_own_generators_follow_their_keys():
    orders = [torch.randperm(20, generator=generator("a", key)) for key in (1, 1, 2)]
    first, again, other = orders
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_mix_does_not_depend_on_the_process():
    assert mix(3, "order", 0) == mix(3, "order", 0) < 2**63
    assert mix("3:order", 0) != mix(4, "order", 0)
