"""What an encoding is: four hooks, each of which may be left alone."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from positions.checks import check_whole
from positions.errors import InvalidValueError


class Encoding(nn.Module):
    """The four places where position can enter a Transformer; this base class uses none of them.

    A subclass overrides the hooks it needs and registers itself with `register(name)`. Its
    constructor takes `width` (of the token embeddings), `heads` and `max_length` (tokens), then
    keyword options of its own. Raises `InvalidValueError` where one of the three is no positive
    whole number.

    Every hook is told the ids it works on and remembers none, so padding on either side, a
    key-value cache, an offset and documents packed in one row all give the same numbers. The ids'
    batch axis may be 1, for a whole batch that shares them.
    """

    name: ClassVar[str] = ""
    bias_reads_content: ClassVar[bool] = False
    """Whether `bias` looks at q and k; if not, it is computed once per forward pass."""

    def __init__(self, width: int, heads: int, max_length: int) -> None:
        super().__init__()
        self.width = check_whole("width", width, minimum=1)
        self.heads = check_whole("heads", heads, minimum=1)
        self.max_length = check_whole("max_length", max_length, minimum=1)

    def positions(self, mask: Tensor) -> Tensor:
        """Say which index each token gets: 0, 1, 2, ... counted over the real tokens.

        `mask` (batch, length) is boolean, True where a real token stands; the ids (batch, length)
        are int64. Padding gets 0, which is harmless where attention masks it.
        Raises `InvalidValueError` for a mask of another type or rank.
        """
        if mask.dtype != torch.bool or mask.dim() != 2:
            raise InvalidValueError(
                f"The mask is {mask.dtype} of shape {tuple(mask.shape)}; it must be torch.bool of "
                "shape (batch, length), True where a real token stands. Use mask.bool()."
            )
        return (mask.cumsum(-1) - 1).masked_fill(~mask, 0)

    def embed(self, x: Tensor, ids: Tensor) -> Tensor:
        """Add position to the token embeddings.

        `x` (batch, length, width), `ids` (batch or 1, length); returns x's shape and type.
        """
        return x

    def rotate(self, q: Tensor, k: Tensor, q_ids: Tensor, k_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Turn queries and keys by their positions, in every attention layer.

        `q` (batch, heads, queries, head_width), `k` (batch, heads, keys, head_width),
        `q_ids` (batch or 1, queries), `k_ids` (batch or 1, keys); returns q's and k's shapes.
        """
        return q, k

    def bias(
        self, q: Tensor | None, k: Tensor | None, q_ids: Tensor, k_ids: Tensor
    ) -> Tensor | None:
        """Give what is added to the attention logits, in every attention layer.

        Shapes as for `rotate`; `q` and `k` may be None unless `bias_reads_content`. Returns
        float32, broadcastable to (batch, heads, queries, keys), or None for no bias.
        """
        return None


def distances(q_ids: Tensor, k_ids: Tensor) -> Tensor:
    """Return how far each key lies behind each query: i - j, (batch or 1, queries, keys)."""
    return q_ids[:, :, None] - k_ids[:, None, :]
