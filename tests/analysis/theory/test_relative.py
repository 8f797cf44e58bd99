"""Theorem 2 in the book's decoder, against NumPy and against the library's own ALiBi."""

import numpy as np
import pytest
import torch

from positions.analysis.theory.decoder import POSITION, decoder, layers, texts, to_precision
from positions.analysis.theory.distances import line, waves
from positions.analysis.theory.relative import (
    alibi,
    as_alibi,
    distance_error,
    gaps,
    write_distances,
)
from positions.encodings import build
from positions.errors import InvalidValueError
from positions.model import Trace


@pytest.mark.parametrize("longest", [1, 2, 40, 256])
def test_later_layers_are_alibi_to_a_billionth(longest):
    model, twin = as_alibi(longest)
    tokens = texts(longest, 3)
    for layer in (1, 2):
        assert distance_error(model, alibi(longest, 4), layer, tokens) < 1e-9
    found = gaps(model, twin, tokens)
    assert found.attention < 1e-9
    assert found.states < 1e-9


@pytest.mark.parametrize("heads", [1, 4, 6])
def test_logits_differ_from_those_of_the_content_by_the_library_s_bias(heads):
    longest = 30
    model, twin = as_alibi(longest, heads=heads)
    ids = torch.arange(longest)[None]
    bias = build("alibi", width=16, heads=heads, max_length=longest).bias(None, None, ids, ids)
    one, other = Trace(), Trace()
    with torch.no_grad():
        model.transformer(texts(longest), trace=one)
        twin.transformer(texts(longest), trace=other)
    # by hand from the constructed model's weights
    weight = layers(model)[1].attention.qkv.weight.detach().numpy().reshape(3, heads, 8, 16)
    x = one.states[1].numpy()
    q, k = (np.einsum("hew,btw->bhte", weight[part], x) for part in (0, 1))
    content = np.einsum("bhte,bhie->bhti", q[..., 2:], k[..., 2:])
    seen = np.tril(np.ones((longest, longest), dtype=bool))
    difference = np.einsum("bhte,bhie->bhti", q, k) - content
    wanted = np.broadcast_to(bias.numpy(), difference.shape)
    np.testing.assert_allclose(difference[..., seen], wanted[..., seen], atol=1e-11)
    # and by the softmax of the two models
    for a, b in zip(one.attention[1:], other.attention[1:], strict=True):
        torch.testing.assert_close(a, b, atol=1e-11, rtol=0)


def test_content_still_counts_and_does_not_know_the_position():
    model, twin = as_alibi(30)
    trace = Trace()
    with torch.no_grad():
        twin.transformer(texts(30, 1), trace=trace)
    plain = torch.softmax(torch.tensor(-0.25 * np.arange(30.0)[::-1].copy()), 0)
    assert (trace.attention[1][0, 0, -1] - plain).abs().max() > 1e-3
    x = trace.states[1].clone()
    attention = layers(model)[1].attention
    x[..., : POSITION + 1] += 100
    with torch.no_grad():
        before, after = attention.qkv(trace.states[1]), attention.qkv(x)
    rows = [8 * head + entry for head in range(4) for entry in range(2, 8)]
    for part in (0, 32):  # queries, keys
        assert (before - after)[..., [part + row for row in rows]].abs().max() < 1e-12


def test_sums_of_waves_take_two_entries_each():
    longest, count = 60, 3
    rng = np.random.default_rng(0)
    w, a, b = rng.uniform(0, np.pi, count), *rng.standard_normal((2, count))
    function = waves(longest, w, a, b)
    assert function.terms == 2 * count
    model = decoder(longest, head_width=2 * count + 2, layers=2, coordinates=2 * count + 12)
    write_distances(model, [function.times(scale) for scale in (1, 2, 3, 4)])
    functions = [function.times(scale) for scale in (1, 2, 3, 4)]
    assert distance_error(model, functions, 1, texts(longest)) < 1e-9


def test_an_error_is_seen():
    model, twin = as_alibi(20)
    wrong = [each.times(1.5) for each in alibi(20, 4)]
    # the steepest head, at the greatest distance
    assert distance_error(model, wrong, 1, texts(20)) == pytest.approx(0.5 * 0.25 * 19, rel=1e-9)
    other, _ = as_alibi(20, seed=1)
    assert gaps(model, other, texts(20)).states > 1e-2
    assert gaps(to_precision(model, "float32"), twin, texts(20)).states > 1e-9


def test_functions_that_do_not_fit_the_heads_are_refused():
    with pytest.raises(InvalidValueError, match="1 functions are given for 4 heads"):
        write_distances(decoder(8), [line(8)])
    with pytest.raises(InvalidValueError, match="keep different things"):
        write_distances(decoder(8), [line(8)] * 3 + [waves(8, [1], [1], [0])])
    with pytest.raises(InvalidValueError, match="head_width=10 or more"):
        write_distances(decoder(8), [waves(8, np.ones(5), np.ones(5), np.ones(5))] * 4)
