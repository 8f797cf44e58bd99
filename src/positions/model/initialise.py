"""How the weights start, host by host. Encodings start their own."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import init

from positions.model.attention import CrossAttention, SelfAttention
from positions.model.config import ModelConfig
from positions.model.layers import FeedForward
from positions.model.output import VocabularyOutput
from positions.model.transformer import Transformer


@torch.no_grad()
def initialise(model: nn.Module, config: ModelConfig) -> None:
    """Start every part of a model by the scheme that its config names; norms start at 1 and 0.

    "t5": Raffel et al. (2020) as in their code, and Kazemnejad et al. (2023).
    "normal": N(0, 0.02²), biases 0, as BERT and GPT-2 in the library of early 2020.
    "fairseq": Ott et al. (2019), the translation models. "default": as torch's own modules.
    """
    scheme = _SCHEMES[config.init]
    for part in model.modules():
        scheme(part, config)


def _t5(part: nn.Module, config: ModelConfig) -> None:
    """Small queries take the place of 1/√d in the logits."""
    width, inner = config.width, config.inner
    if isinstance(part, Transformer):
        part.embedding.weight.normal_()
    elif isinstance(part, SelfAttention | CrossAttention):
        q, k, v = _projections(part)
        q.normal_(std=(width * config.per_head) ** -0.5)
        k.normal_(std=width**-0.5)
        v.normal_(std=width**-0.5)
        part.out.weight.normal_(std=inner**-0.5)
        _zero_biases(part)
    elif isinstance(part, FeedForward):
        part.into.weight.normal_(std=width**-0.5)
        part.out.weight.normal_(std=config.hidden**-0.5)
        _zero_biases(part)
    elif isinstance(part, VocabularyOutput) and part.matrix is not None:
        part.matrix.normal_()


def _normal(part: nn.Module, config: ModelConfig) -> None:
    std = 0.02
    if isinstance(part, Transformer):
        part.embedding.weight.normal_(std=std)
    elif isinstance(part, SelfAttention | CrossAttention | FeedForward | VocabularyOutput):
        for child in part.children():
            if isinstance(child, nn.Linear):
                child.weight.normal_(std=std)
        _zero_biases(part)
        if isinstance(part, VocabularyOutput) and part.matrix is not None:
            part.matrix.normal_(std=std)


def _fairseq(part: nn.Module, config: ModelConfig) -> None:
    """Biases of queries, keys and values stay as torch's linear layers have them."""
    if isinstance(part, Transformer):
        part.embedding.weight.normal_(std=config.width**-0.5)
    elif isinstance(part, SelfAttention | CrossAttention):
        for projection in _projections(part):
            init.xavier_uniform_(projection, gain=2**-0.5)
        init.xavier_uniform_(part.out.weight)
        _zero(part.out.bias)
    elif isinstance(part, FeedForward):
        init.xavier_uniform_(part.into.weight)
        init.xavier_uniform_(part.out.weight)
        _zero_biases(part)
    elif isinstance(part, VocabularyOutput) and part.matrix is not None:
        part.matrix.normal_(std=config.width**-0.5)


def _default(part: nn.Module, config: ModelConfig) -> None:
    """Like nn.MultiheadAttention, which draws q, k and v as one (3 · width, width) matrix."""
    if isinstance(part, SelfAttention | CrossAttention):
        bound = (6 / (config.width + 3 * config.inner)) ** 0.5
        for projection in _projections(part):
            projection.uniform_(-bound, bound)
        _zero_biases(part)


_SCHEMES: dict[str, Callable[[nn.Module, ModelConfig], None]] = {
    "t5": _t5,
    "normal": _normal,
    "fairseq": _fairseq,
    "default": _default,
}


def _projections(part: SelfAttention | CrossAttention) -> tuple[Tensor, Tensor, Tensor]:
    """Return the weights of queries, keys and values, each (inner, width)."""
    if isinstance(part, SelfAttention):
        q, k, v = part.qkv.weight.chunk(3)
    else:
        q, (k, v) = part.q.weight, part.kv.weight.chunk(2)
    return q, k, v


def _zero_biases(part: nn.Module) -> None:
    for child in part.children():
        if isinstance(child, nn.Linear):
            _zero(child.bias)


def _zero(bias: Tensor | None) -> None:
    if bias is not None:
        bias.zero_()
