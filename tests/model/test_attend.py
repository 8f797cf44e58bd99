"""All paths through attention give the same numbers, forward and backward."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from positions.model.attend import attend, fastest, using
from positions.model.pattern import Sight

BATCH, HEADS, QUERIES, KEYS, WIDTH = 3, 4, 7, 7, 8


def naive(
    q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, allowed: Tensor, scale: float
) -> Tensor:
    """One query at a time, over the keys it may see, in float64."""
    out = torch.zeros(BATCH, HEADS, q.shape[2], WIDTH, dtype=torch.float64)
    allowed = allowed.expand(BATCH, HEADS, q.shape[2], k.shape[2])
    bias = torch.zeros(1) if bias is None else bias
    bias = bias.double().expand(BATCH, HEADS, q.shape[2], k.shape[2])
    for place in torch.cartesian_prod(*(torch.arange(n) for n in out.shape[:3])):
        b, h, t = place.tolist()
        seen = allowed[b, h, t].nonzero()[:, 0]
        if len(seen) == 0:
            continue
        logits = scale * (k[b, h, seen].double() @ q[b, h, t].double()) + bias[b, h, t, seen]
        out[b, h, t] = logits.softmax(0) @ v[b, h, seen].double()
    return out


def inputs(dtype: torch.dtype = torch.float32) -> list[Tensor]:
    torch.manual_seed(0)
    return [
        torch.randn(BATCH, HEADS, QUERIES, WIDTH, dtype=dtype, requires_grad=True) for _ in range(3)
    ]


TRIANGLE = torch.ones(QUERIES, KEYS, dtype=torch.bool).tril()
PADDED = torch.ones(BATCH, 1, 1, KEYS, dtype=torch.bool)
PADDED[1, ..., :3] = False  # on the left, so that causal rows 0, 1, 2 see nothing
PADDED[2] = False  # a row of nothing but padding
SIGHTS = {
    "all": (None, False, torch.ones(1, 1, QUERIES, KEYS, dtype=torch.bool)),
    "causal": (None, True, TRIANGLE[None, None]),
    "padded": (PADDED, False, PADDED),
    "causal and padded": (PADDED & TRIANGLE, False, PADDED & TRIANGLE),
}


@pytest.mark.parametrize("biased", ["no bias", "bias", "learned bias"])
@pytest.mark.parametrize("kind", SIGHTS)
def test_paths_agree_with_a_naive_form_and_with_each_other(kind: str, biased: str):
    allowed, causal, seen = SIGHTS[kind]
    results = {}
    for path in ("written", "fused"):
        q, k, v = inputs()
        bias = None
        if biased != "no bias":
            torch.manual_seed(1)
            bias = torch.randn(1, HEADS, QUERIES, KEYS, requires_grad=biased == "learned bias")
        with using(path):
            out = attend(q, k, v, Sight(allowed, causal, bias), scale=0.3)
        # What sees nothing is nobody's concern, but must be a number.
        assert out.isfinite().all()
        matters = seen.expand(BATCH, HEADS, QUERIES, KEYS).any(-1)
        expected = naive(*(x.detach() for x in (q, k, v)), bias, seen, 0.3)
        torch.testing.assert_close(out[matters].double(), expected[matters], atol=1e-6, rtol=1e-5)
        (out[matters].sin().sum()).backward()
        wanted = [q, k, v] + ([bias] if bias is not None and bias.requires_grad else [])
        results[path] = [x.grad for x in wanted]
        assert all(x.isfinite().all() for x in results[path])
    for written, fused in zip(results["written"], results["fused"], strict=True):
        torch.testing.assert_close(written, fused, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("path", ["written", "fused"])
@pytest.mark.parametrize("kind", SIGHTS)
def test_bfloat16_is_as_close_as_its_rounding_allows(kind: str, path: str):
    allowed, causal, seen = SIGHTS[kind]
    q, k, v = (x.detach() for x in inputs(torch.bfloat16))
    bias = torch.linspace(-3, 0, HEADS * KEYS).view(1, HEADS, 1, KEYS)
    with using(path):
        out = attend(q, k, v, Sight(allowed, causal, bias), scale=0.3)
    matters = seen.expand(BATCH, HEADS, QUERIES, KEYS).any(-1)
    expected = naive(q, k, v, bias, seen, 0.3)
    assert out.dtype == torch.bfloat16
    assert out.isfinite().all()
    torch.testing.assert_close(out[matters].double(), expected[matters], atol=0.03, rtol=0.02)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("path", ["written", "fused"])
def test_a_query_alone_reads_what_it_reads_among_others(path: str, dtype: torch.dtype):
    q, k, v = (x.detach() for x in inputs(dtype))
    bias = torch.linspace(-3, 0, HEADS * KEYS).view(1, HEADS, 1, KEYS)
    with using(path):
        together = attend(q, k, v, Sight(shared_bias=bias), scale=0.3)
        alone = attend(q[:, :, 3:4], k, v, Sight(shared_bias=bias), scale=0.3)
    close = {"atol": 1e-6, "rtol": 1e-5} if dtype == torch.float32 else {"atol": 0.01, "rtol": 0.01}
    torch.testing.assert_close(alone, together[:, :, 3:4], **close)


def test_a_bias_keeps_float32_beside_bfloat16_logits():
    """Distances of tens of thousands: in bfloat16 neighbours there would weigh the same."""
    q = k = torch.zeros(1, 1, 1, 4, dtype=torch.bfloat16)
    k = k.expand(1, 1, 3, 4)
    v = torch.eye(3, 4, dtype=torch.bfloat16)[None, None]
    bias = torch.tensor([-32_002.0, -32_001.0, -32_000.0]).view(1, 1, 1, 3)
    with using("written"):
        weights = attend(q, k, v, Sight(shared_bias=bias), scale=1.0)[0, 0, 0, :3].float()
    expected = torch.tensor([0.0, 1.0, 2.0]).softmax(0)
    torch.testing.assert_close(weights, expected, atol=4e-3, rtol=1e-2)


def test_recording_changes_nothing_and_rows_sum_to_one():
    q, k, v = (x.detach() for x in inputs())
    record: list[Tensor] = []
    sight = Sight(causal=True)
    out = attend(q, k, v, sight, scale=0.3)
    recorded = attend(q, k, v, Sight(causal=True), scale=0.3, record=record)
    torch.testing.assert_close(out, recorded, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(record[0].sum(-1), torch.ones(BATCH, HEADS, QUERIES))
    assert (record[0].triu(1) == 0).all()


def test_dropped_probabilities_are_right_on_average():
    torch.manual_seed(0)
    q, k, v = (torch.randn(2_000, 1, 4, 8) for _ in range(3))
    q, k, v = (x[:1].expand(2_000, 1, 4, 8) for x in (q, k, v))
    plain = attend(q, k, v, Sight(causal=True), scale=0.3)
    thin = attend(q, k, v, Sight(causal=True), scale=0.3, rate=0.25)
    assert (thin - plain).abs().max() > 0.1
    torch.testing.assert_close(thin.mean(0), plain[0], atol=0.05, rtol=0)


def test_the_choice_follows_the_measurement():
    cpu = torch.device("cpu")
    threads = torch.get_num_threads()
    try:
        for count, path in ((1, "fused"), (2, "written")):
            torch.set_num_threads(count)
            assert fastest(cpu, torch.float32, 32, learned=False, thin=False) == path
            assert fastest(cpu, torch.float32, 256, learned=False, thin=False) == "fused"
    finally:
        torch.set_num_threads(threads)
    assert fastest(cpu, torch.float32, 32, learned=True, thin=False) == "written"
    assert fastest(cpu, torch.float32, 32, learned=False, thin=True) == "written"
    assert fastest(cpu, torch.bfloat16, 32, learned=False, thin=False) == "written"
    assert fastest(cpu, torch.bfloat16, 4_096, learned=False, thin=False) == "fused"
    assert fastest(torch.device("cuda"), torch.bfloat16, 32, learned=True, thin=True) == "fused"
    with using("written"):
        assert fastest(torch.device("cuda"), torch.bfloat16, 32, False, False) == "written"
