"""Checks of what a model is given, each with one message that says what is valid."""

from __future__ import annotations

import torch
from torch import Tensor

from positions.errors import InvalidValueError

IGNORE = -100
"""The label of a position that no loss is taken at."""


def values_readable(x: Tensor) -> bool:
    """Say whether x has values to look at; a compiled graph and the meta device have none."""
    return not (x.is_meta or torch.compiler.is_compiling())


def check_tensor(value: object, what: str) -> None:
    """Raise `InvalidValueError` unless value is a tensor."""
    if not isinstance(value, Tensor):
        raise InvalidValueError(
            f"{what[:1].upper()}{what[1:]}: {type(value).__name__} given, and a torch.Tensor "
            "needed; torch.tensor makes one from lists of equal length."
        )


def check_tokens(tokens: Tensor, vocabulary: int, what: str = "tokens") -> None:
    """Raise `InvalidValueError` unless tokens are ids below `vocabulary`, (batch, length)."""
    check_tensor(tokens, what)
    if tokens.dim() != 2 or tokens.numel() == 0:
        raise InvalidValueError(
            f"The {what} have shape {tuple(tokens.shape)}; they must be (batch, length), with at "
            "least one row and one column. Leave an empty batch out."
        )
    if tokens.dtype not in (torch.int64, torch.int32):
        raise InvalidValueError(f"The {what} are {tokens.dtype}; token ids must be torch.int64.")
    if values_readable(tokens):
        first, last = (int(edge) for edge in tokens.aminmax())
        if first < 0 or last >= vocabulary:
            raise InvalidValueError(
                f"The {what} hold the id {first if first < 0 else last}; the vocabulary has "
                f"{vocabulary} tokens, ids 0 to {vocabulary - 1}. Use the tokenizer the model was "
                "made for, or build the model with a larger vocabulary."
            )


def check_mask(mask: Tensor, tokens: Tensor, what: str = "mask") -> None:
    """Raise `InvalidValueError` unless mask is boolean and of the tokens' shape."""
    check_tensor(tokens, "tokens")
    check_tensor(mask, what)
    if mask.dtype != torch.bool or mask.shape != tokens.shape:
        raise InvalidValueError(
            f"The {what} is {mask.dtype} of shape {tuple(mask.shape)}; it must be torch.bool of "
            f"the tokens' shape {tuple(tokens.shape)}."
        )


def check_segments(segments: Tensor, tokens: Tensor) -> None:
    """Raise `InvalidValueError` unless segments are whole numbers of the tokens' shape."""
    check_tensor(segments, "segments")
    fit = not segments.is_floating_point() and segments.dtype != torch.bool
    fit = fit and segments.shape == tokens.shape
    if not fit or (values_readable(segments) and bool((segments < 0).any())):
        raise InvalidValueError(
            f"The segments are {segments.dtype} of shape {tuple(segments.shape)}; they must be "
            f"whole numbers of the tokens' shape {tuple(tokens.shape)}: 0 for padding, "
            "1, 2, ... for the documents of a row."
        )


def asked(labels: Tensor, given: Tensor, dimensions: int, classes: int) -> tuple[Tensor, Tensor]:
    """Return where labels ask for something, boolean of their shape, and what, (number asked,).

    Raises `InvalidValueError` unless they have the shape of the first `dimensions` of what is
    `given`, ask for something and are below `classes` or `IGNORE`.
    """
    check_tensor(given, "tokens")
    check_tensor(labels, "labels")
    shape = given.shape[:dimensions]
    if labels.shape != shape or labels.dtype != torch.int64:
        raise InvalidValueError(
            f"The labels are {labels.dtype} of shape {tuple(labels.shape)}; they must be "
            f"torch.int64 of shape {tuple(shape)}."
        )
    chosen = labels != IGNORE
    wanted = labels[chosen]
    if values_readable(labels):
        if wanted.numel() == 0:
            raise InvalidValueError(
                f"No label to learn from: all of them are {IGNORE}, which means 'ignore'. "
                "Leave such a batch out."
            )
        first, last = (int(edge) for edge in wanted.aminmax())
        if first < 0 or last >= classes:
            raise InvalidValueError(
                f"The labels hold {first if first < 0 else last}; valid are 0 to {classes - 1}, "
                f"and {IGNORE} for 'ignore'."
            )
    return chosen, wanted
