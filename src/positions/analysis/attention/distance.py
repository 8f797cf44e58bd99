"""How far back attention looks (Kazemnejad et al. 2023, section 6.1 and Figure 7).

A key at position n is, for the query at position t (both from 0), (t - n) / (t + 1) of the text
away: 0 is the query itself, and the first token comes close to 1. The paper's figure counts, for
each query and head, only the key that gets most; here the whole of the attention can be counted
as well. Bins are .05 wide around 0, .05, ..., 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from positions.analysis.attention.maps import causal
from positions.errors import InvalidValueError

BINS = 21
CENTRES = tuple(round(number / (BINS - 1), 2) for number in range(BINS))
NEAR, FAR = 2, 4
"""The first two bins, distances below 0.075, are near; the last four, from 0.825 on, are far."""


def bins(length: int) -> Tensor:
    """Return the bin of each query and key, int64 (length, length), exact at the edges."""
    t = torch.arange(length)[:, None]
    back = (t - torch.arange(length)).clamp(min=0)
    return (2 * (BINS - 1) * back + t + 1) // (2 * (t + 1))


def most_attended(attention: Tensor, queries: Sequence[int]) -> Tensor:
    """Count by bin how far the key is that gets most, over heads and queries, (BINS,).

    `attention` (heads, length, length) is causal. Of equals the first key is taken. The paper
    takes the greatest logit, which is the greatest probability. Raises `InvalidValueError` for
    maps that are none and queries outside of them.
    """
    maps = causal(attention)
    chosen = _chosen(queries, maps.shape[-1])
    keys = maps[:, chosen].argmax(-1)
    found = bins(maps.shape[-1])[chosen.expand_as(keys), keys.cpu()]
    return torch.bincount(found.flatten(), minlength=BINS).double()


def mass(attention: Tensor, queries: Sequence[int]) -> Tensor:
    """Sum the attention by bin over heads and queries, (BINS,): its sum is their number.

    Arguments and errors as `most_attended`.
    """
    maps = causal(attention)
    chosen = _chosen(queries, maps.shape[-1])
    where = bins(maps.shape[-1])[chosen].expand(len(maps), -1, -1)
    return torch.bincount(where.flatten(), maps[:, chosen].cpu().flatten(), minlength=BINS)


def even(length: int, queries: Sequence[int]) -> Tensor:
    """Return what `mass` is for one head that looks at everything before it alike, (BINS,)."""
    maps = torch.ones(1, length, length, dtype=torch.float64).tril()
    return mass(maps / maps.sum(-1, keepdim=True), queries)


def near(shares: Sequence[float]) -> float:
    """Return the share below 0.075; raises `InvalidValueError` unless there is one a bin."""
    return float(sum(_all_bins(shares)[:NEAR]))


def far(shares: Sequence[float]) -> float:
    """Return the share from 0.825 on; raises `InvalidValueError` unless there is one a bin."""
    return float(sum(_all_bins(shares)[-FAR:]))


def _all_bins(shares: Sequence[float]) -> Sequence[float]:
    if len(shares) != BINS:
        raise InvalidValueError(f"Shares by distance are {BINS} numbers, not {len(shares)}.")
    return shares


def _chosen(queries: Sequence[int], length: int) -> Tensor:
    chosen = torch.as_tensor(list(queries), dtype=torch.int64)
    if not len(chosen) or int(chosen.min()) < 0 or int(chosen.max()) >= length:
        raise InvalidValueError(
            f"Queries are positions 0 to {length - 1} of this text, at least one of them, not "
            f"{list(queries)[:8]}."
        )
    return chosen
