"""The attention of a layer: of a text to itself, and of a decoder to an encoder's output."""

from __future__ import annotations

from torch import Tensor, nn

from positions.model.attend import attend
from positions.model.cache import LayerCache
from positions.model.config import ModelConfig
from positions.model.pattern import Pattern, Sight


class SelfAttention(nn.Module):
    """Attention of a text to itself, with one projection for queries, keys and values."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads, self.per_head, self.scale = config.heads, config.per_head, config.scale
        self.rate = config.dropout.attention
        self.qkv = nn.Linear(config.width, 3 * config.inner, bias=config.attention_bias)
        self.out = nn.Linear(config.inner, config.width, bias=config.attention_bias)

    def forward(
        self,
        x: Tensor,
        pattern: Pattern,
        cache: LayerCache | None = None,
        record: list[Tensor] | None = None,
    ) -> Tensor:
        """Return what each token reads, (batch, length, width), from x of that shape."""
        batch, length, _ = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, self.per_head)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        q, k = pattern.encoding.rotate(q, k, pattern.q_ids, pattern.q_ids)
        if cache is not None:
            k, v = cache.extend(k, v)
        rate = self.rate if self.training else 0.0
        mixed = attend(q, k, v, pattern, self.scale, rate, record)
        out: Tensor = self.out(mixed.transpose(1, 2).reshape(batch, length, -1))
        return out


class CrossAttention(nn.Module):
    """Attention of a decoder to an encoder's output; it has no encoding of position."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads, self.per_head, self.scale = config.heads, config.per_head, config.scale
        self.rate = config.dropout.attention
        self.q = nn.Linear(config.width, config.inner, bias=config.attention_bias)
        self.kv = nn.Linear(config.width, 2 * config.inner, bias=config.attention_bias)
        self.out = nn.Linear(config.inner, config.width, bias=config.attention_bias)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        sight: Sight,
        cache: LayerCache | None = None,
        record: list[Tensor] | None = None,
    ) -> Tensor:
        """Return what the tokens, x (batch, length, width), read in memory (batch, source, width).

        With a cache, the memory's keys and values are computed in the first pass and kept.
        """
        batch, length, _ = x.shape
        q = self.q(x).view(batch, length, self.heads, self.per_head).transpose(1, 2)
        k, v = self._keys_and_values(memory, cache)
        rate = self.rate if self.training else 0.0
        mixed = attend(q, k, v, sight, self.scale, rate, record)
        out: Tensor = self.out(mixed.transpose(1, 2).reshape(batch, length, -1))
        return out

    def _keys_and_values(self, memory: Tensor, cache: LayerCache | None) -> tuple[Tensor, Tensor]:
        if cache is not None and cache.memory is not None:
            return cache.memory
        kv = self.kv(memory).view(*memory.shape[:2], 2, self.heads, self.per_head)
        k, v = kv.permute(2, 0, 3, 1, 4).unbind(0)
        if cache is not None:
            cache.memory = (k, v)
        return k, v
