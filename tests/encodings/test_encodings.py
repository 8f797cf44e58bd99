"""What every encoding must keep, whatever it computes: the ids decide, and nothing else."""

import copy

import pytest
import torch

from positions import encodings
from positions.encodings.properties import attend, plain

WIDTH, HEADS, LENGTH = 16, 2, 7
CASES = {
    "nope": ("nope", {}),
    "sinusoidal": ("sinusoidal", {}),
    "learned": ("learned", {"std": 1.0}),
    "t5": ("t5", {"std": 1.0}),
    "t5 both ways": ("t5", {"std": 1.0, "bidirectional": True}),
    "alibi": ("alibi", {}),
    "alibi both ways": ("alibi", {"bidirectional": True}),
    "rotary": ("rotary", {}),
    "rotary quarter": ("rotary", {"fraction": 0.25}),
    "rotary half-split": ("rotary", {"layout": "half"}),
}
ABSOLUTE = ("sinusoidal", "learned")
MOVING = [case for case in CASES if case not in ABSOLUTE]


@pytest.fixture(params=CASES)
def encoding(request):
    return make(request.param)


def make(case, max_length=64):
    name, options = CASES[case]
    torch.manual_seed(0)
    return encodings.build(name, width=WIDTH, heads=HEADS, max_length=max_length, **options)


def tokens(batch=3, length=LENGTH):
    torch.manual_seed(1)
    return torch.randn(batch, length, WIDTH)


@pytest.mark.parametrize("case", CASES)
def test_every_property_is_kept(case):
    name, options = CASES[case]
    found = encodings.check(name, **options)
    assert [each for each in found if each.required and not each.holds] == []


def test_ids_alone_decide_the_bias(encoding):
    one = torch.arange(LENGTH)[None]
    bias = encoding.bias(None, None, one, one)
    assert bias is None or bias.shape == (1, HEADS, LENGTH, LENGTH)


@pytest.mark.parametrize("case", CASES)
def test_only_absolute_encodings_notice_a_shift(case):
    encoding, x = make(case), tokens()
    visible = torch.ones(1, LENGTH, LENGTH, dtype=torch.bool)
    ids = torch.arange(LENGTH)[None]
    moved = (attend(encoding, x, ids + 31, visible) - attend(encoding, x, ids, visible)).abs().max()
    assert moved > 0.01 if case in ABSOLUTE else moved < 1e-5


@pytest.mark.parametrize("case", [case for case in CASES if case != "nope"])
def test_order_matters(case):
    x = tokens()
    swapped = x[:, [1, 0, *range(2, LENGTH)]]
    encoding = make(case)
    change = (plain(encoding, x) - plain(encoding, swapped))[:, -1].abs().max()
    nope = (plain(make("nope"), x) - plain(make("nope"), swapped))[:, -1].abs().max()
    assert nope < 1e-6 < 1e-4 < change


def test_state_goes_round(encoding):
    other = type(encoding)(WIDTH, HEADS, 64, **options_of(encoding))
    other.load_state_dict(encoding.state_dict())
    assert torch.equal(plain(other, tokens()), plain(encoding, tokens()))


def test_built_without_memory_and_then_filled(encoding):
    with torch.device("meta"):
        empty = type(encoding)(WIDTH, HEADS, 64, **options_of(encoding))
    empty.load_state_dict(encoding.state_dict(), assign=True)
    assert torch.equal(plain(empty, tokens()), plain(encoding, tokens()))


def options_of(encoding):
    return {
        option: getattr(encoding, option)
        for option in encodings.options(encoding.name)
        if option not in ("table", "frozen", "std")
    }


@pytest.mark.parametrize("how", ["module cast to bfloat16", "autocast"])
@pytest.mark.parametrize("start", [1857, 32000])
@pytest.mark.parametrize("case", [case for case in CASES if case != "learned"])
def test_half_precision_does_not_spoil_far_positions(case, start, how):
    encoding, x = make(case), tokens()
    ids = torch.arange(start, start + LENGTH)[None]
    heads = x.unflatten(-1, (HEADS, -1)).transpose(1, 2)
    bias = encoding.bias(None, None, ids, ids)
    embedded, turned = encoding.embed(x, ids), encoding.rotate(heads, heads, ids, ids)[0]

    half = copy.deepcopy(encoding).to(torch.bfloat16) if "cast" in how else encoding
    with torch.autocast("cpu", torch.bfloat16, enabled=how == "autocast"):
        half_bias = half.bias(None, None, ids, ids)
        half_embedded = half.embed(x.bfloat16(), ids)
        half_turned = half.rotate(heads.bfloat16(), heads.bfloat16(), ids, ids)[0]
    assert half_embedded.dtype == half_turned.dtype == torch.bfloat16
    torch.testing.assert_close(half_embedded.float(), embedded, atol=0.04, rtol=0.01)
    torch.testing.assert_close(half_turned.float(), turned, atol=0.04, rtol=0.01)
    if bias is not None:
        assert half_bias.dtype == torch.float32
        torch.testing.assert_close(half_bias, bias, atol=0.0, rtol=0.01)


@pytest.mark.parametrize("case", CASES)
def test_compiles_as_one_graph_for_any_length(case):
    encoding = make(case)
    torch._dynamo.reset()
    compiled = torch.compile(plain, backend="eager", fullgraph=True, dynamic=True)
    for length in (5, 9):
        x = tokens(length=length)
        torch.testing.assert_close(compiled(encoding, x), plain(encoding, x))


@pytest.mark.parametrize("case", ["sinusoidal", "learned"])
def test_embeddings_of_another_width_are_refused(case):
    with pytest.raises(ValueError, match=r"shape \(2, 3, 5\).*\(batch, length, 16\)"):
        make(case).embed(torch.zeros(2, 3, 5), torch.arange(3)[None])


@pytest.mark.parametrize("case", ["learned", "t5"])
def test_looking_up_needs_whole_ids(case):
    ids = torch.arange(3.0)[None]
    encoding = make(case)
    with pytest.raises(ValueError, match=r"ids are torch.float32.*whole numbers"):
        encoding.embed(torch.zeros(1, 3, WIDTH), ids)
        encoding.bias(None, None, ids, ids)
