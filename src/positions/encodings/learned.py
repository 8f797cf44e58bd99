"""A table of absolute positions, one row per position, added to the embeddings."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from positions.checks import check_flag, check_number
from positions.encodings.base import Encoding
from positions.encodings.checks import check_whole_ids, check_width
from positions.encodings.registry import register
from positions.errors import InvalidValueError


@register("learned")
class Learned(Encoding):
    """A row of its own for each position, added to the token embeddings.

    Gehring et al. (2017); BERT, GPT-2 and RoBERTa. `table` (positions, width) is where the rows
    start, a numpy array or a tensor; without it they start as N(0, std²), `max_length` of them.
    `frozen=True` keeps them as they are. Raises `InvalidValueError` for a table of the wrong shape
    or fewer rows than `max_length`, and for an id past the last row.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        max_length: int,
        *,
        table: Any = None,
        frozen: bool = False,
        std: float = 0.02,
    ) -> None:
        super().__init__(width, heads, max_length)
        std = check_number("std", std, at_least=0)
        if table is None:
            rows = torch.empty(self.max_length, self.width).normal_(std=std)
        else:
            rows = _rows(table, self.width, self.max_length)
        # A bare parameter: a model that initialises its nn.Embedding layers leaves it alone.
        self.table = nn.Parameter(rows, requires_grad=not check_flag("frozen", frozen))

    def embed(self, x: Tensor, ids: Tensor) -> Tensor:
        """Add row `id` of the table to each embedding."""
        check_width(x, self.width)
        self._check_reach(ids)
        return x + nn.functional.embedding(ids, self.table).to(x.dtype)

    def _check_reach(self, ids: Tensor) -> None:
        check_whole_ids(ids)
        # Reading values would break a compiled graph in two; there torch's own check remains.
        if torch.compiler.is_compiling() or ids.is_meta or ids.numel() == 0:
            return
        first, last = (int(edge) for edge in ids.aminmax())
        limit = self.table.shape[0]
        if first < 0 or last >= limit:
            raise InvalidValueError(
                f"Position {first if first < 0 else last} is asked for ({ids.shape[-1]} tokens, "
                f"ids {first} to {last}), but the learned table has {limit} rows, for positions "
                f"0 to {limit - 1}. Shorten the input, or build the encoding with "
                f"max_length={max(last + 1, 1)} (or a table that long) and train it."
            )


def _rows(table: Any, width: int, max_length: int) -> Tensor:
    """Check a starting table and copy it as float32."""
    try:
        rows = torch.as_tensor(table).detach().to(torch.float32, copy=True)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InvalidValueError(
            f"table is a {type(table).__name__} that cannot be read as numbers ({error}); "
            f"give a numpy array or tensor of shape (positions, {width})."
        ) from error
    if rows.dim() != 2 or rows.shape[1] != width:
        raise InvalidValueError(
            f"table has shape {tuple(rows.shape)}; it must be (positions, {width}), "
            "one row per position, as wide as the model."
        )
    if rows.shape[0] < max_length:
        raise InvalidValueError(
            f"table has {rows.shape[0]} rows, fewer than max_length={max_length}. "
            f"Give a longer table, or build with max_length={rows.shape[0]}."
        )
    if not bool(rows.isfinite().all()):
        raise InvalidValueError("table holds values that are not finite; mend or drop those rows.")
    return rows
