import numpy as np
import pytest
import torch

from positions.analysis.theory.symmetry import (
    first_merged,
    network,
    repeated,
    spread,
    states,
    steps,
)
from positions.errors import InvalidValueError, UnknownNameError

RELATIVE, ABSOLUTE = ["nope", "t5", "alibi", "rotary"], ["sinusoidal", "learned"]


@pytest.mark.parametrize("encoding", RELATIVE)
def test_one_word_repeated_looks_the_same_everywhere(encoding):
    for seed in (0, 1):
        rows = states(network(encoding, seed=seed), repeated(40, marked=False))
        assert spread(rows) < 1e-12
        assert np.abs(rows).max() > 1


@pytest.mark.parametrize("encoding", RELATIVE)
def test_a_first_token_that_differs_tells_positions_apart(encoding):
    rows = states(network(encoding), repeated(40, marked=True))
    assert spread(rows) > 0.1
    assert steps(rows).min() > 1e-6


@pytest.mark.parametrize("encoding", ABSOLUTE)
def test_absolute_positions_need_no_first_token(encoding):
    assert spread(states(network(encoding), repeated(40, marked=False))) > 0.1


def test_neighbours_draw_together_as_the_text_grows():
    found = steps(states(network(longest=400), repeated(400, marked=True)))
    assert found[19] / found[199] > 10
    assert found[199] / found[398] > 2


def test_coarse_numbers_keep_neighbours_from_drawing_together():
    tokens = repeated(300, marked=True)
    fine = steps(states(network(), tokens))
    coarse = steps(states(network(precision="bfloat16"), tokens))
    assert coarse[-50:].mean() > 3 * fine[-50:].mean()


def test_shares_of_the_first_token_merge_where_the_format_ends():
    merged = first_merged("bfloat16")
    share = 1 / torch.arange(1, 400, dtype=torch.float64)
    rounded = share.to(torch.bfloat16)
    assert rounded[merged - 1] == rounded[merged]
    assert len(rounded[:merged].unique()) == merged
    assert first_merged("float64") is None


def test_spread_and_steps_of_known_rows():
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]])
    assert spread(rows) == 4
    np.testing.assert_array_equal(steps(rows), [5, 0])


def test_what_does_not_exist_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'rotary'"):
        network("rotray")
    with pytest.raises(UnknownNameError, match="Valid: bfloat16, float32, float64"):
        network(precision="float8")
    with pytest.raises(InvalidValueError, match="length is 0"):
        repeated(0, marked=False)
