"""Dropout: the right share, the right size, the same entries backward as forward."""

from __future__ import annotations

import pytest
import torch

from positions.model.dropout import Dropout


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_the_share_dropped_and_the_scale(rate: float, dtype: torch.dtype):
    torch.manual_seed(0)
    x = torch.ones(101, 997, dtype=dtype)  # a number of entries that four does not divide
    out = Dropout(rate)(x).float()
    share = (out == 0).double().mean().item()
    assert abs(share - rate) < 0.004  # about four standard errors
    kept = out[out != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - rate)), rtol=5e-3, atol=0)
    # No row, column or neighbour is treated alike.
    dropped = (out == 0).double()
    assert (dropped.mean(0) - rate).abs().max() < 0.25
    assert (
        abs(torch.corrcoef(torch.stack([dropped[:, :-1].ravel(), dropped[:, 1:].ravel()]))[0, 1])
        < 0.02
    )


def test_gradients_pass_where_values_passed():
    torch.manual_seed(0)
    x = torch.randn(50, 40, requires_grad=True)
    out = Dropout(0.3)(x)
    out.sum().backward()
    assert torch.equal(x.grad == 0, out == 0)
    torch.testing.assert_close(out.detach(), x.detach() * x.grad)


def test_the_seed_decides_and_evaluation_drops_nothing():
    layer, x = Dropout(0.5), torch.randn(64, 64)
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(layer(x))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    assert layer.eval()(x) is x
    assert Dropout(0.0)(x) is x
