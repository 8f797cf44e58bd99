"""How far the attention of two models is apart, head by head.

Kazemnejad et al. (2023), section 5.2 and Figure 4, ask which encoding's attention is closest to
that of a model without any. They name the Jensen-Shannon divergence; `coded` is what their code
computes instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from positions.analysis.attention.maps import pair
from positions.errors import InvalidValueError

MOST = math.log(2)
"""The greatest Jensen-Shannon divergence, in nats: of two rows that share no key."""
AT_ONCE = 2**21
"""Numbers held at once while heads are paired (16 MiB)."""
LEAST = float(torch.finfo(torch.float32).tiny)
"""What `coded` takes for a probability of 0, whose logarithm is infinite in their code."""


class Divergences(NamedTuple):
    """Of every head of one model with every head of another, (heads, other heads), in nats."""

    true: Tensor
    coded: Tensor


def divergences(p: Tensor, q: Tensor) -> Divergences:
    """Return the true divergence and the coded one, as `jensen_shannon` and `coded` do."""
    first, second = pair(p, q)
    mixtures = _mean_entropy_of_mixtures(first, second)
    means = _mean_of(_entropy(first).mean(-1), _entropy(second).mean(-1))
    log_first, log_second = first.clamp(min=LEAST).log(), second.clamp(min=LEAST).log()
    crossed = (_products(first, log_second) + _products(log_first, second)) / 2
    # equal rows may come out as -1e-17
    return Divergences((mixtures - means).clamp(min=0), (means - crossed) / 2 - mixtures)


def jensen_shannon(p: Tensor, q: Tensor) -> Tensor:
    """Return the Jensen-Shannon divergence of every head of p and every head of q, in nats.

    `p` (heads, queries, keys) and `q` (other heads, queries, keys) are one layer's attention on
    the same tokens. The result (heads, other heads) is the mean over queries of

        H((p + q) / 2) - (H(p) + H(q)) / 2,   H(p) = -sum p ln p,

    from 0 for equal rows to ln 2 for rows that share no key (Lin 1991). Raises
    `InvalidValueError` for maps that are none, or that do not fit together.
    """
    return divergences(p, q).true


def coded(p: Tensor, q: Tensor) -> Tensor:
    """Return what the authors' code computes for the same: KL the wrong way round, in nats.

    With m = (p + q) / 2 it is (KL(m || p) + KL(m || q)) / 2, as torch's KLDivLoss takes its
    arguments in the other order. It has no upper limit: where one row has nothing the other's
    logarithm goes to minus infinity. Shapes and errors as `jensen_shannon`; a probability of 0
    counts as `LEAST`.
    """
    return divergences(p, q).coded


def closest(divergences: Tensor) -> float:
    """Return the least divergence of any pair of heads, as the paper's text has it.

    `divergences` (heads, other heads). Raises `InvalidValueError` for another shape.
    """
    return float(_table(divergences).min())


def closest_coded(divergences: Tensor) -> float:
    """Return the least divergence over the pairs that their code looks at: first head < second.

    Of 12 heads those are 66 of 144 pairs; a head is never compared with its own number. Raises
    `InvalidValueError` where there is no such pair.
    """
    table = _table(divergences)
    rows, columns = torch.triu_indices(table.shape[0], table.shape[1], offset=1)
    if not len(rows):
        raise InvalidValueError(
            f"Among {table.shape[0]} and {table.shape[1]} heads no first is below a second. The "
            "paper's code needs two heads or more."
        )
    return float(table[rows, columns].min())


def matched(divergences: Tensor) -> float:
    """Return the mean divergence when each head gets a partner of its own, in the best way.

    The least of all pairs says little: one head without a preference in either model makes it
    small. Here every head counts. With unequal numbers the heads without a partner are left out.
    """
    table = _table(divergences)
    rows, columns = linear_sum_assignment(table.cpu().numpy())
    return float(table[rows, columns].mean())


def _table(divergences: Tensor) -> Tensor:
    if not isinstance(divergences, Tensor) or divergences.dim() != 2 or not divergences.numel():
        shape = tuple(getattr(divergences, "shape", ()))
        raise InvalidValueError(
            f"Divergences of heads have the shape (heads, other heads), not {shape}. Make them "
            "with jensen_shannon or coded."
        )
    return divergences


def _entropy(rows: Tensor) -> Tensor:
    return torch.special.entr(rows).sum(-1)


def _mean_of(first: Tensor, second: Tensor) -> Tensor:
    """Return (first + second) / 2 for every pair, (heads, other heads)."""
    return (first[:, None] + second[None]) / 2


def _mean_entropy_of_mixtures(first: Tensor, second: Tensor) -> Tensor:
    """Return the mean over queries of H((p + q) / 2), (heads, other heads)."""
    total = first.new_zeros(len(first), len(second))
    for rows in _chunks(first, second):
        total += _entropy((first[:, None, rows] + second[None, :, rows]) / 2).sum(-1)
    return total / first.shape[1]


def _chunks(first: Tensor, second: Tensor) -> Iterator[slice]:
    """Yield slices of queries, few enough that all pairs of heads fit into `AT_ONCE`."""
    queries, keys = first.shape[1:]
    step = max(1, AT_ONCE // (len(first) * len(second) * keys))
    for start in range(0, queries, step):
        yield slice(start, start + step)


def _products(first: Tensor, second: Tensor) -> Tensor:
    """Return the mean over queries of sum p q, (heads, other heads)."""
    return torch.einsum("aqk,bqk->ab", first, second) / first.shape[1]
