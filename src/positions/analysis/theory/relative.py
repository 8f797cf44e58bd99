"""Theorem 2: later layers add a function of distance to their logits.

Kazemnejad et al. (2023), section 3 and appendix C.2. With the position t and the constant 1 in
every token, two entries of queries and keys give (1, -t) · (i, 1) = i - t, beside what the others
make of the content. Scaled by a slope this is ALiBi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from positions.analysis.theory.absolute import write_positions
from positions.analysis.theory.decoder import (
    EXTRA,
    ONE,
    POSITION,
    Norm,
    decoder,
    half,
    layers,
    projections,
)
from positions.analysis.theory.distances import Separable, line
from positions.analysis.theory.hinges import Facing
from positions.encodings.alibi import slopes
from positions.errors import InvalidValueError
from positions.model import EncodingSpec, LanguageModel, Trace


@dataclass(frozen=True)
class Gaps:
    """How far a decoder without encoding is from its twin with ALiBi in the later layers.

    The greatest difference in attention weights, and in hidden states divided by the greatest
    entry of the twin's.
    """

    attention: float
    states: float


@torch.no_grad()
def write_distances(
    model: LanguageModel,
    functions: Sequence[Separable],
    facing: Facing = "rising",
    large: float = 1e4,
) -> None:
    """Put weights into a decoder, so that its layers from the second on look at distance.

    `functions`: one for each head. Their terms take the first entries of the head; those left
    compare content and read no reserved coordinate, a condition that the paper doesn't print.
    `facing` and `large` as in `write_positions`. Raises `InvalidValueError` where there are not as
    many functions as heads, where they keep different things, or where a head is too narrow.
    """
    heads, width = model.config.heads, model.config.per_head
    if len(functions) != heads:
        raise InvalidValueError(
            f"{len(functions)} functions are given for {heads} heads; give one for each head."
        )
    first = functions[0]
    if any(not np.array_equal(each.extra, first.extra) for each in functions):
        raise InvalidValueError(
            "The functions of the heads keep different things beside the position; make them "
            "multiples of one, or sums of the same waves."
        )
    widest = max(each.terms for each in functions)
    if widest > width:
        raise InvalidValueError(
            f"A function of {widest} terms is given, and a head is {width} wide; build the decoder "
            f"with head_width={widest} or more."
        )
    write_positions(model, first.longest, facing=facing, extra=first.extra, large=large)
    kept = [ONE, POSITION, *range(EXTRA, EXTRA + len(first.extra))]
    blind = [side + c for side in (0, half(model)) for c in range(EXTRA + len(first.extra))]
    blind = [c for c in blind if c < model.config.width]
    for layer in range(1, model.config.layers):
        q, k, _ = projections(model, layer)
        q[:, :, blind] = k[:, :, blind] = 0
        for head, function in enumerate(functions):
            for matrix, weights in ((q, function.query), (k, function.key)):
                rows = matrix[head, : function.terms]
                rows[:] = 0
                rows[:, kept] = torch.as_tensor(weights / model.config.scale**0.5, dtype=q.dtype)


def as_alibi(
    longest: int,
    *,
    heads: int = 4,
    layers: int = 3,
    norm: Norm = "none",
    facing: Facing = "rising",
    large: float = 1e4,
    seed: int = 0,
) -> tuple[LanguageModel, LanguageModel]:
    """Make a decoder without encoding that is ALiBi from its second layer on, and its ALiBi twin.

    The twin has the library's own ALiBi encoding in those layers, and the same weights but for the
    entries of queries that read the position, which are 0. Arguments as in `decoder` and
    `write_positions`.
    """

    def random(encoding: EncodingSpec) -> LanguageModel:
        return decoder(longest, heads=heads, layers=layers, norm=norm, encoding=encoding, seed=seed)

    model, twin = random("nope"), random(["nope", *["alibi"] * (layers - 1)])
    write_distances(model, alibi(longest, heads), facing, large)
    twin.load_state_dict(model.state_dict())
    with torch.no_grad():
        for layer in range(1, layers):
            projections(twin, layer)[0][:, :2] = 0
    return model, twin


def alibi(longest: int, heads: int) -> list[Separable]:
    """Return what ALiBi adds to the logits of each head, as functions of distance."""
    return [line(longest).times(slope) for slope in slopes(heads)]


@torch.no_grad()
def distance_error(
    model: LanguageModel, functions: Sequence[Separable], layer: int, tokens: Tensor
) -> float:
    """Return the greatest |logit - content - f(t - i)| over the keys that queries see.

    Content is what the entries behind the function's terms make of queries and keys.
    """
    q, k = _queries_and_keys(model, layer, tokens)
    worst = 0.0
    for head, function in enumerate(functions):
        terms, length = function.terms, tokens.shape[1]
        whole = q[:, head] @ k[:, head].mT * model.config.scale
        content = q[:, head, :, terms:] @ k[:, head, :, terms:].mT * model.config.scale
        wanted = torch.from_numpy(function.matrix()[:length, :length])
        left_over = (whole - content - wanted).abs().tril()
        worst = max(worst, float(left_over.max()))
    return worst


@torch.no_grad()
def gaps(model: LanguageModel, twin: LanguageModel, tokens: Tensor) -> Gaps:
    """Compare two decoders on tokens (texts, length), from the second layer on."""
    one, other = Trace(), Trace()
    model.transformer(tokens, trace=one)
    twin.transformer(tokens, trace=other)
    attention = [
        _furthest(a, b) for a, b in zip(one.attention[1:], other.attention[1:], strict=True)
    ]
    states = [
        _furthest(a, b) / float(b.abs().max())
        for a, b in zip(one.states[2:], other.states[2:], strict=True)
    ]
    return Gaps(attention=max(attention), states=max(states))


def _queries_and_keys(model: LanguageModel, layer: int, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return q and k of a layer, (texts, heads, length, head_width)."""
    trace = Trace()
    model.transformer(tokens, trace=trace)
    x = layers(model)[layer].attention_norm(trace.states[layer]).double()
    q, k, _ = (weight.double() for weight in projections(model, layer))
    return torch.einsum("hew,btw->bhte", q, x), torch.einsum("hew,btw->bhte", k, x)


def _furthest(a: Tensor, b: Tensor) -> float:
    return float((a.double() - b.double()).abs().max())
