from collections import defaultdict
from pathlib import Path

import pytest
import torch

from positions.errors import InvalidValueError
from positions.runs import cards, engines


def test_workers_share_the_cards_in_turn(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent / "workers")
    import look

    with engines.local(4, cards=["0", "3"]) as pool:
        futures = [pool.submit(look.look) for _ in range(12)]
        found = defaultdict(set)
        for future in futures:
            process, card = future.result()
            found[card].add(process)
    assert sorted(found) == ["0", "3"]
    assert len(found["0"]) == len(found["3"]) == 2


@pytest.fixture
def two_cards(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)


def test_cards_are_those_that_the_environment_leaves(two_cards, monkeypatch):
    monkeypatch.delenv(cards.VISIBLE, raising=False)
    assert cards.names() == ["0", "1"]
    monkeypatch.setenv(cards.VISIBLE, "5, 7")
    assert cards.names() == ["5", "7"]


def test_no_card_without_cuda(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    monkeypatch.setenv(cards.VISIBLE, "0")
    assert cards.names() == []


def test_number_of_runs_at_once():
    assert cards.jobs(3, None, ["0", "1"]) == 6
    assert cards.jobs(None, None, ["0", "1"]) == 2
    assert cards.jobs(None, 5, ["0", "1"]) == 5
    assert cards.jobs(None, None, []) >= 1
    with pytest.raises(InvalidValueError, match="not both"):
        cards.jobs(2, 2, ["0"])
    with pytest.raises(InvalidValueError, match="No GPU is visible"):
        cards.jobs(2, None, [])
