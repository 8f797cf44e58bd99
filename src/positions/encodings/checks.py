"""Checks of the tensors an encoding is given, each with one message that says what is valid."""

from __future__ import annotations

from torch import Tensor

from positions.errors import InvalidValueError


def check_width(x: Tensor, width: int) -> None:
    """Raise `InvalidValueError` where x is not (batch, length, width)."""
    if x.dim() != 3 or x.shape[-1] != width:
        raise InvalidValueError(
            f"The embeddings have shape {tuple(x.shape)}; this encoding was built for "
            f"(batch, length, {width}). Build it with the model's width."
        )


def check_whole_ids(ids: Tensor) -> None:
    """Raise `InvalidValueError` where ids are not whole numbers, for encodings that look up."""
    if ids.is_floating_point() or ids.is_complex():
        raise InvalidValueError(
            f"The position ids are {ids.dtype}; this encoding looks them up in a table and needs "
            "whole numbers (torch.int64)."
        )
