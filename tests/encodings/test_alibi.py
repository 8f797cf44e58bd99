import pytest
import torch
from transformers.models.bloom.modeling_bloom import build_alibi_tensor

from positions.encodings import build
from positions.encodings.alibi import slopes
from positions.errors import InvalidValueError


@pytest.mark.parametrize("heads", range(1, 65))
def test_slopes_are_those_of_bloom(heads):
    mask = torch.ones(1, 2, dtype=torch.int64)
    bloom = build_alibi_tensor(mask, heads, torch.float32)[:, 0, 1]  # slope times position 1
    torch.testing.assert_close(torch.tensor(slopes(heads)), bloom)


def test_published_slopes():
    assert slopes(8) == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert slopes(12) == [*slopes(8), 2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]


@pytest.mark.parametrize("side", ["left", "right"])
def test_attention_is_that_of_bloom(side):
    """BLOOM adds slope times key position, ALiBi takes slope times distance off: one softmax."""
    heads, length, pad = 12, 20, 6
    mask = torch.ones(2, length, dtype=torch.bool)
    mask[1, :pad] = side == "right"
    mask[1, -pad:] = side == "left"
    encoding = build("alibi", width=24, heads=heads, max_length=length)
    ids = encoding.positions(mask)
    bloom = build_alibi_tensor(mask.long(), heads, torch.float32).view(2, heads, 1, length)
    seen = mask[:, None, None, :] & torch.ones(length, length, dtype=torch.bool).tril()
    logits = torch.randn(2, heads, length, length)

    def attention(bias):
        return (logits + bias).masked_fill(~seen, float("-inf")).softmax(-1)

    ours = attention(encoding.bias(None, None, ids, ids))
    real = mask[:, None, :, None].expand_as(ours)
    torch.testing.assert_close(ours[real], attention(bloom)[real])


def test_two_directions_are_symmetric():
    encoding = build("alibi", width=8, heads=2, max_length=9, bidirectional=True)
    ids = torch.arange(9)[None]
    bias = encoding.bias(None, None, ids, ids)
    assert torch.equal(bias, bias.mT)
    assert bias[0, 0, 0].tolist() == [-n / 16 for n in range(9)]


def test_bad_option_is_refused():
    with pytest.raises(InvalidValueError, match="bidirectional is None"):
        build("alibi", width=8, heads=2, max_length=9, bidirectional=None)
