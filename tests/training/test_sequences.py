"""Flat storage and padding, beside padding written out."""

from __future__ import annotations

import pytest
import torch

from positions.errors import InvalidValueError
from positions.training.sequences import Sequences

ROWS = [[5, 6, 7], [8], [1, 2, 3, 4, 5], [9, 9]]


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_is_that_written_out(side):
    chosen = torch.tensor([3, 0, 3, 1])
    tokens, mask = Sequences(ROWS, 10).padded(chosen, side, fill=7)
    for row, number in enumerate(chosen.tolist()):
        pads = [7] * (3 - len(ROWS[number]))
        real = [True] * len(ROWS[number])
        if side == "right":
            assert tokens[row].tolist() == ROWS[number] + pads
            assert mask[row].tolist() == real + [False] * len(pads)
        else:
            assert tokens[row].tolist() == pads + ROWS[number]
            assert mask[row].tolist() == [False] * len(pads) + real
    assert tokens.dtype == torch.int64
    assert tokens.shape == (4, 3)  # to the longest chosen, not to the longest there is


@pytest.mark.parametrize("rows", [[[0, 9], [4, 10, 1]], [[3], [-1]]])
def test_an_id_outside_the_vocabulary_is_named_with_its_sequence(rows):
    bad = "10" if rows[0] == [0, 9] else "-1"
    with pytest.raises(InvalidValueError, match=f"Sequence 1 holds the token id {bad}.* 0 to 9"):
        Sequences(rows, 10)


@pytest.mark.parametrize("rows", [[], [[1], []], [[1.5]], [["a"]]])
def test_what_is_no_sequence_of_ids_is_refused(rows):
    with pytest.raises(InvalidValueError):
        Sequences(rows, 10)
