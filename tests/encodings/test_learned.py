import numpy as np
import pytest
import torch

from positions.encodings import build
from positions.errors import InvalidValueError

SIZES = {"width": 4, "heads": 1, "max_length": 6}


def test_row_of_each_id_is_added():
    table = np.arange(24, dtype=np.float32).reshape(6, 4)
    encoding = build("learned", **SIZES, table=table)
    x = torch.randn(2, 3, 4)
    ids = torch.tensor([[0, 5, 2], [3, 3, 1]])
    assert torch.equal(encoding.embed(x, ids), x + torch.from_numpy(table)[ids])


def test_table_is_copied_and_may_be_longer_than_max_length():
    table = np.zeros((9, 4))
    encoding = build("learned", **SIZES, table=table)
    encoding.table.data.fill_(1.0)
    assert not table.any()
    assert encoding.embed(torch.zeros(1, 1, 4), torch.tensor([[8]])).tolist() == [[[1.0] * 4]]


def test_frozen_table_gets_no_gradient_and_trained_one_does():
    ids = torch.tensor([[1, 2]])
    x = torch.zeros(1, 2, 4, requires_grad=True)
    frozen = build("learned", **SIZES, table=torch.ones(6, 4), frozen=True)
    frozen.embed(x, ids).sum().backward()
    assert frozen.table.grad is None and not frozen.table.requires_grad
    trained = build("learned", **SIZES, table=torch.ones(6, 4))
    trained.embed(x, ids).sum().backward()
    assert trained.table.grad.sum(1).tolist() == [0, 4, 4, 0, 0, 0]


def test_random_start_has_the_given_spread():
    torch.manual_seed(0)
    wide = {"width": 64, "heads": 1, "max_length": 512}
    assert build("learned", **wide).table.std().item() == pytest.approx(0.02, rel=0.03)
    assert build("learned", **wide, std=1.0).table.std().item() == pytest.approx(1.0, rel=0.03)
    assert build("learned", **wide, std=0).table.abs().max() == 0


def test_table_survives_a_model_that_initialises_its_layers():
    encoding = build("learned", **SIZES, table=np.ones((6, 4)))
    assert not any(isinstance(m, torch.nn.Embedding) for m in encoding.modules())


@pytest.mark.parametrize(
    ("start", "length"), [(0, 7), (3, 4), (6, 1)], ids=["length", "offset and length", "offset"]
)
def test_id_past_the_table_says_length_limit_and_remedy(start, length):
    ids = torch.arange(start, start + length)[None]
    with pytest.raises(InvalidValueError) as caught:
        build("learned", **SIZES).embed(torch.zeros(1, length, 4), ids)
    message = str(caught.value)
    assert f"Position {start + length - 1} " in message
    assert f"{length} tokens" in message and "6 rows" in message
    assert f"max_length={start + length}" in message


def test_last_row_is_within_reach_also_behind_left_padding():
    encoding = build("learned", **SIZES)
    mask = torch.tensor([[False] * 4 + [True] * 6])
    assert encoding.embed(torch.zeros(1, 10, 4), encoding.positions(mask)).shape == (1, 10, 4)


def test_negative_id_is_refused():
    with pytest.raises(InvalidValueError, match="Position -1 "):
        build("learned", **SIZES).embed(torch.zeros(1, 2, 4), torch.tensor([[-1, 0]]))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros((6, 5)), r"shape \(6, 5\); it must be \(positions, 4\)"),
        (np.zeros(6), r"shape \(6,\)"),
        (np.zeros((5, 4)), r"5 rows, fewer than max_length=6.*max_length=5"),
        (np.full((6, 4), np.inf), "not finite"),
        ("gpt2", "str that cannot be read as numbers"),
        (np.array([["a"] * 4] * 6), "ndarray that cannot be read as numbers"),
    ],
    ids=["width", "axes", "rows", "infinite", "a name", "text"],
)
def test_bad_table_is_refused(table, message):
    with pytest.raises(InvalidValueError, match=message):
        build("learned", **SIZES, table=table)


def test_bad_options_are_refused():
    with pytest.raises(InvalidValueError, match=r"std is -1; .* at least 0"):
        build("learned", **SIZES, std=-1)
    with pytest.raises(InvalidValueError, match="frozen is 1; it must be True or False"):
        build("learned", **SIZES, frozen=1)
