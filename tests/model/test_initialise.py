"""The weights start as the papers' libraries start theirs."""

from __future__ import annotations

import pytest
import torch
import transformers as hf
from torch import Tensor, nn

from positions.model import (
    Classifier,
    LanguageModel,
    Translator,
    bert_like,
    gpt2_like,
    iwslt_translator,
    lengen_decoder,
    study_classifier,
)


def near(weight: Tensor, std: float) -> None:
    """Mean 0 and the standard deviation asked for, each within five standard errors."""
    n = weight.numel()
    assert abs(float(weight.std()) / std - 1) < 5 / (2 * n) ** 0.5 + 0.01
    assert abs(float(weight.mean())) < 5 * std / n**0.5


def parts(model: nn.Module) -> dict[str, Tensor]:
    return {name: weight.detach() for name, weight in model.named_parameters()}


def test_t5_starts_as_the_library_starts_it():
    torch.manual_seed(0)
    sizes = {"vocabulary": 500, "width": 64, "heads": 4, "hidden": 256}
    ours = parts(LanguageModel(lengen_decoder("small", **sizes, head_width=32), "t5"))
    config = hf.T5Config(vocab_size=500, d_model=64, d_kv=32, d_ff=256, num_heads=4, num_layers=2)
    theirs = parts(hf.T5ForConditionalGeneration(config))
    layer, block = "transformer.layers.0", "encoder.block.0.layer"
    q, k, v = ours[f"{layer}.attention.qkv.weight"].chunk(3)
    attention = f"{block}.0.SelfAttention"
    pairs = [
        (ours["transformer.embedding.weight"], theirs["shared.weight"], 1.0),
        (q, theirs[f"{attention}.q.weight"], (64 * 32) ** -0.5),
        (k, theirs[f"{attention}.k.weight"], 64**-0.5),
        (v, theirs[f"{attention}.v.weight"], 64**-0.5),
        (ours[f"{layer}.attention.out.weight"], theirs[f"{attention}.o.weight"], 128**-0.5),
    ]
    dense = f"{block}.1.DenseReluDense"
    pairs += [
        (ours[f"{layer}.feedforward.into.weight"], theirs[f"{dense}.wi.weight"], 64**-0.5),
        (ours[f"{layer}.feedforward.out.weight"], theirs[f"{dense}.wo.weight"], 256**-0.5),
    ]
    for mine, other, std in pairs:
        near(mine, std)
        near(other, std)


@pytest.mark.parametrize("config", [bert_like("small"), gpt2_like("small")], ids=["bert", "gpt2"])
def test_bert_and_gpt2_start_normal_with_biases_at_zero(config):
    torch.manual_seed(0)
    for name, weight in parts(LanguageModel(config, "nope")).items():
        if "norm" in name:
            assert (weight == float(name.endswith("weight"))).all(), name
        elif name.endswith("bias"):
            assert (weight == 0).all(), name
        else:
            near(weight, 0.02)


def test_the_classifier_starts_as_torchs_own_layers():
    torch.manual_seed(0)
    ours = parts(Classifier(study_classifier(1_000), "nope", classes=2))
    theirs = parts(nn.TransformerEncoderLayer(256, 8, 512))
    near(ours["transformer.embedding.weight"], 1.0)
    for mine, other in {
        "attention.qkv.weight": "self_attn.in_proj_weight",
        "attention.qkv.bias": "self_attn.in_proj_bias",
        "attention.out.weight": "self_attn.out_proj.weight",
        "attention.out.bias": "self_attn.out_proj.bias",
        "feedforward.into.weight": "linear1.weight",
        "feedforward.into.bias": "linear1.bias",
        "feedforward.out.weight": "linear2.weight",
        "feedforward.out.bias": "linear2.bias",
    }.items():
        a, b = ours[f"transformer.layers.0.{mine}"], theirs[other]
        assert a.shape == b.shape
        # both uniform, so the largest entry shows the bound
        torch.testing.assert_close(a.abs().max(), b.abs().max(), rtol=0.02, atol=1e-6)


def test_the_translator_starts_as_fairseqs():
    torch.manual_seed(0)
    ours = parts(Translator(iwslt_translator(500, 600), "nope", "nope"))
    near(ours["encoder.embedding.weight"], 512**-0.5)
    near(ours["decoder.embedding.weight"], 512**-0.5)
    bound = (6 / (512 + 512)) ** 0.5
    for name, share in (
        ("encoder.layers.0.attention.qkv.weight", 2**-0.5),
        ("decoder.layers.5.cross.kv.weight", 2**-0.5),
        ("decoder.layers.5.cross.q.weight", 2**-0.5),
        ("encoder.layers.3.attention.out.weight", 1.0),
    ):
        torch.testing.assert_close(float(ours[name].abs().max()), share * bound, rtol=1e-3, atol=0)
    into = ours["decoder.layers.0.feedforward.into.weight"]
    expected = (6 / (512 + 1_024)) ** 0.5
    torch.testing.assert_close(float(into.abs().max()), expected, rtol=1e-3, atol=0)
    assert (ours["encoder.layers.0.attention.out.bias"] == 0).all()
    assert (ours["encoder.layers.0.feedforward.into.bias"] == 0).all()
    assert (ours["encoder.layers.0.attention.qkv.bias"] != 0).any()


def test_the_seed_decides_the_weights():
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(parts(LanguageModel(lengen_decoder("small"), "t5")))
    assert all(torch.equal(drawn[0][name], drawn[1][name]) for name in drawn[0])
    assert not torch.equal(*(one["transformer.embedding.weight"] for one in drawn[1:]))
