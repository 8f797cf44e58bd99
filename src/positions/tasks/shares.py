"""How many examples each bin of lengths gets."""

from __future__ import annotations

from collections.abc import Sequence


def equal_shares(total: int, capacities: Sequence[int]) -> list[int]:
    """Divide `total` equally over bins, rounding down; what a full bin cannot take, others do.

    As in the code of Kazemnejad et al. 2023 a bin gets floor(total / bins): a remainder smaller
    than the number of bins is left out.
    """
    shares = [0] * len(capacities)
    unsettled = list(range(len(capacities)))
    while unsettled:
        share = total // len(unsettled)
        full = [each for each in unsettled if capacities[each] <= share]
        for each in full or unsettled:
            shares[each] = min(share, capacities[each])
            total -= shares[each]
        unsettled = [each for each in unsettled if each not in full] if full else []
    return shares


def exact_shares(total: int, weights: Sequence[int]) -> list[int]:
    """Divide all of `total` in proportion to `weights`, by largest remainders."""
    whole = sum(weights)
    shares = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda each: -(total * weights[each] % whole))
    for each in by_remainder[: total - sum(shares)]:
        shares[each] += 1
    return shares
