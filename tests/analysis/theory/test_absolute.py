"""Theorem 1 in the book's decoder, against the closed form and against what the proof says."""

import numpy as np
import pytest
import torch

from positions.analysis.theory.absolute import QUERIES, errors, read, write_positions
from positions.analysis.theory.decoder import (
    BOS,
    POSITION,
    VOCABULARY,
    decoder,
    layers,
    texts,
    to_precision,
)
from positions.errors import InvalidValueError, UnknownNameError
from positions.model import LanguageModel, Trace, lengen_decoder


def made(longest, norm="none", seed=0, size=None, **options):
    model = decoder(size or longest, norm=norm, seed=seed)
    write_positions(model, longest, **options)
    return model


@pytest.mark.parametrize("facing", ["rising", "falling"])
@pytest.mark.parametrize("longest", [1, 2, 3, 16, 64, 512])
def test_every_position_is_read_to_a_billionth(longest, facing):
    for seed in (0, 1):
        model = made(longest, facing=facing, seed=seed)
        tokens = texts(longest, 3, seed)
        assert errors(model, tokens).max() < 1e-9
        share = read(model, tokens).share
        np.testing.assert_allclose(
            share, np.broadcast_to(1 / np.arange(1, longest + 1), share.shape)
        )


def test_the_decoder_computes_the_closed_form():
    """N relu(1) - relu(u) - N (N - 1) relu(u - 1/N) + sum of 2k relu(u - 1/k), worked out alone."""
    longest = 40
    u = 1 / np.arange(1, 2 * longest + 1)
    part = longest - u - longest * (longest - 1) * np.maximum(u - 1 / longest, 0)
    for k in range(2, longest):
        part += 2 * k * np.maximum(u - 1 / k, 0)
    found = read(made(longest), texts(2 * longest, 1)).position[0]
    np.testing.assert_allclose(found, u + part, atol=1e-10)


def test_weights_that_are_free_stay_random():
    """The proof must not hang on zeros: content differs from token to token and layer to layer."""
    model, trace = made(32), Trace()
    with torch.no_grad():
        model.transformer(texts(32), trace=trace)
    for before, after in zip(trace.states, trace.states[1:], strict=False):
        assert (after - before)[..., POSITION + 1 :].std() > 0.1
    # and the position is still there after the last layer
    assert (trace.states[-1][0, :, POSITION] - torch.arange(1, 33)).abs().max() < 1e-11


def test_other_heads_of_the_first_layer_prefer_some_tokens():
    trace = Trace()
    with torch.no_grad():
        made(16).transformer(texts(16, 1), trace=trace)
    last = trace.attention[0][0, :, -1]
    assert last[0].std() < 1e-15
    assert (last[1:].std(dim=1) > 1e-3).all()


def test_nothing_but_a_constant_first_word_is_needed():
    """Any token may do what `<bos>` does, if it is marked: its number means nothing."""
    model = made(20)
    table = model.transformer.embedding.weight.data
    table[[BOS, 7]] = table[[7, BOS]]
    tokens = texts(20)
    assert (
        errors(
            model, torch.where(tokens == 7, BOS, tokens).index_fill_(1, torch.tensor([0]), 7)
        ).max()
        < 1e-9
    )


def test_without_the_mark_every_position_is_the_last():
    found = read(made(30), texts(30, first="any")).position
    np.testing.assert_allclose(found, 30)


def test_a_mark_that_comes_again_halves_the_count():
    tokens = texts(30, 1)
    tokens[0, 9] = BOS
    found = read(made(30), tokens).position[0]
    np.testing.assert_allclose(found[:9], np.arange(1, 10))
    np.testing.assert_allclose(found[9::2], np.arange(10, 31)[::2] / 2)


def test_beyond_the_last_position_nothing_is_counted():
    found = read(made(16), texts(48, 1)).position[0]
    np.testing.assert_allclose(found[16:], 16)


def test_float32_is_worse_by_the_square_of_the_length_and_less_so_with_falling_hinges():
    worst = {}
    for facing in ("rising", "falling"):
        for longest in (32, 512):
            model = to_precision(made(longest, facing=facing), "float32")
            worst[facing, longest] = errors(model, texts(longest, 1)).max()
    assert 30 < worst["rising", 512] / worst["rising", 32] < 3000
    assert worst["falling", 512] < worst["rising", 512]
    assert 1e-4 < worst["rising", 512] < 0.1


