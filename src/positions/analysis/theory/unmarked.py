"""Positions without a mark: two layers, and the first word need not be known.

Not in the paper. The first token sees only itself, so that the mean of all words so far is its own.
A word whose own is not that mean is not the first. One layer can find this out and set the mark
that theorem 1 reads, in the next. A text that starts with a run of m equal words has m firsts, and
about t/m is read: what is the same everywhere can't be counted.
"""

from __future__ import annotations

import torch

from positions.analysis.theory.absolute import (
    attend_evenly,
    check_fits,
    positions_and,
    write_count,
)
from positions.analysis.theory.decoder import (
    EXTRA,
    FIRST,
    ONE,
    VOCABULARY,
    decoder,
    layers,
    mirror,
    projections,
    reserve,
)
from positions.analysis.theory.hinges import Facing
from positions.model import LanguageModel


@torch.no_grad()
def unmarked(longest: int, *, facing: Facing = "rising", seed: int = 0) -> LanguageModel:
    """Make a decoder whose second layer writes the position, whatever word a text starts with.

    For texts of up to `longest` words, the first two of which differ.
    """
    model = decoder(
        longest + VOCABULARY,
        coordinates=EXTRA + 2 * VOCABULARY + 8,
        head_width=VOCABULARY,
        layers=2,
        seed=seed,
    )
    check_fits(model, longest)
    reserve(model, extra=2 * VOCABULARY)
    own = EXTRA + torch.arange(VOCABULARY)
    mean = own + VOCABULARY
    table = model.transformer.embedding.weight
    table[:, FIRST] = 0
    table[:, own] = torch.eye(VOCABULARY, dtype=table.dtype)
    _find_first(model, own, mean, longest)
    write_count(model, 1, positions_and(None, longest), facing)
    mirror(model)
    return model


def _find_first(model: LanguageModel, own: torch.Tensor, mean: torch.Tensor, longest: int) -> None:
    """Let the first layer write 1 to `FIRST` where all words so far are the token's own.

    For each word relu(N · mean + own - N): own and mean are 1 where only this word has come, and of
    any other mixture of t words the mean is at most 1 - 1/t.
    """
    attend_evenly(model, 0)
    unit = torch.arange(VOCABULARY)
    _, _, v = projections(model, 0)
    v[0] = 0
    v[0, unit, own] = 1
    layer = layers(model)[0]
    layer.attention.out.weight[mean, unit] = 1
    into, out = layer.feedforward.into.weight, layer.feedforward.out.weight
    into[:VOCABULARY] = 0
    into[unit, mean] = longest
    into[unit, own] = 1
    into[unit, ONE] = -longest
    out[FIRST, unit] = 1
