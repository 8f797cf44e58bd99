"""The key-value cache: what earlier tokens left for later ones."""

from __future__ import annotations

import weakref

import torch
from torch import Tensor

from positions.errors import InvalidValueError


class LayerCache:
    """One layer's keys and values, (batch, heads, length, head_width), in a buffer that grows.

    No gradient flows through them. `memory` holds the keys and values of an encoder's output.
    """

    def __init__(self) -> None:
        self.keys: Tensor | None = None
        self.values: Tensor | None = None
        self.length = 0
        self.memory: tuple[Tensor, Tensor] | None = None

    def extend(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Append keys and values and return all so far."""
        start, self.length = self.length, self.length + keys.shape[2]
        self.keys = _appended(self.keys, keys, start)
        self.values = _appended(self.values, values, start)
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]

    def reorder(self, rows: Tensor) -> None:
        """Let row n continue what row `rows[n]` holds; the memory stays where it is."""
        if self.keys is not None and self.values is not None:
            self.keys, self.values = self.keys[rows], self.values[rows]


class Cache:
    """The cache of a whole stack; make an empty one and give it to each forward pass in turn."""

    def __init__(self) -> None:
        self.layers: list[LayerCache] = []
        self.length = 0
        self.mask: Tensor | None = None
        self.ids: list[Tensor] = []
        self._owner: weakref.ref[object] | None = None

    def belong_to(self, owner: object) -> None:
        """Note whose keys and values these are; raise `InvalidValueError` where another's."""
        if self._owner is None:
            self._owner = weakref.ref(owner)
        elif self._owner() is not owner:
            raise InvalidValueError(
                "The cache holds the keys and values of another model. Make an empty one, Cache(), "
                "for each model and each batch of texts."
            )

    def layer(self, number: int) -> LayerCache:
        """Return the cache of one layer."""
        while len(self.layers) <= number:
            self.layers.append(LayerCache())
        return self.layers[number]

    def extend_mask(self, mask: Tensor | None, tokens: Tensor) -> Tensor | None:
        """Append the mask of new tokens (batch, new) and return that of all, or None for no pads.

        Raises `InvalidValueError` where the batch changed.
        """
        batch, new = tokens.shape
        held = self.layers[0].keys if self.layers else None
        if held is not None and held.shape[0] != batch:
            raise InvalidValueError(
                f"The cache holds {held.shape[0]} rows and {batch} are given; "
                "start an empty cache for another batch, or reorder this one."
            )
        if mask is not None or self.mask is not None:
            real = torch.ones(batch, self.length, dtype=torch.bool, device=tokens.device)
            fresh = torch.ones_like(tokens, dtype=torch.bool) if mask is None else mask
            self.mask = torch.cat([real if self.mask is None else self.mask, fresh], dim=1)
        self.length += new
        return self.mask

    def extend_ids(self, number: int, ids: Tensor) -> Tensor:
        """Append the ids (batch or 1, new) that encoding `number` gave and return all so far."""
        if number == len(self.ids):
            self.ids.append(ids)
        else:
            held = self.ids[number]
            rows = max(held.shape[0], ids.shape[0])
            self.ids[number] = torch.cat([held.expand(rows, -1), ids.expand(rows, -1)], dim=1)
        return self.ids[number]

    def reorder(self, rows: Tensor) -> None:
        """Let row n continue what row `rows[n]` holds, as beam search needs.

        An encoder's memory is left in place: rows may change places within one source only.
        """
        for layer in self.layers:
            layer.reorder(rows)
        if self.mask is not None:
            self.mask = self.mask[rows]
        self.ids = [ids if ids.shape[0] == 1 else ids[rows] for ids in self.ids]


def _appended(buffer: Tensor | None, new: Tensor, start: int) -> Tensor:
    """Write `new` into the buffer from `start` on, in one twice as long where it is full."""
    batch, heads, length, width = new.shape
    end = start + length
    if buffer is None or end > buffer.shape[2]:
        grown = new.new_empty(batch, heads, 2 * end, width)
        if buffer is not None:
            grown[:, :, :start] = buffer[:, :, :start]
        buffer = grown
    buffer[:, :, start:end] = new.detach()
    return buffer
