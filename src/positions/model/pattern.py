"""What one forward pass tells its attention layers: who may see whom, and at what distance."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from positions.encodings import Encoding


@dataclass
class Sight:
    """Which keys each query may see.

    `allowed` is True where it may, broadcastable to (batch, heads, queries, keys), or None for no
    limit. `causal` stands for the plain causal rule, without a mask. By itself it serves attention
    to another text: queries and keys then count in different texts, so that no distance lies
    between them, and no encoding has a say.
    """

    allowed: Tensor | None = None
    causal: bool = False
    shared_bias: Tensor | None = None
    _merged: dict[torch.dtype, Tensor] = field(default_factory=dict, kw_only=True)

    @property
    def limited(self) -> bool:
        """Whether anything is hidden."""
        return self.causal or self.allowed is not None

    def bias(self, q: Tensor, k: Tensor) -> Tensor | None:
        """Return what is added to the logits of this layer, float32, or None."""
        return self.shared_bias

    def additive(self, bias: Tensor | None, dtype: torch.dtype, q: Tensor, k: Tensor) -> Tensor:
        """Return bias and mask in one, to be added to the logits; once a pass where it can be."""
        if bias is not self.shared_bias:
            return self._merge(bias, dtype, q, k)
        if dtype not in self._merged:
            self._merged[dtype] = self._merge(bias, dtype, q, k)
        return self._merged[dtype]

    def _merge(self, bias: Tensor | None, dtype: torch.dtype, q: Tensor, k: Tensor) -> Tensor:
        allowed = self.allowed
        if self.causal:
            allowed = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril()
        if allowed is None:
            assert bias is not None
            return bias.to(dtype)
        # Finite, and far enough from the lowest number that adding logits keeps it so: a row that
        # sees nothing then gets the mean of the values and not NaN.
        lowest = torch.finfo(dtype).min / 2
        if bias is None:
            bias = torch.zeros(allowed.shape, dtype=dtype, device=q.device)
        return bias.to(dtype).masked_fill(~allowed, lowest)


@dataclass
class Pattern(Sight):
    """What the layers that share an encoding are told.

    `q_ids` (batch or 1, queries) and `k_ids` (batch or 1, keys): the indices of queries and keys.
    """

    encoding: Encoding = field(kw_only=True)
    q_ids: Tensor = field(kw_only=True)
    k_ids: Tensor = field(kw_only=True)

    def __post_init__(self) -> None:
        """Ask the encoding for the bias of the whole pass, unless the bias reads q and k."""
        if not self.encoding.bias_reads_content:
            self.shared_bias = self.encoding.bias(None, None, self.q_ids, self.k_ids)

    def bias(self, q: Tensor, k: Tensor) -> Tensor | None:
        """Return what the encoding adds to the logits of this layer, float32, or None."""
        if self.encoding.bias_reads_content:
            return self.encoding.bias(q, k, self.q_ids, self.k_ids)
        return self.shared_bias
