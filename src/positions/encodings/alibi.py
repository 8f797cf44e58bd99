"""ALiBi: a fixed penalty on distance, with a slope of its own for each head."""

from __future__ import annotations

import torch
from torch import Tensor

from positions.checks import check_flag
from positions.encodings.base import Encoding, distances
from positions.encodings.registry import register


def slopes(heads: int) -> list[float]:
    """Return the slope of each head.

    Press et al. (2022), section 3: for h a power of two, 2^(-8/h), 2^(-16/h), ..., 2^-8. Otherwise,
    as in their code, those of the power of two below h, then every second one of the power above.
    """
    power = 2 ** (heads.bit_length() - 1)
    first = [2.0 ** (-8 * n / power) for n in range(1, power + 1)]
    between = [2.0 ** (-8 * n / (2 * power)) for n in range(1, 2 * power, 2)]
    return first + between[: heads - power]


@register("alibi")
class ALiBi(Encoding):
    """A penalty that grows with distance, added to the attention logits; nothing is learned.

    Press et al. (2022), section 3: logit(i, j) = q_i · k_j - slope · (i - j). With
    `bidirectional=True` it is -slope · |i - j|, for models that look both ways.
    """

    def __init__(
        self, width: int, heads: int, max_length: int, *, bidirectional: bool = False
    ) -> None:
        super().__init__(width, heads, max_length)
        self.bidirectional = check_flag("bidirectional", bidirectional)

    def bias(self, q: Tensor | None, k: Tensor | None, q_ids: Tensor, k_ids: Tensor) -> Tensor:
        """Return -slope · (i - j), float32 (batch or 1, heads, queries, keys)."""
        behind = distances(q_ids, k_ids)[:, None].float()
        if self.bidirectional:
            behind = behind.abs()
        slope = torch.tensor(slopes(self.heads), dtype=torch.float32, device=q_ids.device)
        return -slope[:, None, None] * behind
