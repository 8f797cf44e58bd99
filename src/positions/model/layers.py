"""The parts of a Transformer layer, and the layer."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn import functional

from positions.model.attention import CrossAttention, SelfAttention
from positions.model.cache import LayerCache
from positions.model.config import ModelConfig
from positions.model.dropout import Dropout
from positions.model.pattern import Pattern, Sight
from positions.model.trace import Trace


def make_norm(config: ModelConfig) -> nn.Module:
    """Return the normalisation that the config names.

    Layer norm: Ba et al. (2016). RMS norm, without mean or bias: Zhang & Sennrich (2019). "none"
    leaves what it is given as it is.
    """
    if config.norm == "none":
        return nn.Identity()
    kinds = {"layer": nn.LayerNorm, "rms": nn.RMSNorm}
    return kinds[config.norm](config.width, eps=config.norm_epsilon)


def activate(x: Tensor, name: str) -> Tensor:
    """Apply the activation `name`; "swiglu" halves the last axis, gate first."""
    if name == "swiglu":
        gate, value = x.chunk(2, dim=-1)
        return functional.silu(gate) * value
    if name == "relu":
        return functional.relu(x)
    return functional.gelu(x, approximate="tanh" if name == "gelu_tanh" else "none")


class FeedForward(nn.Module):
    """Two linear maps with an activation between them, at each position by itself."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.activation = config.activation
        gates = 2 if config.activation == "swiglu" else 1
        self.into = nn.Linear(config.width, gates * config.hidden, bias=config.feedforward_bias)
        self.out = nn.Linear(config.hidden, config.width, bias=config.feedforward_bias)
        self.dropout = Dropout(config.dropout.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Return x's shape, (batch, length, width)."""
        out: Tensor = self.out(self.dropout(activate(self.into(x), self.activation)))
        return out


class Layer(nn.Module):
    """Self-attention, in a decoder with `cross` attention to an encoder, then feed-forward.

    Each adds to the residual stream, with its norm before it ("pre") or after the sum ("post").
    """

    def __init__(self, config: ModelConfig, cross: bool = False) -> None:
        super().__init__()
        self.pre = config.norm_place == "pre"
        self.attention_norm = make_norm(config)
        self.attention = SelfAttention(config)
        self.cross_norm = make_norm(config) if cross else None
        self.cross = CrossAttention(config) if cross else None
        self.feedforward_norm = make_norm(config)
        self.feedforward = FeedForward(config)
        self.dropout = Dropout(config.dropout.residual)

    def forward(
        self,
        x: Tensor,
        pattern: Pattern,
        memory: tuple[Tensor, Sight] | None = None,
        cache: LayerCache | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return x's shape, (batch, length, width); `memory` is an encoder's output."""
        record = None if trace is None else trace.attention
        x = self._add(x, self.attention_norm, lambda y: self.attention(y, pattern, cache, record))
        if self.cross is not None and self.cross_norm is not None and memory is not None:
            cross, (states, seen) = self.cross, memory
            seen_by = None if trace is None else trace.cross_attention
            x = self._add(x, self.cross_norm, lambda y: cross(y, states, seen, cache, seen_by))
        return self._add(x, self.feedforward_norm, self.feedforward)

    def _add(self, x: Tensor, norm: nn.Module, part: Callable[[Tensor], Tensor]) -> Tensor:
        if self.pre:
            return x + self.dropout(part(norm(x)))
        normed: Tensor = norm(x + self.dropout(part(x)))
        return normed
