import pytest
import torch

from positions.encodings import Encoding
from positions.encodings.base import distances
from positions.errors import InvalidValueError


@pytest.fixture
def encoding():
    return Encoding(width=8, heads=2, max_length=16)


def test_positions_count_real_tokens_on_either_padding_side(encoding):
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]])
    expected = [[0, 0, 0, 1, 2], [0, 1, 2, 0, 0], [0, 1, 2, 3, 4], [0, 0, 0, 0, 0]]
    ids = encoding.positions(mask.bool())
    assert ids.dtype == torch.int64
    assert ids.tolist() == expected


def test_base_leaves_everything_as_it_is(encoding):
    ids = torch.arange(5)[None]
    x, q, k = torch.randn(3, 5, 8), torch.randn(3, 2, 5, 4), torch.randn(3, 2, 5, 4)
    assert encoding.embed(x, ids) is x
    turned_q, turned_k = encoding.rotate(q, k, ids, ids)
    assert turned_q is q and turned_k is k
    assert encoding.bias(None, None, ids, ids) is None
    assert not list(encoding.parameters())


def test_distances_count_backwards_from_the_query():
    ids = torch.tensor([[3, 4, 5]])
    assert distances(ids[:, -1:], ids).tolist() == [[[2, 1, 0]]]


@pytest.mark.parametrize(
    "mask",
    [torch.ones(2, 3, dtype=torch.int64), torch.ones(3, dtype=torch.bool)],
    ids=["whole numbers", "one axis"],
)
def test_mask_of_another_kind_is_refused(encoding, mask):
    with pytest.raises(InvalidValueError, match=r"must be torch.bool of shape \(batch, length\)"):
        encoding.positions(mask)


@pytest.mark.parametrize("name", ["width", "heads", "max_length"])
@pytest.mark.parametrize("value", [0, -1, 2.5, "8", None, True])
def test_sizes_must_be_positive_whole_numbers(name, value):
    sizes = {"width": 8, "heads": 2, "max_length": 16, name: value}
    with pytest.raises(InvalidValueError, match=f"{name} is .*whole number of at least 1"):
        Encoding(**sizes)
