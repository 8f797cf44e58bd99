import numpy as np
import pytest

from positions.analysis.theory.hinges import FACINGS, hinges
from positions.errors import InvalidValueError, UnknownNameError

both = pytest.mark.parametrize("facing", FACINGS)


@both
@pytest.mark.parametrize("longest", [1, 2, 3, 17, 200])
def test_any_function_is_met_at_every_position_with_one_unit_more_than_positions(facing, longest):
    values = np.random.default_rng(longest).standard_normal((3, longest))
    units = hinges(values, facing)
    assert len(units.slope) == len(units.offset) == units.out.shape[1] == longest + 1
    found = units.evaluate(1 / np.arange(1, longest + 1))
    np.testing.assert_allclose(found, values, atol=1e-9)


@both
def test_between_positions_the_function_is_straight(facing):
    values = np.array([[1.0, 5.0, -2.0]])
    middles = [(1 + 1 / 2) / 2, (1 / 2 + 1 / 3) / 2]
    np.testing.assert_allclose(hinges(values, facing).evaluate(middles), [[3.0, 1.5]])


def test_bends_for_the_position_itself_are_those_of_the_closed_form():
    """2k at 1/k, and -N (N - 1) at 1/N, as worked out by hand."""
    longest = 9
    positions = np.arange(1.0, longest + 1)[None]
    k = np.arange(2, longest)
    rising = hinges(positions, "rising")
    np.testing.assert_allclose(rising.out[0, :2], [longest, 0])
    np.testing.assert_allclose(rising.out[0, 2:], [*(2 * k), -longest * (longest - 1)])
    falling = hinges(positions, "falling")
    np.testing.assert_allclose(falling.out[0], [1, 0, 2, *(2 * k)])


def test_beyond_the_last_position_rising_hinges_stay_and_falling_ones_go_on():
    positions = np.arange(1.0, 11)[None]
    far = 1 / np.array([11.0, 20.0, 1e12])
    np.testing.assert_allclose(hinges(positions, "rising").evaluate(far), [[10, 10, 10]])
    # the last piece has slope -90 in u, and ends at 2N - 1
    wanted = [10 + 90 * (1 / 10 - u) for u in far]
    found = hinges(positions, "falling").evaluate(far)[0]
    np.testing.assert_allclose(found, wanted)
    assert found[-1] == pytest.approx(19)


@pytest.mark.parametrize("values", [[], [1.0, 2.0], [[np.nan, 1.0]], np.zeros((2, 0))])
def test_values_of_another_shape_are_refused(values):
    with pytest.raises(InvalidValueError, match="one row a function"):
        hinges(values)


def test_an_unknown_way_to_face_lists_the_known():
    with pytest.raises(UnknownNameError, match="Valid: falling, rising"):
        hinges([[1.0]], "up")
