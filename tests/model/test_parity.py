"""With the same weights, our one core gives the logits of the models that others wrote."""

from __future__ import annotations

import pytest
import torch
import transformers as hf
from torch import Tensor, nn
from transformers.models.t5.modeling_t5 import T5Stack

from positions.model import (
    Classifier,
    LanguageModel,
    ModelConfig,
    Translator,
    TranslatorConfig,
    iwslt_translator,
    lengen_decoder,
)

VOCABULARY, WIDTH, HEADS, LAYERS, HIDDEN, LENGTH = 50, 48, 4, 2, 96, 24
SIZES = {
    "vocabulary": VOCABULARY,
    "width": WIDTH,
    "heads": HEADS,
    "layers": LAYERS,
    "hidden": HIDDEN,
    "max_length": LENGTH,
}
THEIR_SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "num_attention_heads": HEADS,
    "num_hidden_layers": LAYERS,
    "intermediate_size": HIDDEN,
    "max_position_embeddings": LENGTH,
}
Weights = dict[str, Tensor]


def randomised(model: nn.Module) -> nn.Module:
    """Give every weight a value of its own, gains and biases too, so that none may be left out."""
    torch.manual_seed(0)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.normal_(std=0.15)
            if "norm" in name.lower() or ".ln" in name or "ln_" in name:
                weight.add_(1.0)
    return model.eval()


def load(model: nn.Module, weights: Weights) -> nn.Module:
    model.load_state_dict(weights)  # strict: a weight missing or left over fails
    return model.eval()


def batch(mask: bool = False) -> tuple[Tensor, Tensor]:
    """Token ids of two rows; the second is padded on the right."""
    torch.manual_seed(1)
    tokens = torch.randint(0, VOCABULARY, (2, 19))
    real = torch.ones(2, 19, dtype=torch.bool)
    if mask:
        real[1, 13:] = False
    return tokens, real


def per_head_to_blocks(weight: Tensor) -> Tensor:
    """(heads, 3, head width, ...) as BLOOM and GPT-NeoX keep it -> (3, heads, head width, ...)."""
    split = weight.unflatten(0, (HEADS, 3, -1))
    return split.transpose(0, 1).flatten(0, 2)


def linear(weights: Weights, name: str, theirs: str, source: Weights, change=lambda x: x) -> None:
    for kind in ("weight", "bias"):
        if f"{theirs}.{kind}" in source:
            weights[f"{name}.{kind}"] = change(source[f"{theirs}.{kind}"])


def stacked(names: list[str], source: Weights, kind: str) -> Tensor:
    return torch.cat([source[f"{name}.{kind}"] for name in names])


