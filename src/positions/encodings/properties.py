"""What every encoding must keep, whatever it computes: the ids decide, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from positions.encodings.base import Encoding
from positions.encodings.registry import build

LENGTH = 7
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Finding:
    """Whether an encoding keeps one property, and what was seen.

    `required` is False for what an encoding may do without: absolute ones notice a shift.
    """

    name: str
    asks: str
    holds: bool
    seen: str
    required: bool = True


def check(
    name: str, *, width: int = 16, heads: int = 2, max_length: int = 64, **options: object
) -> list[Finding]:
    """Return what holds of the encoding `name` in one layer of causal attention.

    Outputs that should be equal are compared in float32, to within 1e-5. A hook that raises keeps
    nothing; its message is what was seen. `options` are the encoding's own; what starts at zero
    tells little. Raises what `build` raises, `UnknownNameError` for an unknown name.
    """
    found = []
    for what, (asks, measure) in _PROPERTIES.items():
        torch.manual_seed(0)
        encoding = build(name, width=width, heads=heads, max_length=max_length, **options)
        try:
            holds, seen = measure(encoding)
        except Exception as error:
            holds, seen = False, f"{type(error).__name__}: {error}"
        found.append(Finding(what, asks, holds, seen, required=what != "shift"))
    return found


def attend(
    encoding: Encoding,
    x: Tensor,
    ids: Tensor,
    visible: Tensor,
    queries: slice = slice(None),
) -> Tensor:
    """Return one layer of causal attention over x, each token its own query, key and value.

    `x` (batch, length, width), `ids` (batch or 1, length); `visible` (batch or 1, 1 or length,
    length) says which keys each query may see besides causality. Returns (batch, queries, width).
    """
    x = encoding.embed(x, ids)
    heads = x.unflatten(-1, (encoding.heads, -1)).transpose(1, 2)
    q, k = heads[:, :, queries], heads
    q_ids = ids[:, queries]
    bias = encoding.bias(q, k, q_ids, ids)
    q, k = encoding.rotate(q, k, q_ids, ids)
    logits = q @ k.mT if bias is None else q @ k.mT + bias
    order = torch.arange(x.shape[1])
    causal = order[:, None] >= order[None, :]
    seen = (visible & causal)[:, None, queries]
    weights = logits.masked_fill(~seen, float("-inf")).softmax(-1).nan_to_num()
    return (weights @ heads).transpose(1, 2).flatten(-2)


def plain(encoding: Encoding, x: Tensor) -> Tensor:
    """Attend over unpadded x (batch, length, width) with ids 0, 1, 2, ..."""
    return attend(encoding, x, torch.arange(x.shape[1])[None], _everything(x))


def tokens(encoding: Encoding, batch: int = 3, length: int = LENGTH) -> Tensor:
    """Draw random embeddings (batch, length, width), the same at every call."""
    generator = torch.Generator().manual_seed(1)
    return torch.randn(batch, length, encoding.width, generator=generator)


def _everything(x: Tensor) -> Tensor:
    return torch.ones(1, x.shape[1], x.shape[1], dtype=torch.bool)


def _equal(one: Tensor, other: Tensor) -> tuple[bool, str]:
    difference = (one - other).abs().max().item()
    return difference <= TOLERANCE, f"difference {difference:.1e}"


def _padding(encoding: Encoding, left: bool) -> tuple[bool, str]:
    x = tokens(encoding)
    padded = torch.nn.functional.pad(x, (0, 0, 4, 0) if left else (0, 0, 0, 4), value=9.0)
    mask = torch.zeros(padded.shape[:2], dtype=torch.bool)
    mask[:, 4:] = left
    mask[:, :LENGTH] |= not left
    out = attend(encoding, padded, encoding.positions(mask), mask[:, None, :])
    return _equal(out[mask].view_as(x), plain(encoding, x))


def _cache(encoding: Encoding) -> tuple[bool, str]:
    x = tokens(encoding)
    ids = torch.arange(LENGTH)[None]
    last = attend(encoding, x, ids, _everything(x), queries=slice(-2, None))
    return _equal(last, plain(encoding, x)[:, -2:])


def _packed(encoding: Encoding) -> tuple[bool, str]:
    first, second = tokens(encoding, length=4), tokens(encoding, length=3) + 1
    document = torch.tensor([[0, 0, 0, 0, 1, 1, 1]])
    together = attend(
        encoding,
        torch.cat([first, second], dim=1),
        torch.tensor([[0, 1, 2, 3, 0, 1, 2]]),
        document[:, :, None] == document[:, None, :],
    )
    return _equal(together, torch.cat([plain(encoding, first), plain(encoding, second)], dim=1))


def _one_row(encoding: Encoding) -> tuple[bool, str]:
    x = tokens(encoding)
    one = torch.arange(LENGTH)[None]
    each = one.expand(len(x), -1)
    return _equal(
        attend(encoding, x, one, _everything(x)), attend(encoding, x, each, _everything(x))
    )


def _memory(encoding: Encoding) -> tuple[bool, str]:
    before = plain(encoding, tokens(encoding))
    plain(encoding, tokens(encoding, length=50))
    return _equal(before, plain(encoding, tokens(encoding)))


def _gradients(encoding: Encoding) -> tuple[bool, str]:
    x = tokens(encoding).requires_grad_()
    plain(encoding, x).square().sum().backward()
    learned = {name: each for name, each in encoding.named_parameters() if each.requires_grad}
    lacking = [
        name
        for name, each in {"the embeddings": x, **learned}.items()
        if each.grad is None or not each.grad.isfinite().all() or not each.grad.any()
    ]
    if lacking:
        return False, f"none reaches {', '.join(lacking)}"
    return True, f"reach {', '.join(learned) or 'the embeddings; nothing else learns'}"


def _shift(encoding: Encoding) -> tuple[bool, str]:
    x = tokens(encoding)
    ids = torch.arange(LENGTH)[None]
    return _equal(
        attend(encoding, x, ids + 31, _everything(x)), attend(encoding, x, ids, _everything(x))
    )


_PROPERTIES: dict[str, tuple[str, Callable[[Encoding], tuple[bool, str]]]] = {
    "padding left": ("Do four pads in front change nothing?", lambda e: _padding(e, left=True)),
    "padding right": ("Do four pads behind change nothing?", lambda e: _padding(e, left=False)),
    "cache": ("Do the last two queries alone see what they see in the whole?", _cache),
    "packing": ("Are two documents in one row what they are alone?", _packed),
    "one row of ids": ("Does one row of ids serve a whole batch?", _one_row),
    "memory": ("Is nothing remembered from a longer input before?", _memory),
    "gradients": ("Do they reach everything that learns?", _gradients),
    "shift": ("Is attention the same when all ids grow by 31?", _shift),
}
