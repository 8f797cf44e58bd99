"""Two ways to compute the same attention, and the choice between them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from positions.model.dropout import dropout
from positions.model.pattern import Sight

Path = Literal["written", "fused"]
"""Matmul, softmax, matmul; or torch's `scaled_dot_product_attention`."""

# Time of the fused path over the written one, forward and backward, on one core with AVX-512 and
# bfloat16 but no matrix unit; 4 heads of width 16 / 64, 2,048 tokens a batch:
#                          32 tokens      256          1,024        2,048
# float32                  1.1 /  0.9     0.6 / 0.9    0.2 / 0.5    0.2 / 0.3
# float32, learned bias    1.4 /  1.0     1.2 / 1.1    0.6 / 1.0    1.1 / 1.0
# float32, dropout         1.4            1.1
# bfloat16                 11  /  6       2.6 / 2.7    0.6 / 1.1    0.3 / 0.6
# bfloat16, learned bias   2.0 /  2.8     2.5 / 3.1    2.8 / 3.1    2.5 / 2.5
# Forward alone: float32 0.8 / 0.2 to 0.1 / 0.2, bfloat16 1.5 / 1.6 to 0.2 / 0.8.
# Two cores, float32:        32 tokens       64            128          192
#                          2.6 /  1.4     1.8 / 1.2    1.2 / 1.2    0.9 / 1.0
LONG = 2048
"""Keys from which the fused kernel wins in bfloat16 on a CPU."""
SHORT = 128
"""Keys up to which it loses in float32 too, where several threads share the work."""

_forced: list[Path] = []


@contextlib.contextmanager
def using(path: Path) -> Iterator[None]:
    """Compute all attention in one way, whatever would be fastest."""
    _forced.append(path)
    try:
        yield
    finally:
        _forced.pop()


def fastest(device: torch.device, dtype: torch.dtype, keys: int, learned: bool, thin: bool) -> Path:
    """Choose the path by the measurement above; away from CPUs it is always the fused one.

    `learned`: whether a bias needs a gradient. `thin`: whether probabilities are dropped.
    """
    if _forced:
        return _forced[-1]
    if device.type != "cpu":
        return "fused"
    if learned or thin:
        return "written"
    if dtype.itemsize < 4:
        return "fused" if keys >= LONG else "written"
    return "written" if keys <= SHORT and torch.get_num_threads() > 1 else "fused"


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sight: Sight,
    scale: float,
    rate: float = 0.0,
    record: list[Tensor] | None = None,
) -> Tensor:
    """Mix the values by attention, (batch, heads, queries, head_width).

    Vaswani et al. (2017), equation 1: softmax(scale · q kᵀ + bias) v, with `q`, `k`, `v`
    (batch, heads, length, head_width), and probabilities dropped at `rate`. The softmax works in
    float32 inside whatever the type of q is, and so does the sum with a bias in the written path.
    `record` takes the probabilities, before any are dropped.
    """
    bias = sight.bias(q, k)
    learned = bias is not None and bias.requires_grad
    path = fastest(q.device, q.dtype, k.shape[2], learned, rate > 0)
    if path == "fused" and record is None:
        plain = sight.causal and bias is None
        additive = None
        if not plain and (bias is not None or sight.limited):
            additive = sight.additive(bias, q.dtype, q, k)
        return functional.scaled_dot_product_attention(
            q, k, v, additive, dropout_p=rate, is_causal=plain, scale=scale
        )
    logits = _products(q if scale == 1.0 else q * scale, k)
    if bias is not None or sight.limited:
        dtype = logits.dtype if bias is None else torch.promote_types(bias.dtype, logits.dtype)
        logits = logits + sight.additive(bias, dtype, q, k)
    probabilities = logits.softmax(-1).to(v.dtype)
    if record is not None:
        record.append(probabilities.detach())
    return (dropout(probabilities, rate) if rate else probabilities) @ v


def _products(q: Tensor, k: Tensor) -> Tensor:
    """Return q kᵀ, (batch, heads, queries, keys)."""
    if q.shape[2] == 1 and q.dtype.itemsize < 4:
        # One query of a cached text: in bfloat16 a CPU copies transposed keys, at a third of the
        # time of all attention; it takes them as they are where they come first.
        return (k @ q.transpose(-2, -1)).transpose(-2, -1)
    return q @ k.transpose(-2, -1)
