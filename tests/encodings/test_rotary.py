import math

import numpy as np
import pytest
import torch
from transformers import GPTNeoXConfig, LlamaConfig
from transformers.models.gpt_neox import modeling_gpt_neox as neox
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama

from positions.encodings import build
from positions.errors import InvalidValueError, UnknownNameError

BATCH, HEADS, LENGTH, HEAD = 2, 3, 50, 16
WIDTH = HEADS * HEAD


def rotary(**options):
    return build("rotary", width=WIDTH, heads=HEADS, max_length=LENGTH, **options)


@pytest.fixture
def q_and_k():
    torch.manual_seed(0)
    return torch.randn(2, BATCH, HEADS, LENGTH, HEAD).unbind(0)


@pytest.mark.parametrize("start", [0, 1857, 32000])
@pytest.mark.parametrize("rotated", [4, 16])
def test_neighbours_turn_as_in_gptj(q_and_k, rotated, start):
    q, k = q_and_k
    ids = torch.arange(start, start + LENGTH)[None]
    table = gptj.create_sinusoidal_positions(start + LENGTH, rotated)[start:][None]
    sines, cosines = table.chunk(2, dim=-1)

    def theirs(x):
        x = x.transpose(1, 2)
        turned = gptj.apply_rotary_pos_emb(x[..., :rotated], sines, cosines)
        return torch.cat([turned, x[..., rotated:]], dim=-1).transpose(1, 2)

    ours = rotary(fraction=rotated / HEAD).rotate(q, k, ids, ids)
    torch.testing.assert_close(ours, (theirs(q), theirs(k)), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("base", [100.0, 10000.0, 500000.0])
def test_halves_turn_as_in_llama(q_and_k, base):
    config = LlamaConfig(
        hidden_size=WIDTH,
        num_attention_heads=HEADS,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    ids = torch.arange(1000, 1000 + LENGTH)[None]
    cosines, sines = llama.LlamaRotaryEmbedding(config)(q_and_k[0], ids)
    theirs = llama.apply_rotary_pos_emb(*q_and_k, cosines, sines)
    ours = rotary(layout="half", base=base).rotate(*q_and_k, ids, ids)
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("fraction", [0.25, 0.5, 1.0])
def test_part_of_a_head_turns_as_in_neox(q_and_k, fraction):
    config = GPTNeoXConfig(
        hidden_size=WIDTH,
        num_attention_heads=HEADS,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": fraction,
        },
    )
    ids = torch.stack([torch.arange(LENGTH), torch.arange(7, 7 + LENGTH)])
    cosines, sines = neox.GPTNeoXRotaryEmbedding(config)(q_and_k[0], ids)
    theirs = neox.apply_rotary_pos_emb(*q_and_k, cosines, sines)
    ours = rotary(layout="half", fraction=fraction).rotate(*q_and_k, ids, ids)
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_lengths_are_kept_and_position_zero_stays(q_and_k, layout):
    ids = torch.arange(LENGTH)[None]
    q, k = rotary(layout=layout, fraction=0.5).rotate(*q_and_k, ids, ids)
    torch.testing.assert_close(q.norm(dim=-1), q_and_k[0].norm(dim=-1))
    torch.testing.assert_close(k.norm(dim=-1), q_and_k[1].norm(dim=-1))
    assert torch.equal(q[:, :, 0], q_and_k[0][:, :, 0])
    assert torch.equal(q[..., 8:], q_and_k[0][..., 8:])
    assert (q[:, :, 1:, :8] - q_and_k[0][:, :, 1:, :8]).abs().amax(-1).min() > 0.01


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_score_is_a_sum_of_cosines_of_the_distance(layout):
    """With q = k = 1 in every entry, q_i · k_j = 2 Σ cos((i - j) θ)."""
    ids = torch.arange(LENGTH)[None]
    ones = torch.ones(1, 1, LENGTH, HEAD, dtype=torch.float64)
    q, k = rotary(layout=layout).rotate(ones, ones, ids, ids)
    for distance in (0, 1, 13, 49):
        angles = [distance / 10000 ** (2 * pair / HEAD) for pair in range(HEAD // 2)]
        expected = 2 * sum(math.cos(angle) for angle in angles)
        along = (q @ k.mT)[0, 0].diagonal(-distance)
        np.testing.assert_allclose(along, expected, atol=1e-4)


def test_queries_and_keys_turn_by_their_own_ids(q_and_k):
    q, k = q_and_k
    encoding = rotary()
    ids = torch.arange(LENGTH)[None]
    whole_q, whole_k = encoding.rotate(q, k, ids, ids)
    last_q, last_k = encoding.rotate(q[:, :, -3:], k, ids[:, -3:], ids)
    torch.testing.assert_close(last_q, whole_q[:, :, -3:])
    torch.testing.assert_close(last_k, whole_k)


def test_any_memory_layout_turns_the_same():
    """Heads cut out of one projection are strided, and an odd head leaves odd strides."""
    torch.manual_seed(0)
    cut = torch.randn(BATCH, LENGTH, HEADS, 9).transpose(1, 2)
    ids = torch.arange(LENGTH)[None]
    encoding = build("rotary", width=27, heads=3, max_length=LENGTH, fraction=8 / 9)
    strided = encoding.rotate(cut, cut, ids, ids)[0]
    assert torch.equal(strided, encoding.rotate(cut.contiguous(), cut, ids, ids)[0])


def test_gradient_is_exact():
    torch.manual_seed(0)
    ids = torch.arange(4)[None]
    q = torch.randn(1, 1, 4, 6, dtype=torch.float64, requires_grad=True)
    for layout in ("interleaved", "half"):
        encoding = build("rotary", width=6, heads=1, max_length=4, fraction=2 / 3, layout=layout)
        assert torch.autograd.gradcheck(lambda x, e=encoding: e.rotate(x, x, ids, ids), q)


@pytest.mark.parametrize(
    ("width", "fraction", "message"),
    [
        (48, 0.3, r"fraction=0.3 of a head of width 16 is 4.8 entries.*0.125, 0.25"),
        (48, 1 / 16, "is 1 entries"),
        (48, 1.5, "even number up to 16"),
        (45, 1.0, r"width 15 is 15 entries"),
        (3, 1.0, r"Valid fractions: none, the head is too narrow"),
        (48, 0, "fraction is 0; it must be a number above 0"),
        (48, "all", "fraction is 'all'"),
    ],
)
def test_fraction_must_be_whole_pairs(width, fraction, message):
    with pytest.raises(InvalidValueError, match=message):
        build("rotary", width=width, heads=3, max_length=9, fraction=fraction)


def test_head_of_another_width_is_checked_when_met():
    ids = torch.arange(2)[None]
    q = torch.zeros(1, 1, 2, 5)
    with pytest.raises(InvalidValueError, match="head of width 5"):
        rotary().rotate(q, q, ids, ids)


def test_unknown_layout_lists_the_valid_ones():
    with pytest.raises(UnknownNameError, match=r"layout 'neox'.*Valid: half, interleaved"):
        rotary(layout="neox")
