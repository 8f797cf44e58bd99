"""Our decoders, in the shape of the peer that has the same encoding."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch import Tensor

from benchmarks.contender import Contender, Entry
from benchmarks.sizes import Size
from positions.model import (
    DropoutRates,
    LanguageModel,
    ModelConfig,
    generate,
    gpt2_like,
    lengen_decoder,
)

NAME = "positions"
ENCODINGS = ("learned", "rotary", "alibi", "t5")


class Ours(Contender):
    """A `LanguageModel`, by its public functions."""

    model: LanguageModel

    def loss(self, tokens: Tensor, targets: Tensor) -> Tensor:
        """Return the model's own loss."""
        return self.model.loss(tokens, targets)

    def writers(self) -> dict[str, Callable[[Tensor, int], Tensor]]:
        """Return `positions.model.generate`."""
        return {"generate": self.generate}

    def generate(self, prompts: Tensor, new: int) -> Tensor:
        """Continue prompts by `generate`."""
        return generate(self.model, prompts, end=None, max_new=new).tokens


def config(encoding: str, size: Size, dropout: float) -> ModelConfig:
    """Return the shape of T5's decoder for t5, of BLOOM for alibi, of GPT-2 for the others."""
    sizes = {
        "vocabulary": size.vocabulary,
        "width": size.width,
        "heads": size.heads,
        "layers": size.layers,
        "hidden": 4 * size.width,
        "max_length": size.length,
    }
    if encoding == "t5":
        return lengen_decoder("small", **sizes, dropout=dropout)
    rates = DropoutRates(embedding=dropout, attention=dropout, residual=dropout)
    return gpt2_like(
        "small", **sizes, dropout=rates, activation="gelu", embedding_norm=encoding == "alibi"
    )


def build(encoding: str, size: Size, dropout: float, attention: str = "chosen") -> Ours:
    """Return our model; the library chooses by itself how attention is computed."""
    return Ours(LanguageModel(config(encoding, size, dropout), encoding))


ENTRIES = tuple(
    Entry(NAME, encoding, ("chosen",), partial(build, encoding)) for encoding in ENCODINGS
)
