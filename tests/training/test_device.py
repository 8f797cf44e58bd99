"""Devices are picked by name, described, and refused with a reason."""

from __future__ import annotations

import pytest
import torch

from positions.errors import InvalidValueError
from positions.training import device as module
from positions.training.device import (
    check_precision,
    describe,
    deterministic,
    free_memory,
    peak_memory,
    pick_device,
    threads,
)

CPU = torch.device("cpu")


def test_auto_is_a_card_where_there_is_one():
    expected = "cuda" if torch.cuda.is_available() else "cpu"
    assert pick_device("auto").type == expected
    assert pick_device("cpu") == CPU


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "cuda:", "CPU"])
def test_unknown_names_are_refused(name, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InvalidValueError, match="device"):
        pick_device(name)


def test_no_card_says_what_to_do(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InvalidValueError, match=r"cuda.*Use \"cpu\""):
        pick_device("cuda:1")


def test_cards_are_chosen_by_number(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert pick_device("cuda") == torch.device("cuda", 0)
    assert pick_device("cuda:1") == torch.device("cuda", 1)
    with pytest.raises(InvalidValueError, match="cuda:0, cuda:1"):
        pick_device("cuda:2")


def test_an_old_card_without_bfloat16_is_refused(monkeypatch):
    monkeypatch.setattr(module, "_has_bfloat16", lambda: False)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "Tesla V100")
    card = torch.device("cuda", 0)
    check_precision(card, "float32")
    check_precision(CPU, "bfloat16")
    with pytest.raises(InvalidValueError, match="Tesla V100"):
        check_precision(card, "bfloat16")


def test_the_processor_is_described():
    with threads(1):
        report = describe(CPU)
    assert report.device == "cpu"
    assert report.name
    assert report.threads == 1


def test_memory_is_in_bytes():
    free, peak = free_memory(CPU), peak_memory(CPU)
    assert free is None or 2**20 < free < 2**50
    assert peak is None or 2**24 < peak < 2**50


def test_threads_come_back():
    before = torch.get_num_threads()
    with threads(before + 1):
        assert torch.get_num_threads() == before + 1
    assert torch.get_num_threads() == before


def test_deterministic_kernels_are_asked_for_in_the_block_only():
    before = torch.are_deterministic_algorithms_enabled()
    with deterministic():
        assert torch.are_deterministic_algorithms_enabled()
        assert torch.is_deterministic_algorithms_warn_only_enabled()
    assert torch.are_deterministic_algorithms_enabled() == before
