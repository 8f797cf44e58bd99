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

LONG = 2048
"""Keys from which the fused kernel wins in bfloat16 on a CPU."""

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
    """Choose the path by measurement (`benchmarks/` holds the script's table).

    "written" is matmul, softmax, matmul; "fused" is torch's `scaled_dot_product_attention`.
    On a CPU the fused kernel wins in float32, but neither takes a bias that is `learned` nor drops
    probabilities (`thin`): both send it to a slow path. In bfloat16 it wins only where it is long.
    """
    if _forced:
        return _forced[-1]
    if device.type != "cpu":
        return "fused"
    if learned or thin:
        return "written"
    return "fused" if dtype.itemsize >= 4 or keys >= LONG else "written"


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
    logits = (q if scale == 1.0 else q * scale) @ k.transpose(-2, -1)
    if bias is not None or sight.limited:
        dtype = logits.dtype if bias is None else torch.promote_types(bias.dtype, logits.dtype)
        logits = logits + sight.additive(bias, dtype, q, k)
    probabilities = logits.softmax(-1).to(v.dtype)
    if record is not None:
        record.append(probabilities.detach())
    return (dropout(probabilities, rate) if rate else probabilities) @ v
