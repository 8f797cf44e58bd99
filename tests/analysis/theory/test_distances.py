from itertools import pairwise

import numpy as np
import pytest

from positions.analysis.theory.distances import by_waves, least_rmse, line, rmse, waves
from positions.errors import InvalidValueError


def distance(longest):
    return np.subtract.outer(np.arange(longest), np.arange(longest))


def test_a_line_is_the_distance_with_two_terms():
    np.testing.assert_array_equal(line(50).matrix(), -distance(50))
    assert line(50).terms == 2
    np.testing.assert_array_equal(line(50).times(0.5).matrix(), -0.5 * distance(50))


def test_waves_depend_on_the_distance_alone():
    w, a, b = [0.3, 2.0], [1.0, -0.5], [0.25, 2.0]
    n = distance(40)
    wanted = sum(x * np.cos(f * n) + y * np.sin(f * n) for f, x, y in zip(w, a, b, strict=True))
    np.testing.assert_allclose(waves(40, w, a, b).matrix(), wanted, atol=1e-12)


def test_n_terms_are_enough_for_any_function_of_n_distances():
    """The discrete Fourier transform: N waves of period N hold N numbers."""
    values = np.random.default_rng(0).standard_normal(33)
    assert rmse(by_waves(values, 33, 33), values) < 1e-12
    assert rmse(by_waves(values, 31, 33), values) > 1e-2
    even = values[:32]
    assert rmse(by_waves(even, 32, 32), even) < 1e-12
    assert rmse(by_waves(even, 31, 32), even) > 1e-3


@pytest.mark.parametrize("period", [32, 33, 64])
@pytest.mark.parametrize("terms", [1, 2, 3, 8, 31, 32, 33])
def test_no_more_terms_are_spent_than_given(terms, period):
    made = by_waves(np.random.default_rng(0).standard_normal(32), terms, period)
    assert terms - 1 <= made.terms <= terms or made.terms == period
    assert made.query.shape == made.key.shape == (made.terms, 2 + len(made.extra))


def test_more_waves_are_never_worse_and_their_error_is_that_of_a_cut_transform():
    values = np.random.default_rng(1).standard_normal(64)
    found = [rmse(by_waves(values, terms, 64), values) for terms in range(1, 65, 2)]
    assert all(b <= a + 1e-12 for a, b in pairwise(found))
    power = np.abs(np.fft.rfft(values)) ** 2
    for pairs in (3, 20):
        left_over = 2 * power[pairs + 1 : -1].sum() + power[-1]
        assert found[pairs] == pytest.approx(np.sqrt(left_over) / 64)


def test_no_product_is_below_the_floor():
    """Neither waves nor any other matrix of that rank comes closer on the square."""
    values = np.random.default_rng(2).standard_normal(40)
    square = (slice(20, 40), slice(0, 20))
    wanted = values[distance(40)[square]]
    for terms in (3, 9, 15):
        floor = least_rmse(values, terms)
        made = by_waves(values, terms, 80).matrix()[square]
        assert np.sqrt(np.mean((made - wanted) ** 2)) >= floor > 0
    assert least_rmse(values, 20) < 1e-12


@pytest.mark.parametrize(
    ("values", "terms"),
    [(-np.arange(64.0), 2), (0.9 ** np.arange(64.0), 1), (np.cos(0.2 * np.arange(64.0)), 2)],
)
def test_lines_decays_and_waves_are_cheap(values, terms):
    assert least_rmse(values, terms) < 1e-10
    assert least_rmse(values, terms - 1) > 1e-2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: by_waves([], 3, 8), "at least 1 distances"),
        (lambda: by_waves([1.0, np.inf], 3, 8), "finite"),
        (
            lambda: by_waves(np.ones(9), 3, 8),
            "period is 8; it must be a whole number of at least 9",
        ),
        (lambda: by_waves(np.ones(9), 0, 9), "terms is 0"),
        (lambda: least_rmse([1.0], 1), "at least 2 distances"),
        (lambda: line(0), "longest is 0"),
        (lambda: waves(8, [1, 2], [1], [1]), "2 frequencies, 1 cosines and 1 sines"),
    ],
)
def test_what_does_not_fit_is_refused(call, said):
    with pytest.raises(InvalidValueError, match=said):
        call()
