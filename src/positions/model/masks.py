"""Who may look at whom, and which index each token gets."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from positions.encodings import Encoding
from positions.model.checks import values_readable


def padded_on_the_right(mask: Tensor) -> bool:
    """Say whether no padding stands before a real token in any row of mask (batch, length)."""
    if not values_readable(mask):
        return False
    return not bool((mask[:, 1:] & ~mask[:, :-1]).any())


def token_ids(
    encodings: Iterable[Encoding],
    tokens: Tensor,
    mask: Tensor | None,
    segments: Tensor | None,
    length: int,
) -> list[Tensor]:
    """Ask each encoding which index each of `length` tokens gets; each (batch or 1, length).

    `mask` is None where there is no padding. Encodings that count plainly give all rows the same
    ids where padding, if any, is on the right; the padding then counts on, as it does in the
    papers' code, and no real token sees it. In packed rows every document is counted by itself.
    """
    plain: Tensor | None = None
    ids = []
    for encoding in encodings:
        if type(encoding).positions is not Encoding.positions:
            ids.append(_count(encoding, tokens, mask, segments, length, shared=False))
            continue
        if plain is None:
            plain = _count(encoding, tokens, mask, segments, length, shared=True)
        ids.append(plain)
    return ids


def _count(
    encoding: Encoding,
    tokens: Tensor,
    mask: Tensor | None,
    segments: Tensor | None,
    length: int,
    shared: bool,
) -> Tensor:
    if segments is not None:
        ids = torch.zeros_like(segments, dtype=torch.int64)
        for document in range(1, int(segments.max()) + 1):
            inside = segments == document
            ids = torch.where(inside, encoding.positions(inside), ids)
        return ids
    if mask is None:
        if shared:
            return torch.arange(length, device=tokens.device)[None]
        mask = torch.ones(tokens.shape[0], length, dtype=torch.bool, device=tokens.device)
    elif shared and padded_on_the_right(mask):
        mask = mask.any(0, keepdim=True)
    return encoding.positions(mask)


def visible(
    queries: int,
    keys: int,
    causal: bool,
    mask: Tensor | None,
    segments: Tensor | None,
    device: torch.device,
) -> tuple[Tensor | None, bool]:
    """Say which keys each query may see; the queries are the last of the keys.

    Returns a boolean mask broadcastable to (batch, heads, queries, keys), True where it may, or
    None for no limit; and whether, instead of any mask, the plain causal rule is all there is.
    """
    if segments is not None:
        same = segments[:, None, :, None] == segments[:, None, None, :]
        return (same & _triangle(queries, keys, device) if causal else same), False
    if causal:
        # What stands behind the last real token is hidden by causality already.
        if mask is None or padded_on_the_right(mask):
            if queries == keys:
                return None, True
            return (None if queries == 1 else _triangle(queries, keys, device)), False
        return mask[:, None, None, :] & _triangle(queries, keys, device), False
    if mask is None or (values_readable(mask) and bool(mask.all())):
        return None, False
    return mask[:, None, None, :], False


def _triangle(queries: int, keys: int, device: torch.device) -> Tensor:
    """Return what causality allows, (1, 1, queries, keys), where the queries come last."""
    allowed = torch.ones(queries, keys, dtype=torch.bool, device=device)
    return allowed.tril(keys - queries)[None, None]