@pytest.mark.parametrize("norm", ["rms", "layer"])
def test_under_a_norm_the_error_falls_with_the_square_of_the_constant(norm):
    worst = {
        large: errors(made(64, norm, large=large), texts(64)).max() for large in (1e2, 1e3, 1e4)
    }
    assert worst[1e4] < 1e-4
    assert worst[1e2] / worst[1e3] == pytest.approx(100, rel=0.1)
    assert worst[1e3] / worst[1e4] == pytest.approx(100, rel=0.1)


@pytest.mark.parametrize("norm", ["rms", "layer"])
def test_queries_that_read_the_constant_of_a_norm_spoil_it(norm):
    worst = {kind: errors(made(64, norm, queries=kind), texts(64)).max() for kind in QUERIES}
    assert worst["content"] < 1e-4
    assert worst["zero"] < 1e-4
    assert worst["all"] > 100 * worst["content"]


def test_without_a_norm_it_does_not_matter_what_queries_read():
    found = [read(made(64, queries=kind), texts(64)).share for kind in QUERIES]
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-12)


def test_a_mirrored_state_has_mean_zero():
    model, trace = made(16, "layer"), Trace()
    with torch.no_grad():
        model.transformer(texts(16), trace=trace)
    for x in trace.states:
        assert x.mean(-1).abs().max() < 1e-11


def test_further_functions_of_the_position_are_written_beside_it():
    longest = 25
    t = np.arange(1, longest + 1)
    extra = np.vstack([np.cos(t), t**2])
    model, trace = made(longest, extra=extra), Trace()
    with torch.no_grad():
        model.transformer(texts(longest), trace=trace)
    for x in trace.states[1:]:
        np.testing.assert_allclose(x[1, :, POSITION + 1 : POSITION + 3].T, extra, atol=1e-9)


@pytest.mark.parametrize("longest", [0, -3, 2.0, "8", True])
def test_a_length_below_one_or_no_length_is_refused(longest):
    with pytest.raises(InvalidValueError, match=r"longest is .* whole number of at least 1"):
        decoder(longest)
    with pytest.raises(InvalidValueError, match=r"longest is .* whole number of at least 1"):
        write_positions(decoder(4), longest)


def test_more_positions_than_hidden_units_are_refused_with_what_fits():
    model = decoder(8)
    width = layers(model)[0].feedforward.into.weight.shape[0]
    with pytest.raises(InvalidValueError, match=rf"up to {width - 1}.*with 101 hidden units"):
        write_positions(model, 100)
    write_positions(model, width - 1)
    assert errors(model, texts(width - 1)).max() < 1e-9


def test_too_few_coordinates_are_refused_with_what_it_takes():
    with pytest.raises(InvalidValueError, match="coordinates=24 or more"):
        write_positions(decoder(8), 8, extra=np.zeros((20, 8)))


def test_unknown_choices_list_the_known():
    with pytest.raises(UnknownNameError, match="Valid: bfloat16, float32, float64"):
        to_precision(decoder(4), "float8")
    with pytest.raises(UnknownNameError, match="Valid: layer, none, rms"):
        decoder(4, norm="batch")
    with pytest.raises(UnknownNameError, match="Valid: all, content, zero"):
        write_positions(decoder(4), 4, queries="none")


def test_extra_functions_of_another_length_are_refused():
    with pytest.raises(InvalidValueError, match=r"must be \(functions, 8\)"):
        write_positions(decoder(8), 8, extra=np.zeros((2, 7)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"causal": False}, "causal decoder with ReLU"),
        ({"activation": "gelu"}, "causal decoder with ReLU"),
        ({"norm_place": "post"}, "causal decoder with ReLU"),
        ({"feedforward_bias": True}, "without biases"),
    ],
)
def test_a_decoder_of_another_kind_is_refused(changes, said):
    model = LanguageModel(lengen_decoder("small", **changes), "nope")
    with pytest.raises(InvalidValueError, match=said):
        write_positions(model, 8)


def test_texts_start_with_the_mark_and_hold_it_once():
    tokens = texts(200, 3, seed=5)
    assert (tokens[:, 0] == BOS).all()
    assert (tokens[:, 1:] != BOS).all()
    assert tokens.max() < VOCABULARY
    unmarked = texts(3, 500, seed=5, first="any")
    assert ((unmarked > BOS) & (unmarked < VOCABULARY)).all()
    assert (unmarked[:, 0] != unmarked[:, 1]).all()
    assert torch.equal(texts(200, 3, seed=5), tokens)
