"""Decoders of the library `x-transformers`, one for each encoding that we compare."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor, nn
from x_transformers import AutoregressiveWrapper, Decoder, TransformerWrapper

from benchmarks.contender import Contender, Entry
from benchmarks.sizes import Size

BOTH = ("written", "flash")
_OPTIONS: dict[str, dict[str, Any]] = {
    "learned": {},
    "rotary": {"rotary_pos_emb": True},
    "alibi": {"alibi_pos_bias": True},
    "t5": {"rel_pos_bias": True},
}


class XTransformers(Contender):
    """A decoder of `x-transformers`, with its own wrapper for generation."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        self.wrapper = AutoregressiveWrapper(model)

    def writers(self) -> dict[str, Callable[[Tensor, int], Tensor]]:
        """Return the wrapper's `generate`."""
        return {"generate": self.generate}

    def generate(self, prompts: Tensor, new: int) -> Tensor:
        """Continue prompts by `generate`."""
        out: Tensor = self.wrapper.generate(prompts, new, temperature=0.0, cache_kv=True)
        return out


def _build(encoding: str, size: Size, dropout: float, attention: str) -> Contender:
    """Make the model: pre-norm, output tied to the embeddings, heads that share the width out."""
    per_head = size.width // size.heads
    own: dict[str, Any] = {"rotary_emb_dim": per_head} if encoding == "rotary" else {}
    if encoding == "t5":  # as T5 has it
        own = {"ff_custom_activation": nn.ReLU(), "ff_no_bias": True, "ff_dropout": dropout}
    layers = Decoder(
        dim=size.width,
        depth=size.layers,
        heads=size.heads,
        attn_dim_head=per_head,
        attn_flash=attention == "flash",
        attn_dropout=dropout,
        attn_sublayer_dropout=dropout,
        ff_sublayer_dropout=dropout,
        verbose=False,
        **_OPTIONS[encoding],
        **own,
    )
    model = TransformerWrapper(
        num_tokens=size.vocabulary,
        max_seq_len=size.length,
        attn_layers=layers,
        emb_dropout=dropout,
        tie_embedding=True,
        use_abs_pos_emb=encoding == "learned",
    )
    return XTransformers(model)


ENTRIES = tuple(
    Entry(
        f"x-transformers {encoding}",
        encoding,
        ("written",) if encoding == "t5" else BOTH,  # its fused attention refuses T5's bias
        partial(_build, encoding),
    )
    for encoding in _OPTIONS
)
