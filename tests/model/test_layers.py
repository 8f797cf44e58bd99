"""A stack without norms, against a naive form in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from positions.model import LanguageModel, Trace, lengen_decoder

SIZES = {"vocabulary": 12, "width": 10, "heads": 3, "head_width": 4, "layers": 2, "hidden": 7}
PLAIN = lengen_decoder("small", **SIZES, norm="none", final_norm=False, dropout=0.0)


def naive(model: LanguageModel, tokens: torch.Tensor) -> np.ndarray:
    """Add to each token's embedding what attention mixes, then what the ReLUs make of the sum."""
    x = model.transformer.embedding.weight.detach().numpy()[tokens[0].numpy()]
    for layer in model.transformer.layers:
        weight = layer.attention.qkv.weight.detach().numpy().reshape(3, 3, 4, 10)
        out = layer.attention.out.weight.detach().numpy()
        mixed = np.zeros_like(x)
        for head in range(3):
            q, k, v = (x @ weight[part, head].T for part in range(3))
            for t in range(len(x)):
                share = np.exp(k[: t + 1] @ q[t])
                mixed[t] += out[:, 4 * head : 4 * head + 4] @ (share @ v[: t + 1] / share.sum())
        x = x + mixed
        into, back = (
            part.weight.detach().numpy()
            for part in layer.feedforward.children()
            if isinstance(part, torch.nn.Linear)
        )
        x = x + np.maximum(x @ into.T, 0) @ back.T
    return x


@torch.no_grad()
def test_without_norms_a_layer_only_adds():
    torch.manual_seed(0)
    model = LanguageModel(PLAIN, "nope").double().eval()
    tokens = torch.randint(12, (1, 9))
    np.testing.assert_allclose(model.transformer(tokens)[0], naive(model, tokens), rtol=1e-12)


@pytest.mark.parametrize("place", ["pre", "post"])
def test_no_norm_has_no_weights(place: str):
    model = LanguageModel(PLAIN.changed(norm_place=place, embedding_norm=True), "nope")
    assert not [name for name, _ in model.named_parameters() if "norm" in name]


@pytest.mark.parametrize("encoding", ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"])
@torch.no_grad()
def test_a_model_in_float64_stays_in_it(encoding: str):
    torch.manual_seed(0)
    model = LanguageModel(PLAIN.changed(width=12, head_width=None), encoding).double().eval()
    trace = Trace()
    tokens = torch.randint(12, (2, 5))
    assert model(tokens, trace=trace).dtype == torch.float64
    assert {x.dtype for x in [*trace.states, *trace.attention]} == {torch.float64}
