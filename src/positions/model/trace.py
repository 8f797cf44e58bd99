"""What a forward pass leaves behind for analysis."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor


@dataclass
class Trace:
    """Hidden states and attention probabilities, layer by layer, of one forward pass.

    Give a new one to a model's `forward`. `states` then holds layers + 1 tensors
    (batch, length, width): the embedded tokens, and the residual stream after each layer.
    `attention` holds one tensor (batch, heads, queries, keys) a layer, rows summing to 1;
    `cross_attention` the same for a decoder that reads an encoder.
    """

    states: list[Tensor] = field(default_factory=list)
    attention: list[Tensor] = field(default_factory=list)
    cross_attention: list[Tensor] = field(default_factory=list)