@torch.no_grad()
@pytest.mark.parametrize("padded", [False, True])
def test_gpt2_with_learned_positions(padded: bool):
    config = hf.GPT2Config(**THEIR_SIZES, n_inner=HIDDEN)
    theirs = randomised(hf.GPT2LMHeadModel(config))
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["transformer.wte.weight"]
    weights["transformer.placement.encodings.0.table"] = source["transformer.wpe.weight"]
    linear(weights, "transformer.final_norm", "transformer.ln_f", source)
    for n in range(LAYERS):
        ours, other = f"transformer.layers.{n}", f"transformer.h.{n}"
        linear(weights, f"{ours}.attention_norm", f"{other}.ln_1", source)
        linear(weights, f"{ours}.feedforward_norm", f"{other}.ln_2", source)
        for mine, yours in {
            "attention.qkv": "attn.c_attn",
            "attention.out": "attn.c_proj",
            "feedforward.into": "mlp.c_fc",
            "feedforward.out": "mlp.c_proj",
        }.items():  # Conv1D keeps (in, out)
            linear(weights, f"{ours}.{mine}", f"{other}.{yours}", source, lambda x: x.t())
    mine = load(LanguageModel(ModelConfig(**SIZES, activation="gelu_tanh"), "learned"), weights)
    tokens, mask = batch(padded)
    expected = theirs(tokens, attention_mask=mask.long()).logits
    torch.testing.assert_close(mine(tokens, mask)[mask], expected[mask], atol=1e-5, rtol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize("heads", [4, 6])
def test_bloom_with_alibi(heads: int):
    """Six heads: the slopes of a number that is no power of two."""
    config = hf.BloomConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, n_layer=LAYERS, n_head=heads)
    theirs = randomised(hf.BloomForCausalLM(config))
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["transformer.word_embeddings.weight"]
    linear(weights, "transformer.embedding_norm", "transformer.word_embeddings_layernorm", source)
    linear(weights, "transformer.final_norm", "transformer.ln_f", source)
    for n in range(LAYERS):
        ours, other = f"transformer.layers.{n}", f"transformer.h.{n}"
        linear(weights, f"{ours}.attention_norm", f"{other}.input_layernorm", source)
        linear(weights, f"{ours}.feedforward_norm", f"{other}.post_attention_layernorm", source)
        linear(
            weights,
            f"{ours}.attention.qkv",
            f"{other}.self_attention.query_key_value",
            source,
            lambda x: x.unflatten(0, (heads, 3, -1)).transpose(0, 1).flatten(0, 2),
        )
        linear(weights, f"{ours}.attention.out", f"{other}.self_attention.dense", source)
        linear(weights, f"{ours}.feedforward.into", f"{other}.mlp.dense_h_to_4h", source)
        linear(weights, f"{ours}.feedforward.out", f"{other}.mlp.dense_4h_to_h", source)
    sizes = SIZES | {"heads": heads, "hidden": 4 * WIDTH}
    mine = ModelConfig(**sizes, activation="gelu_tanh", embedding_norm=True)
    mine = load(LanguageModel(mine, "alibi"), weights)
    tokens, mask = batch(True)
    # On the left as well: BLOOM counts keys over the mask, as ours does.
    for rows, real in ((tokens, mask), (tokens.flip(1), mask.flip(1))):
        expected = theirs(rows, attention_mask=real.long()).logits
        torch.testing.assert_close(mine(rows, real)[real], expected[real], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_gpt_neox_with_partial_half_split_rotary():
    config = hf.GPTNeoXConfig(
        **THEIR_SIZES,
        rotary_pct=0.5,
        use_parallel_residual=False,
        tie_word_embeddings=False,
    )
    theirs = randomised(hf.GPTNeoXForCausalLM(config))
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["gpt_neox.embed_in.weight"]
    weights["output.matrix"] = source[
        "lm_head.weight" if "lm_head.weight" in source else "embed_out.weight"
    ]
    linear(weights, "transformer.final_norm", "gpt_neox.final_layer_norm", source)
    for n in range(LAYERS):
        ours, other = f"transformer.layers.{n}", f"gpt_neox.layers.{n}"
        linear(weights, f"{ours}.attention_norm", f"{other}.input_layernorm", source)
        linear(weights, f"{ours}.feedforward_norm", f"{other}.post_attention_layernorm", source)
        linear(
            weights,
            f"{ours}.attention.qkv",
            f"{other}.attention.query_key_value",
            source,
            per_head_to_blocks,
        )
        linear(weights, f"{ours}.attention.out", f"{other}.attention.dense", source)
        linear(weights, f"{ours}.feedforward.into", f"{other}.mlp.dense_h_to_4h", source)
        linear(weights, f"{ours}.feedforward.out", f"{other}.mlp.dense_4h_to_h", source)
    settings = ModelConfig(**SIZES, activation="gelu", tied=False)
    tokens, _ = batch()
    expected = theirs(tokens).logits
    half = LanguageModel(settings, ("rotary", {"fraction": 0.5, "layout": "half"}))
    torch.testing.assert_close(load(half, weights)(tokens), expected, atol=1e-5, rtol=1e-5)
    # The other layout is another model: fed interleaved, the weights give other logits.
    wrong = LanguageModel(settings, ("rotary", {"fraction": 0.5, "layout": "interleaved"}))
    assert (load(wrong, weights)(tokens) - expected).abs().max() > 0.1


@torch.no_grad()
def test_llama_with_rotary():
    config = hf.LlamaConfig(**THEIR_SIZES, rms_norm_eps=1e-6, tie_word_embeddings=False)
    theirs = randomised(hf.LlamaForCausalLM(config))
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["model.embed_tokens.weight"]
    weights["transformer.final_norm.weight"] = source["model.norm.weight"]
    weights["output.matrix"] = source["lm_head.weight"]
    for n in range(LAYERS):
        ours, other = f"transformer.layers.{n}", f"model.layers.{n}"
        linear(weights, f"{ours}.attention_norm", f"{other}.input_layernorm", source)
        linear(weights, f"{ours}.feedforward_norm", f"{other}.post_attention_layernorm", source)
        projections = [f"{other}.self_attn.{x}_proj" for x in "qkv"]
        weights[f"{ours}.attention.qkv.weight"] = stacked(projections, source, "weight")
        linear(weights, f"{ours}.attention.out", f"{other}.self_attn.o_proj", source)
        gates = [f"{other}.mlp.gate_proj", f"{other}.mlp.up_proj"]
        weights[f"{ours}.feedforward.into.weight"] = stacked(gates, source, "weight")
        linear(weights, f"{ours}.feedforward.out", f"{other}.mlp.down_proj", source)
    settings = ModelConfig(
        **SIZES,
        norm="rms",
        norm_epsilon=1e-6,
        activation="swiglu",
        attention_bias=False,
        feedforward_bias=False,
        tied=False,
    )
    mine = load(LanguageModel(settings, ("rotary", {"layout": "half"})), weights)
    tokens, mask = batch(True)
    expected = theirs(tokens, attention_mask=mask.long()).logits
    torch.testing.assert_close(mine(tokens, mask)[mask], expected[mask], atol=1e-5, rtol=1e-5)


def t5_layer(weights: Weights, ours: str, other: str, source: Weights, decoder: bool) -> None:
    """Map one block of T5; a decoder's has attention to the encoder between."""
    q, k, v = (source[f"{other}.0.SelfAttention.{x}.weight"] for x in "qkv")
    weights[f"{ours}.attention.qkv.weight"] = torch.cat([q, k, v])
    linear(weights, f"{ours}.attention.out", f"{other}.0.SelfAttention.o", source)
    linear(weights, f"{ours}.attention_norm", f"{other}.0.layer_norm", source)
    if decoder:
        linear(weights, f"{ours}.cross.q", f"{other}.1.EncDecAttention.q", source)
        pair = [f"{other}.1.EncDecAttention.{x}" for x in "kv"]
        weights[f"{ours}.cross.kv.weight"] = stacked(pair, source, "weight")
        linear(weights, f"{ours}.cross.out", f"{other}.1.EncDecAttention.o", source)
        linear(weights, f"{ours}.cross_norm", f"{other}.1.layer_norm", source)
    last = 2 if decoder else 1
    linear(weights, f"{ours}.feedforward_norm", f"{other}.{last}.layer_norm", source)
    linear(weights, f"{ours}.feedforward.into", f"{other}.{last}.DenseReluDense.wi", source)
    linear(weights, f"{ours}.feedforward.out", f"{other}.{last}.DenseReluDense.wo", source)


def t5_stack(weights: Weights, ours: str, other: str, source: Weights, decoder: bool) -> None:
    for n in range(LAYERS):
        t5_layer(weights, f"{ours}.layers.{n}", f"{other}block.{n}.layer", source, decoder)
    linear(weights, f"{ours}.final_norm", f"{other}final_layer_norm", source)
    name = f"{other}block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    weights[f"{ours}.placement.encodings.0.bias_table"] = source[name]


T5 = {
    "vocab_size": VOCABULARY,
    "d_model": WIDTH,
    "d_kv": 10,
    "d_ff": HIDDEN,
    "num_layers": LAYERS,
    "num_heads": HEADS,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 12,
}
OPTIONS = {"buckets": 8, "max_distance": 12}


@torch.no_grad()
def test_lengen_decoder_is_t5s_decoder_alone():
    """Relative bias, logits without 1/√d, RMS norm, ReLU; 19 tokens reach past the last bucket."""
    config = hf.T5Config(**T5, is_decoder=True, use_cache=False)
    theirs = randomised(T5Stack(config))
    theirs.set_input_embeddings(randomised(nn.Embedding(VOCABULARY, WIDTH)))
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["embed_tokens.weight"]
    t5_stack(weights, "transformer", "", source, decoder=True)
    weights = {name: value for name, value in weights.items() if "cross" not in name}
    settings = lengen_decoder("small", **SIZES, head_width=10, dropout=0.0)
    mine = load(LanguageModel(settings, ("t5", OPTIONS)), weights)
    tokens, mask = batch(True)
    hidden = theirs(tokens, attention_mask=mask.long()).last_hidden_state
    expected = hidden * WIDTH**-0.5 @ source["embed_tokens.weight"].t()
    torch.testing.assert_close(mine(tokens, mask)[mask], expected[mask], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_t5_translator_whose_cross_attention_has_no_relative_bias():
    config = hf.T5Config(**T5)
    theirs = randomised(hf.T5ForConditionalGeneration(config))
    source, weights = theirs.state_dict(), {}
    for side in ("encoder", "decoder"):
        weights[f"{side}.embedding.weight"] = source["shared.weight"]
        t5_stack(weights, side, f"{side}.", source, decoder=side == "decoder")
    decoder = lengen_decoder("small", **SIZES, head_width=10, dropout=0.0)
    both = TranslatorConfig(encoder=decoder.changed(causal=False), decoder=decoder)
    mine = load(Translator(both, ("t5", OPTIONS), ("t5", OPTIONS)), weights)
    tokens, mask = batch(True)
    target = tokens.flip(0)[:, :11]
    expected = theirs(tokens, attention_mask=mask.long(), decoder_input_ids=target).logits
    torch.testing.assert_close(mine(tokens, target, mask), expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize("padded", [False, True])
def test_bert_masked_language_model(padded: bool):
    config = hf.BertConfig(**THEIR_SIZES)
    theirs = randomised(hf.BertForMaskedLM(config))
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["bert.embeddings.word_embeddings.weight"]
    # All tokens are of segment 0: its row joins every row of the position table.
    weights["transformer.placement.encodings.0.table"] = (
        source["bert.embeddings.position_embeddings.weight"]
        + source["bert.embeddings.token_type_embeddings.weight"][0]
    )
    linear(weights, "transformer.embedding_norm", "bert.embeddings.LayerNorm", source)
    linear(weights, "output.transform", "cls.predictions.transform.dense", source)
    linear(weights, "output.transform_norm", "cls.predictions.transform.LayerNorm", source)
    weights["output.bias"] = source["cls.predictions.bias"]
    for n in range(LAYERS):
        ours, other = f"transformer.layers.{n}", f"bert.encoder.layer.{n}"
        names = [f"{other}.attention.self.{x}" for x in ("query", "key", "value")]
        for kind in ("weight", "bias"):
            weights[f"{ours}.attention.qkv.{kind}"] = stacked(names, source, kind)
        linear(weights, f"{ours}.attention.out", f"{other}.attention.output.dense", source)
        linear(weights, f"{ours}.attention_norm", f"{other}.attention.output.LayerNorm", source)
        linear(weights, f"{ours}.feedforward.into", f"{other}.intermediate.dense", source)
        linear(weights, f"{ours}.feedforward.out", f"{other}.output.dense", source)
        linear(weights, f"{ours}.feedforward_norm", f"{other}.output.LayerNorm", source)
    settings = ModelConfig(
        **SIZES,
        causal=False,
        norm_place="post",
        norm_epsilon=1e-12,
        final_norm=False,
        embedding_norm=True,
        activation="gelu",
        output_bias=True,
        output_transform=True,
    )
    mine = load(LanguageModel(settings, "learned"), weights)
    tokens, mask = batch(padded)
    expected = theirs(tokens, attention_mask=mask.long()).logits
    torch.testing.assert_close(mine(tokens, mask)[mask], expected[mask], atol=1e-5, rtol=1e-5)


def torch_layer(weights: Weights, ours: str, other: str, source: Weights, decoder: bool) -> None:
    """Map one layer of torch's own encoder or decoder."""
    for kind in ("weight", "bias"):
        weights[f"{ours}.attention.qkv.{kind}"] = source[f"{other}.self_attn.in_proj_{kind}"]
        if decoder:
            q, k, v = source[f"{other}.multihead_attn.in_proj_{kind}"].chunk(3)
            weights[f"{ours}.cross.q.{kind}"] = q
            weights[f"{ours}.cross.kv.{kind}"] = torch.cat([k, v])
    linear(weights, f"{ours}.attention.out", f"{other}.self_attn.out_proj", source)
    linear(weights, f"{ours}.attention_norm", f"{other}.norm1", source)
    if decoder:
        linear(weights, f"{ours}.cross.out", f"{other}.multihead_attn.out_proj", source)
        linear(weights, f"{ours}.cross_norm", f"{other}.norm2", source)
    last = "norm3" if decoder else "norm2"
    linear(weights, f"{ours}.feedforward_norm", f"{other}.{last}", source)
    linear(weights, f"{ours}.feedforward.into", f"{other}.linear1", source)
    linear(weights, f"{ours}.feedforward.out", f"{other}.linear2", source)


@torch.no_grad()
@pytest.mark.parametrize("place", ["pre", "post"])
def test_torch_encoder_read_at_the_last_padded_position(place: str):
    """The study's classifier: torch's encoder, read where a padded batch ends."""
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(
            WIDTH, HEADS, HIDDEN, batch_first=True, norm_first=place == "pre"
        ),
        LAYERS,
        norm=nn.LayerNorm(WIDTH),
        enable_nested_tensor=False,
    )
    theirs = randomised(
        nn.ModuleDict(
            {
                "words": nn.Embedding(VOCABULARY, WIDTH),
                "places": nn.Embedding(LENGTH, WIDTH),
                "encoder": encoder,
                "out": nn.Linear(WIDTH, 3),
            }
        )
    )
    source, weights = theirs.state_dict(), {}
    weights["transformer.embedding.weight"] = source["words.weight"]
    weights["transformer.placement.encodings.0.table"] = source["places.weight"]
    for n in range(LAYERS):
        name = f"transformer.layers.{n}"
        torch_layer(weights, name, f"encoder.layers.{n}", source, decoder=False)
    linear(weights, "transformer.final_norm", "encoder.norm", source)
    linear(weights, "out", "out", source)
    settings = ModelConfig(**SIZES, causal=False, norm_place=place)
    mine = load(Classifier(settings, "learned", classes=3, readout="last_padded"), weights)
    tokens, mask = batch(True)
    x = theirs["words"](tokens) + theirs["places"](torch.arange(tokens.shape[1]))
    theirs.train()  # torch's fast path in evaluation would return zeros at the padding
    for module in theirs.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        if isinstance(module, nn.MultiheadAttention):
            module.dropout = 0.0
    expected = theirs["out"](encoder(x, src_key_padding_mask=~mask)[:, -1])
    torch.testing.assert_close(mine(tokens, mask), expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_torch_encoder_and_decoder():
    """The translator of section 5.3 with torch's layers and tied, scaled embeddings."""
    theirs = randomised(
        nn.Transformer(WIDTH, HEADS, LAYERS, LAYERS, HIDDEN, dropout=0.0, batch_first=True)
    )
    torch.manual_seed(2)
    words = {side: torch.randn(VOCABULARY, WIDTH) * 0.3 for side in ("encoder", "decoder")}
    source, weights = theirs.state_dict(), {}
    for side in ("encoder", "decoder"):
        weights[f"{side}.embedding.weight"] = words[side]
        linear(weights, f"{side}.final_norm", f"{side}.norm", source)
        for n in range(LAYERS):
            name = f"{side}.layers.{n}"
            torch_layer(weights, name, name, source, decoder=side == "decoder")
    sizes = {name: SIZES[name] for name in SIZES if name != "vocabulary"}
    settings = iwslt_translator(VOCABULARY, VOCABULARY, **sizes, final_norm=True, dropout=0.0)
    mine = load(Translator(settings, "nope", "nope"), weights)
    tokens, mask = batch(True)
    target = tokens.flip(0)[:, :11]
    theirs.train()
    expected = theirs(
        words["encoder"][tokens] * WIDTH**0.5,
        words["decoder"][target] * WIDTH**0.5,
        tgt_mask=torch.ones(11, 11, dtype=torch.bool).triu(1),
        src_key_padding_mask=~mask,
        memory_key_padding_mask=~mask,
    )
    expected = expected @ words["decoder"].t()
    torch.testing.assert_close(mine(tokens, target, mask), expected, atol=1e-5, rtol=1e-5)
