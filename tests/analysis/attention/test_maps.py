"""What may be measured: rows of probabilities, and two maps of the same tokens."""

import pytest
import torch

from positions.analysis.attention import maps
from positions.errors import InvalidValueError


def test_rows_rounded_by_bfloat16_are_put_right() -> None:
    torch.manual_seed(0)
    rough = torch.randn(2, 40, 40).softmax(-1).bfloat16()
    found = maps.checked(rough)
    assert found.dtype == torch.float64
    assert torch.allclose(found.sum(-1), torch.ones(2, 40, dtype=torch.float64), atol=1e-12)


@pytest.mark.parametrize(
    ("attention", "words"),
    [
        (torch.randn(2, 5, 5), "negative or infinite"),
        (torch.full((2, 5, 5), torch.nan), "negative or infinite"),
        (torch.rand(2, 5, 5) + 1, "do not sum to 1"),
        (torch.ones(5, 5), r"must be \(heads, queries, keys\)"),
        (torch.ones(1, 2, 5, 5), r"must be \(heads, queries, keys\)"),
        (torch.ones(2, 0, 5), r"must be \(heads, queries, keys\)"),
        (torch.ones(2, 5, 5, dtype=torch.int64), "a tensor of probabilities, not torch.int64"),
        ([[1.0]], "a tensor of probabilities, not list"),
    ],
)
def test_what_is_no_map_is_refused(attention, words) -> None:
    with pytest.raises(InvalidValueError, match=words):
        maps.checked(attention)


def test_a_causal_map_must_be_square_and_see_nothing_ahead() -> None:
    even = torch.full((1, 4, 4), 0.25)
    with pytest.raises(InvalidValueError, match="keys behind them"):
        maps.causal(even)
    with pytest.raises(InvalidValueError, match="2 queries and 4 keys"):
        maps.causal(even[:, :2])


def test_maps_of_other_tokens_are_not_compared() -> None:
    with pytest.raises(InvalidValueError, match=r"\(4, 4\) and \(5, 5\).*same tokens"):
        maps.pair(torch.full((2, 4, 4), 0.25), torch.full((2, 5, 5), 0.2))


def test_the_message_says_which_map_is_wrong() -> None:
    with pytest.raises(InvalidValueError, match="second map"):
        maps.pair(torch.full((2, 4, 4), 0.25), torch.zeros(2, 4, 4))
