"""The book's own decoder with random weights, and coordinates that a construction has to itself.

The proofs of Kazemnejad et al. (2023), appendix C, leave nearly all weights free. Here the free
ones are random, so that what is measured does not hang on zeros in convenient places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

import torch
from torch import Tensor

from positions.checks import check_choice, check_whole
from positions.errors import InvalidValueError
from positions.model import EncodingSpec, LanguageModel, lengen_decoder
from positions.model.layers import Layer

ONE, FIRST, POSITION = 0, 1, 2
"""The paper's coordinates 1, 2 and 3: 1 in every token, 1 in `<bos>` alone, and the position."""
EXTRA = 3
"""From here on, other functions of the position may be kept."""
BOS = 0
"""The token that marks the start."""
VOCABULARY = 32
SPARE = 16
"""Hidden units with random weights beside those of a construction."""

Norm = Literal["none", "rms", "layer"]
Precision = Literal["float64", "float32", "bfloat16"]
DTYPES: dict[str, torch.dtype] = {
    "float64": torch.float64,
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
}


def decoder(
    longest: int,
    *,
    coordinates: int = 16,
    heads: int = 4,
    head_width: int = 8,
    layers: int = 3,
    norm: Norm = "none",
    encoding: EncodingSpec = "nope",
    seed: int = 0,
) -> LanguageModel:
    """Make a decoder in float64 with random weights and room for positions 1 to `longest`.

    It is that of Kazemnejad et al. (2023), `lengen_decoder`, small, with `longest` + 1 hidden units
    and some to spare. Norms come before each part and not at the end. Under `norm="layer"` every
    coordinate has a mirror image, its negative, so that the mean is 0, and the width is twice
    `coordinates`. Raises `InvalidValueError`, `UnknownNameError` for sizes and norms that don't
    exist.
    """
    check_whole("longest", longest, minimum=1)
    check_whole("coordinates", coordinates, minimum=EXTRA + 2)
    kind = check_choice("norm", norm, ("none", "rms", "layer"))
    config = lengen_decoder(
        "small",
        vocabulary=VOCABULARY,
        width=2 * coordinates if kind == "layer" else coordinates,
        heads=heads,
        head_width=head_width,
        layers=layers,
        hidden=longest + 1 + SPARE,
        max_length=longest,
        norm=kind,
        final_norm=False,
        dropout=0.0,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return LanguageModel(config, encoding).double().eval()


def half(model: LanguageModel) -> int:
    """Return how many coordinates a token has, mirror images not counted."""
    mirrored = model.config.norm == "layer"
    return model.config.width // 2 if mirrored else model.config.width


@torch.no_grad()
def reserve(model: LanguageModel, extra: int = 0, large: float = 1e4) -> None:
    """Keep the first three coordinates, and `extra` more, for a construction alone.

    Embeddings get 1, the mark of `<bos>` and zeros there; no part of any layer writes to them any
    more. Where the model has norms, the last coordinate holds the constant `large` in all tokens
    and the gains take it back out, so that a norm changes little else. Nothing reads that
    coordinate. Raises `InvalidValueError` where no coordinate would be left for content.
    """
    kept, count = EXTRA + extra, half(model)
    normed = model.config.norm != "none"
    if kept + normed >= count:
        raise InvalidValueError(
            f"{kept + normed} coordinates are to be reserved and a token has {count}; "
            f"build the decoder with coordinates={kept + normed + 1} or more."
        )
    table = model.transformer.embedding.weight
    table[:, :kept] = 0
    table[:, ONE] = 1
    table[BOS, FIRST] = 1
    if normed:
        table[:, count - 1] = large
    for writer in _writers(model):
        writer[:kept] = 0
        if normed:
            writer[count - 1] = 0
    if normed:
        for reader in _readers(model):
            reader[:, count - 1 :: count] = 0
        for gain in _gains(model):
            gain.fill_(large / count**0.5)
    mirror(model)


@torch.no_grad()
def mirror(model: LanguageModel) -> None:
    """Where the norm subtracts the mean, make the second half of every state minus the first."""
    if model.config.norm != "layer":
        return
    count = half(model)
    table = model.transformer.embedding.weight
    table[:, count:] = -table[:, :count]
    for writer in _writers(model):
        writer[count:] = -writer[:count]


def projections(model: LanguageModel, layer: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the weights of queries, keys and values, each (heads, head_width, width), as views."""
    config = model.config
    weight = layers(model)[layer].attention.qkv.weight
    size = (3, config.heads, config.per_head, config.width)
    q, k, v = weight.view(size).unbind(0)
    return q, k, v


def layers(model: LanguageModel) -> list[Layer]:
    """Return the layers, first to last."""
    return cast(list[Layer], list(model.transformer.layers))


def texts(
    length: int, count: int = 2, seed: int = 0, first: Literal["bos", "any"] = "bos"
) -> Tensor:
    """Draw texts (count, length) of random words behind `<bos>`, or with any word first.

    In the latter no token is marked, and the second word is another than the first.
    """
    check_whole("length", length, minimum=1)
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randint(BOS + 1, VOCABULARY, (count, length), generator=generator)
    if check_choice("first", first, ("bos", "any")) == "bos":
        drawn[:, 0] = BOS
    elif length > 1:
        same = drawn[:, 0] == drawn[:, 1]
        drawn[same, 1] = drawn[same, 0] % (VOCABULARY - 1) + 1
    return drawn


def to_precision(model: LanguageModel, precision: Precision) -> LanguageModel:
    """Round all weights of a model to a number format; raises `UnknownNameError`."""
    return model.to(DTYPES[check_choice("precision", precision, DTYPES)])


def _writers(model: LanguageModel) -> Iterator[Tensor]:
    """Yield the matrices that write to the residual stream, (width, ...)."""
    for layer in layers(model):
        yield layer.attention.out.weight
        yield layer.feedforward.out.weight


def _readers(model: LanguageModel) -> Iterator[Tensor]:
    """Yield the matrices that read from it, (..., width)."""
    for layer in layers(model):
        yield layer.attention.qkv.weight
        yield layer.feedforward.into.weight


def _gains(model: LanguageModel) -> Iterator[Tensor]:
    for layer in layers(model):
        yield cast(Tensor, layer.attention_norm.weight)
        yield cast(Tensor, layer.feedforward_norm.weight)
