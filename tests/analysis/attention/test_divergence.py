"""Divergences of heads: scipy's and torch's as truth, the properties, the paper's defects."""

import math
from itertools import permutations

import numpy as np
import pytest
import torch
from scipy.spatial.distance import jensenshannon
from torch.nn import functional

from positions.analysis.attention import divergence
from positions.errors import InvalidValueError


def attention(heads: int, length: int = 9, seed: int = 0, sharp: float = 2.0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    logits = sharp * torch.randn(heads, length, length, generator=generator)
    ahead = torch.ones(length, length).triu(1).bool()
    return logits.masked_fill(ahead, -torch.inf).softmax(-1)


def over_rows(p, q, measure) -> np.ndarray:
    """Average a measure of two rows over queries, for all pairs of heads, the slow way."""
    table = [
        [np.mean([measure(a[t, : t + 1], b[t, : t + 1]) for t in range(len(a))]) for b in q]
        for a in p
    ]
    return np.array(table)


def test_agrees_with_scipy_on_all_pairs_of_heads() -> None:
    p, q = attention(3, seed=1), attention(2, seed=2)
    found = divergence.jensen_shannon(p, q)
    expected = over_rows(p, q, lambda a, b: jensenshannon(a.double(), b.double()) ** 2)
    assert found.shape == (3, 2)
    assert np.allclose(found, expected, atol=1e-9)


def test_the_coded_form_is_torchs_loss_with_its_arguments_in_their_order() -> None:
    def theirs(a, b) -> float:
        a, b = a.double(), b.double()
        m = (a + b) / 2
        loss = [functional.kl_div(each.log(), m, reduction="sum") for each in (a, b)]
        return float(sum(loss)) / 2

    p, q = attention(3, seed=1), attention(3, seed=2)
    assert np.allclose(divergence.coded(p, q), over_rows(p, q, theirs), atol=1e-9)


def test_two_nearly_disjoint_rows_by_hand() -> None:
    rest = 1e-6
    p = torch.tensor([[[1 - rest, rest]]], dtype=torch.float64)
    q = p.flip(-1)
    assert float(divergence.coded(p, q)) == pytest.approx(6.2146, abs=1e-4)
    assert float(divergence.jensen_shannon(p, q)) == pytest.approx(0.6931, abs=1e-4)


@pytest.mark.parametrize("measure", [divergence.jensen_shannon, divergence.coded])
def test_nothing_lies_between_equal_heads(measure) -> None:
    p = attention(4, sharp=8.0)
    assert float(measure(p, p).diagonal().abs().max()) < 1e-12


@pytest.mark.parametrize("measure", [divergence.jensen_shannon, divergence.coded])
def test_symmetric(measure) -> None:
    p, q = attention(4, seed=1), attention(3, seed=2)
    assert torch.allclose(measure(p, q), measure(q, p).mT, atol=1e-12)


@pytest.mark.parametrize("sharp", [0.1, 3.0, 60.0])
def test_lies_between_0_and_ln_2_and_the_coded_form_above_the_true_one(sharp) -> None:
    p, q = attention(4, 30, 1, sharp), attention(4, 30, 2, sharp)
    true, coded = divergence.jensen_shannon(p, q), divergence.coded(p, q)
    assert float(true.min()) >= 0 and float(true.max()) <= math.log(2)
    assert bool(coded.isfinite().all())
    assert bool((coded >= true - 1e-9).all())


def test_the_bound_is_reached_by_rows_that_share_no_key() -> None:
    p = torch.tensor([[[1.0, 0.0, 0.0]]])
    q = torch.tensor([[[0.0, 0.5, 0.5]]])
    assert float(divergence.jensen_shannon(p, q)) == pytest.approx(divergence.MOST)


def test_a_probability_of_0_counts_as_the_least_of_float32() -> None:
    p, q = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[0.0, 1.0]]])
    by_hand = -math.log(2) - 0.5 * math.log(torch.finfo(torch.float32).tiny)
    assert float(divergence.coded(p, q)) == pytest.approx(by_hand)


@pytest.mark.parametrize("measure", [divergence.jensen_shannon, divergence.coded])
def test_memory_is_bounded_without_changing_the_result(measure, monkeypatch) -> None:
    p, q = attention(3, 17, 1), attention(2, 17, 2)
    whole = measure(p, q)
    monkeypatch.setattr(divergence, "AT_ONCE", 1)  # one query at a time
    assert torch.allclose(measure(p, q), whole, atol=1e-12)


def test_the_least_pair_of_all_and_of_those_that_their_code_looks_at() -> None:
    table = torch.tensor([[0.1, 0.5, 0.6], [0.2, 0.3, 0.4], [0.05, 0.7, 0.8]])
    assert divergence.closest(table) == pytest.approx(0.05)
    assert divergence.closest_coded(table) == pytest.approx(0.4)


def test_their_code_looks_at_66_of_144_pairs() -> None:
    seen = 0
    for a in range(12):
        for b in range(12):
            table = torch.ones(12, 12)
            table[a, b] = 0.0
            seen += divergence.closest_coded(table) == 0.0
    assert seen == 66


def test_a_model_is_at_no_distance_from_itself_except_by_their_pairs() -> None:
    p = attention(4, 20, sharp=4.0)
    assert divergence.closest(divergence.jensen_shannon(p, p)) < 1e-12
    assert divergence.closest_coded(divergence.coded(p, p)) > 0.1


def test_the_best_matching_beats_every_other_and_knows_reordered_heads() -> None:
    p = attention(4, 12)
    assert divergence.matched(divergence.jensen_shannon(p, p[[2, 0, 3, 1]])) < 1e-12
    table = divergence.jensen_shannon(p, attention(4, 12, 5))
    best = min(float(table[range(4), list(order)].mean()) for order in permutations(range(4)))
    assert divergence.matched(table) == pytest.approx(best)


def test_a_single_head_without_preference_makes_the_least_pair_small_and_not_the_matching() -> None:
    even = torch.ones(1, 20, 20).tril()
    even = even / even.sum(-1, keepdim=True)
    first, last = torch.zeros(2, 1, 20, 20)
    first[..., 0] = 1
    last[0].fill_diagonal_(1)
    p, q = torch.cat([even, first]), torch.cat([even, last])
    table = divergence.jensen_shannon(p, q)
    assert divergence.closest(table) < 1e-12
    assert divergence.matched(table) > 0.3


def test_bad_input_has_clear_messages() -> None:
    with pytest.raises(InvalidValueError, match="same tokens"):
        divergence.jensen_shannon(attention(2, 5), attention(2, 6))
    with pytest.raises(InvalidValueError, match="do not sum to 1"):
        divergence.coded(attention(2, 5), attention(2, 5) * 2)
    with pytest.raises(InvalidValueError, match=r"\(heads, other heads\), not \(3,\)"):
        divergence.closest(torch.ones(3))
    with pytest.raises(InvalidValueError, match="needs two heads or more"):
        divergence.closest_coded(torch.ones(1, 1))
