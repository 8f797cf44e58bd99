"""Shares: sums, equality, capacities."""

import sys

import pytest

from positions.tasks.shares import equal_shares, exact_shares

UNLIMITED = sys.maxsize


@pytest.mark.parametrize(("bins", "share"), [(19, 6052), (64, 1796), (7, 16_428), (5, 23_000)])
def test_the_papers_bins(bins, share):
    assert equal_shares(115_000, [UNLIMITED] * bins) == [share] * bins


def test_a_full_bin_leaves_its_share_to_the_others():
    assert equal_shares(100, [10, UNLIMITED, UNLIMITED]) == [10, 45, 45]
    assert equal_shares(100, [UNLIMITED, 10, 40, UNLIMITED]) == [30, 10, 30, 30]


def test_full_bins_one_after_another():
    # 25 each fills the first; of the 90 left 30 each fills the second; 31 are left for the others.
    assert equal_shares(100, [10, 28, 200, 200]) == [10, 28, 31, 31]


def test_no_more_than_all_that_exist():
    assert equal_shares(1000, [3, 4, 5]) == [3, 4, 5]


def test_exact_shares_sum_to_the_total_and_are_nearest_to_the_weights():
    weights = [5, 3, 2, 0]
    for total in range(40):
        shares = exact_shares(total, weights)
        assert sum(shares) == total
        for share, weight in zip(shares, weights, strict=True):
            assert abs(share - total * weight / 10) < 1


def test_exact_shares_of_the_whole_are_the_weights():
    assert exact_shares(10, [5, 3, 2]) == [5, 3, 2]
