"""Decoders of the library `transformers`: GPT-2, GPT-NeoX, BLOOM, and T5's decoder by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from torch.nn import functional
from transformers.models.t5.modeling_t5 import T5Stack

from benchmarks.contender import Contender, Entry
from benchmarks.sizes import Size

BOTH = ("eager", "sdpa")


class HuggingFace(Contender):
    """A causal language model of `transformers`."""

    def logits(self, tokens: Tensor) -> Tensor:
        """Return logits (batch, length, vocabulary)."""
        out: Tensor = self.model(input_ids=tokens, use_cache=False).logits
        return out

    def step(self, tokens: Tensor, cache: Any) -> tuple[Tensor, Any]:
        """Return the logits (batch, vocabulary) that follow, and the cache."""
        out = self.model(input_ids=tokens, cache=cache, use_cache=True, logits_to_keep=1)
        return out.logits[:, -1], out.cache

    def writers(self) -> dict[str, Callable[[Tensor, int], Tensor]]:
        """Return the library's own `generate`, and a loop that does no more than it must."""
        return {"generate": self.generate, "bare loop": self.loop}

    def generate(self, prompts: Tensor, new: int) -> Tensor:
        """Continue prompts by `generate`."""
        out: Tensor = self.model.generate(  # type: ignore[operator]
            input_ids=prompts,
            attention_mask=torch.ones_like(prompts),
            max_new_tokens=new,
            do_sample=False,
            eos_token_id=None,
            pad_token_id=0,
        )
        return out[:, prompts.shape[1] :]

    @torch.inference_mode()
    def loop(self, prompts: Tensor, new: int) -> Tensor:
        """Continue prompts by hand."""
        tokens, cache, written = prompts, None, []
        for _ in range(new):
            logits, cache = self.step(tokens, cache)
            tokens = logits.argmax(-1, keepdim=True)
            written.append(tokens)
        return torch.cat(written, 1)


class T5Decoder(HuggingFace):
    """T5's decoder without its encoder, its output tied to the embeddings."""

    def _output(self, hidden: Tensor) -> Tensor:
        matrix = self.model.embed_tokens.weight  # type: ignore[union-attr]
        return functional.linear(hidden * hidden.shape[-1] ** -0.5, matrix)  # type: ignore[arg-type]

    def logits(self, tokens: Tensor) -> Tensor:
        """Return logits (batch, length, vocabulary)."""
        return self._output(self.model(input_ids=tokens, use_cache=False).last_hidden_state)

    def step(self, tokens: Tensor, cache: Any) -> tuple[Tensor, Any]:
        """Return the logits (batch, vocabulary) that follow, and the cache."""
        out = self.model(input_ids=tokens, cache=cache, use_cache=True)
        return self._output(out.last_hidden_state[:, -1]), out.cache

    def writers(self) -> dict[str, Callable[[Tensor, int], Tensor]]:
        """Return the loop alone: the decoder by itself has no `generate`."""
        return {"bare loop": self.loop}


def _gpt2(size: Size, dropout: float, attention: str) -> Contender:
    config = transformers.GPT2Config(
        vocab_size=size.vocabulary,
        n_positions=size.length,
        n_embd=size.width,
        n_layer=size.layers,
        n_head=size.heads,
        embd_pdrop=dropout,
        attn_pdrop=dropout,
        resid_pdrop=dropout,
        activation_function="gelu",  # the exact one, as in the others, is also the faster one
        **_common(attention),
    )
    return HuggingFace(_with(transformers.GPT2LMHeadModel, config))


def _neox(size: Size, dropout: float, attention: str) -> Contender:
    config = transformers.GPTNeoXConfig(
        vocab_size=size.vocabulary,
        max_position_embeddings=size.length,
        hidden_size=size.width,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=4 * size.width,
        rotary_pct=1.0,
        attention_dropout=dropout,
        hidden_dropout=dropout,
        tie_word_embeddings=True,
        **_common(attention),
    )
    return HuggingFace(_with(transformers.GPTNeoXForCausalLM, config))


def _bloom(size: Size, dropout: float, attention: str) -> Contender:
    config = transformers.BloomConfig(
        vocab_size=size.vocabulary,
        hidden_size=size.width,
        n_layer=size.layers,
        n_head=size.heads,
        hidden_dropout=dropout,
        attention_dropout=dropout,
        **_common(attention),
    )
    return HuggingFace(_with(transformers.BloomForCausalLM, config))


def _t5(size: Size, dropout: float, attention: str) -> Contender:
    config = transformers.T5Config(
        vocab_size=size.vocabulary,
        d_model=size.width,
        d_kv=size.width // size.heads,
        d_ff=4 * size.width,
        num_layers=size.layers,
        num_heads=size.heads,
        dropout_rate=dropout,
        is_decoder=True,
        is_encoder_decoder=False,
        use_cache=True,
        **_common(attention),
    )
    return T5Decoder(_with(T5Stack, config))


def _common(attention: str) -> dict[str, Any]:
    ends = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
    return {"attn_implementation": attention, **ends}


def _with(kind: Callable[[Any], nn.Module], config: Any) -> nn.Module:
    transformers.logging.set_verbosity_error()
    return kind(config)


ENTRIES = (
    Entry("transformers GPT-2", "learned", BOTH, _gpt2),
    Entry("transformers GPT-NeoX", "rotary", BOTH, _neox),
    Entry("transformers BLOOM", "alibi", ("eager",), _bloom),
    Entry("transformers T5 decoder", "t5", BOTH, _t5),
)
