"""The one Transformer core: token embeddings, positions and a stack of layers."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from positions.errors import InvalidValueError
from positions.model.cache import Cache
from positions.model.checks import check_mask, check_segments, check_tokens
from positions.model.config import ModelConfig
from positions.model.dropout import Dropout
from positions.model.layers import Layer, make_norm
from positions.model.masks import token_ids, visible
from positions.model.pattern import Pattern, Sight
from positions.model.placement import EncodingSpec, Placement
from positions.model.trace import Trace


@dataclass(frozen=True)
class Memory:
    """An encoder's output: states (batch, source, width), mask (batch, source) or None."""

    states: Tensor
    mask: Tensor | None = None

    def repeated(self, times: int) -> Memory:
        """Return each row `times` times in a row, for the beams of a search."""
        mask = None if self.mask is None else self.mask.repeat_interleave(times, dim=0)
        return Memory(self.states.repeat_interleave(times, dim=0), mask)


class Transformer(nn.Module):
    """A stack of layers from token ids to hidden states: encoder, decoder, or decoder with memory.

    Position enters by the four hooks of the encodings alone (`positions.encodings`). They serve
    self-attention; attention to a memory has none.
    """

    def __init__(self, config: ModelConfig, encoding: EncodingSpec, cross: bool = False) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        self.embedding_scale = config.width**0.5 if config.embedding_scale != "none" else 1.0
        self.placement = Placement(encoding, config)
        self.embedding_norm = make_norm(config) if config.embedding_norm else None
        self.embedding_dropout = Dropout(config.dropout.embedding)
        self.layers = nn.ModuleList(Layer(config, cross) for _ in range(config.layers))
        self.final_norm = make_norm(config) if config.final_norm else None
        self.final_dropout = Dropout(config.dropout.final)

    def forward(
        self,
        tokens: Tensor,
        mask: Tensor | None = None,
        *,
        segments: Tensor | None = None,
        memory: Memory | None = None,
        cache: Cache | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return the hidden states (batch, length, width) of tokens (batch, length).

        `mask` (batch, length), boolean, is True for real tokens; padding may stand on any side and
        None says there is none. A causal stack needs none for padding on the right. `segments`
        (batch, length) takes its place where documents are packed into one row: 0 for padding,
        1, 2, ... for documents, none of which sees or counts another's tokens. With a `cache`, the
        tokens continue those that it holds. Raises `InvalidValueError` for input that does not
        fit, also where a learned table is too short.
        """
        check_tokens(tokens, self.config.vocabulary)
        if mask is not None:
            check_mask(mask, tokens)
        if segments is not None:
            check_segments(segments, tokens)
            if mask is not None or cache is not None:
                raise InvalidValueError(
                    "Packed rows (segments) take no mask, as segment 0 is padding, and no cache."
                )
        if cache is not None:
            if not isinstance(cache, Cache):
                raise InvalidValueError(f"cache is {cache!r}; it must be a Cache or None.")
            if not self.config.causal:
                raise InvalidValueError(
                    "A stack with causal=False takes no cache: its earlier tokens would have to "
                    "see the new ones. Give it the whole text at once."
                )
            cache.belong_to(self)
            mask = cache.extend_mask(mask, tokens)
        patterns = self._patterns(tokens, mask, segments, cache)
        seen = None if memory is None else (memory.states, _sight_of(memory, tokens))
        x = self._embed(tokens, patterns)
        if trace is not None:
            trace.states.append(x.detach())
        for number, layer in enumerate(self.layers):
            pattern = patterns[self.placement.of_layer[number]]
            if number:
                x = self.placement.embed(number, x, pattern.q_ids)
            x = layer(x, pattern, seen, None if cache is None else cache.layer(number), trace)
            if trace is not None:
                trace.states.append(x.detach())
        if self.final_norm is not None:
            x = self.final_norm(x)
        out: Tensor = self.final_dropout(x)
        return out

    def _embed(self, tokens: Tensor, patterns: list[Pattern]) -> Tensor:
        x = self.embedding(tokens)
        if self.embedding_scale != 1.0:
            x = x * self.embedding_scale
        x = self.placement.embed(0, x, patterns[0].q_ids)
        if self.embedding_norm is not None:
            x = self.embedding_norm(x)
        embedded: Tensor = self.embedding_dropout(x)
        return embedded

    def _patterns(
        self, tokens: Tensor, mask: Tensor | None, segments: Tensor | None, cache: Cache | None
    ) -> list[Pattern]:
        """Say for each encoding what its layers are told; once a forward pass."""
        queries = tokens.shape[1]
        keys = queries if cache is None else cache.length
        encodings = self.placement.distinct()
        allowed, causal = visible(queries, keys, self.config.causal, mask, segments, tokens.device)
        patterns = []
        for number, ids in enumerate(token_ids(encodings, tokens, mask, segments, keys)):
            q_ids = ids[:, keys - queries :]
            k_ids = q_ids if cache is None else cache.extend_ids(number, q_ids)
            encoding = encodings[number]
            patterns.append(Pattern(allowed, causal, encoding=encoding, q_ids=q_ids, k_ids=k_ids))
        return patterns


def _sight_of(memory: Memory, tokens: Tensor) -> Sight:
    """Let every token see all real tokens of the memory."""
    rows, source, _ = memory.states.shape
    if rows != len(tokens):
        raise InvalidValueError(
            f"The encoder read {rows} texts and the decoder is given {len(tokens)}; "
            "give both the same batch."
        )
    allowed, _ = visible(tokens.shape[1], source, False, memory.mask, None, tokens.device)
    return Sight(allowed)
