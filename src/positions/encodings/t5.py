"""T5's relative bias: one learned number per head and bucket of distances."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from positions.checks import check_flag, check_number, check_whole
from positions.encodings.base import Encoding, distances
from positions.encodings.checks import check_whole_ids
from positions.encodings.registry import register
from positions.errors import InvalidValueError


def bucket(
    distance: Tensor, buckets: int = 32, max_distance: int = 128, bidirectional: bool = False
) -> Tensor:
    """Return the bucket of each distance i - j (key j behind query i), int64 of the same shape.

    Raffel et al. (2020), section 2.1. With B buckets, the first E = B/2 hold one distance n each;
    the others widen with the logarithm, and the last holds everything from `max_distance` on:
    E + ⌊ln(n/E) / ln(max_distance/E) · (B - E)⌋, at most B - 1. Keys ahead of the query (n < 0)
    share bucket 0; with `bidirectional` they have half of the buckets to themselves.
    """
    ahead = torch.zeros_like(distance)
    if bidirectional:
        buckets //= 2
        ahead = (distance < 0) * buckets
        distance = distance.abs()
    n = distance.clamp(min=0)
    exact = buckets // 2
    # float32, as the published models computed it
    growth = (n.clamp(min=1).float() / exact).log() / math.log(max_distance / exact)
    wide = exact + (growth * (buckets - exact)).long()
    wide = wide.clamp(max=buckets - 1)
    return ahead + torch.where(n < exact, n, wide)


@register("t5")
class T5(Encoding):
    """A learned number per head and bucket of distances, added to the attention logits.

    Raffel et al. (2020), section 2.1: logit(i, j) = q_i · k_j + b[bucket(i - j)], with one table b
    (buckets, heads) for all layers. It starts as N(0, std²), by default with std = width^-1/2 as
    in T5; 0 starts it without preference. `bidirectional=True` is the encoder's form. Raises
    `InvalidValueError` for numbers of buckets that do not fit `max_distance`.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        max_length: int,
        *,
        buckets: int = 32,
        max_distance: int = 128,
        bidirectional: bool = False,
        std: float | None = None,
    ) -> None:
        super().__init__(width, heads, max_length)
        self.bidirectional = check_flag("bidirectional", bidirectional)
        self.buckets = check_whole("buckets", buckets, minimum=4 if bidirectional else 2)
        exact = self.buckets // (4 if bidirectional else 2)
        self.max_distance = check_whole("max_distance", max_distance, minimum=exact + 1)
        if bidirectional and buckets % 2:
            raise InvalidValueError(
                f"buckets is {buckets}; in two directions it must be even, half for each."
            )
        std = self.width**-0.5 if std is None else check_number("std", std, at_least=0)
        # "bias" in the name keeps the table out of weight decay, as in the published runs.
        self.bias_table = nn.Parameter(torch.empty(self.buckets, self.heads).normal_(std=std))

    def bias(self, q: Tensor | None, k: Tensor | None, q_ids: Tensor, k_ids: Tensor) -> Tensor:
        """Return b[bucket(i - j)], float32 (batch or 1, heads, queries, keys)."""
        check_whole_ids(q_ids)
        # From max_distance on nothing changes: b is computed once for each
        # distance up to there, then looked up for all queries and keys.
        far = self.max_distance
        each = torch.arange(-far, far + 1, device=q_ids.device)
        steps = bucket(each, self.buckets, far, self.bidirectional)
        by_distance = self.bias_table.float()[steps].t()
        index = distances(q_ids, k_ids).clamp(-far, far) + far
        # index_select takes a third of the time of by_distance[:, index]
        bias = by_distance.index_select(1, index.flatten())
        return bias.unflatten(1, index.shape).transpose(0, 1)
