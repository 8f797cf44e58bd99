"""Timing: turns alternate, spreads are quartiles, memory is what is held at once."""

from __future__ import annotations

import time

import pytest
import torch

from positions.analysis import timing
from positions.analysis.timing import Spread


def test_turns_alternate() -> None:
    """The order turns round after each round, so that drift meets all alike."""
    order: list[str] = []

    def turn(name: str):
        def run() -> float:
            order.append(name)
            return len(order)

        return run

    found = timing.in_turns({name: turn(name) for name in "abc"}, rounds=3)
    assert "".join(order) == "abc" + "cba" + "abc"
    assert found == {"a": [1, 6, 7], "b": [2, 5, 8], "c": [3, 4, 9]}


def test_no_round_measures_nothing() -> None:
    assert timing.in_turns({"a": lambda: 1.0}, rounds=0) == {"a": []}


def test_spreads_are_quartiles() -> None:
    assert Spread.of([5, 1, 4, 2, 3]) == Spread(3, 2, 4)
    assert Spread.of([7.0]) == Spread(7, 7, 7)
    assert Spread.of([1.0, 3.0]) == Spread(2, 1, 3)


def test_spreads_are_rounded_to_digits_that_count() -> None:
    rounded = Spread(123.456, 0.0123456, 9).rounded(3)
    assert rounded == {"median": 123.0, "low": 0.0123, "high": 9.0}


def test_a_ratio_belongs_to_its_round() -> None:
    """A machine that is half as fast in the second round changes no ratio."""
    assert timing.ratios([3.0, 6.0], [2.0, 4.0]) == [1.5, 1.5]
    assert timing.ratios([3.0, 6.0], [3.0, 6.0]) == [1.0, 1.0]
    with pytest.raises(ValueError, match="shorter"):
        timing.ratios([1.0, 2.0], [1.0])


def test_the_clock_sees_the_call() -> None:
    called: list[int] = []
    assert timing.seconds(lambda: (called.append(1), time.sleep(0.01))) >= 0.01
    assert called == [1]


def test_memory_is_what_is_held_at_once() -> None:
    """Two tensors of a megabyte one after the other are one, together they are two."""

    def one_by_one() -> None:
        for _ in range(2):
            torch.empty(2**20, dtype=torch.uint8)

    def together() -> None:
        _ = [torch.empty(2**20, dtype=torch.uint8) for _ in range(2)]

    assert timing.peak_memory(one_by_one) == 2**20
    assert timing.peak_memory(together) == 2 * 2**20
    assert timing.peak_memory(lambda: None) == 0


def test_memory_that_was_there_before_is_not_counted() -> None:
    there = torch.empty(2**20)

    def work() -> None:
        there.add_(1)
        torch.empty(10, dtype=torch.uint8)

    assert timing.peak_memory(work) < 2**10


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA card here")
def test_a_card_is_timed_and_measured_as_well() -> None:
    device = torch.device("cuda", 0)
    assert timing.seconds(lambda: torch.empty(2**20, device=device), device) > 0
    assert timing.peak_memory(lambda: torch.empty(2**20, device=device), device) >= 2**22
