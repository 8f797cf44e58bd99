"""Answers in a few characters."""

import numpy as np
import pytest

from positions.errors import DamagedFileError
from positions.experiments.classification.bits import pack, unpack


@pytest.mark.parametrize("count", [1, 7, 8, 9, 2210])
def test_there_and_back(count: int) -> None:
    right = np.random.default_rng(count).random(count) < 0.7
    text = pack(right.tolist())
    assert np.array_equal(unpack(text, count), right)
    assert len(text) <= count / 6 + 8


@pytest.mark.parametrize(("text", "count"), [("AAAA", 25), ("AAAA", 10), ("no?", 8), ("", 1)])
def test_what_does_not_fit_is_said(text: str, count: int) -> None:
    with pytest.raises(DamagedFileError, match="Bring the results back"):
        unpack(text, count)
