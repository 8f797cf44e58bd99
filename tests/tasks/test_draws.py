"""Draws: the same everywhere, uniform, independent by name."""

import numpy as np

from positions.tasks.draws import Draws


def test_the_numbers_are_known_ones():
    draws = Draws(1, "test", 2)
    assert draws.integers(0, 1000, 6).tolist() == KNOWN_NUMBERS
    assert draws.permutation(8) == KNOWN_ORDER


# Computed once. They stand for the promise that no machine and no version gives others.
KNOWN_NUMBERS = [931, 704, 751, 239, 442, 920]
KNOWN_ORDER = [7, 4, 3, 5, 1, 0, 2, 6]


def test_equal_names_give_equal_draws_and_others_do_not():
    def first(*name):
        return Draws(*name).integers(0, 10**6, 20).tolist()

    assert first(3, "train", 4) == first(3, "train", 4)
    others = [first(3, "train", 5), first(3, "test", 4), first(4, "train", 4), first(3, "train")]
    assert all(first(3, "train", 4) != other for other in others)


def test_integers_fill_their_range_evenly():
    drawn = Draws(0, "range").integers(-3, 4, 70_000)
    counts = np.bincount(drawn + 3, minlength=7)
    assert len(counts) == 7
    # Within five standard deviations of 10,000 each.
    assert np.abs(counts - 10_000).max() < 5 * np.sqrt(10_000)


def test_weighted_draws_follow_their_weights():
    counts = np.bincount(Draws(0, "weights").weighted([1, 0, 3, 6], 100_000), minlength=4)
    assert counts[1] == 0
    assert np.abs(counts / 100_000 - [0.1, 0, 0.3, 0.6]).max() < 0.01


def test_permutations_are_permutations_each_as_likely():
    orders = Draws(0, "orders").permutations(60_000, 3)
    assert (np.sort(orders, axis=1) == [0, 1, 2]).all()
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6
    assert np.abs(counts - 10_000).max() < 500
