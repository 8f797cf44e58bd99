import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from positions.analysis.probes import distance, distance_forms
from positions.analysis.probes.pairs import grid
from positions.analysis.probes.splits import rest, shuffled_folds
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
LINE = np.arange(60.0)[:, None] * RNG.standard_normal(20)
WALK = RNG.standard_normal((120, 60)).cumsum(axis=0)
NOISE = RNG.standard_normal((120, 60))


@pytest.mark.parametrize("features", ["concatenation", "difference"])
def test_signed_distance_is_linear_and_distance_is_not(features: distance.Features) -> None:
    absolute, signed = distance.linear(LINE, 0, features)
    assert signed.mae < 1e-6
    assert signed.spearman > 0.999
    assert absolute.mae > 0.8 * absolute.guess


def test_all_pairs_at_once_equal_the_fit_to_written_out_pairs() -> None:
    table = RNG.standard_normal((30, 40)).cumsum(axis=0)
    errors = []
    for fold in shuffled_folds(30, 2):
        train, test = grid(rest(30, fold)), grid(fold)
        model = LinearRegression().fit(
            np.concatenate([table[train[:, 0]], table[train[:, 1]]], axis=1),
            np.abs(train[:, 0] - train[:, 1]),
        )
        found = model.predict(np.concatenate([table[test[:, 0]], table[test[:, 1]]], axis=1))
        errors.append(np.abs(found - np.abs(test[:, 0] - test[:, 1])))
    wanted = np.concatenate(errors).mean()
    assert distance.linear_on_all_pairs(table, 2).mae == pytest.approx(wanted)


def test_no_linear_probe_beats_the_floor_by_much() -> None:
    """One-hot rows tested on their own training pairs reach the floor exactly."""
    pairs = grid(np.arange(15))
    features = np.concatenate([np.eye(15)[pairs[:, 0]], np.eye(15)[pairs[:, 1]]], axis=1)
    gaps = np.abs(pairs[:, 0] - pairs[:, 1])
    fitted = LinearRegression().fit(features, gaps).predict(features)
    assert distance.additive_floor(15) == pytest.approx(np.abs(fitted - gaps).mean())


def test_near_pairs_are_near() -> None:
    absolute, _ = distance.linear(WALK, 0, near=4)
    assert absolute.band_count[3:].sum() == 0
    assert absolute.band_count[:3].sum() > 0


def test_positions_that_recur_help_signed_distance_on_noise() -> None:
    _, shared = distance.linear(NOISE, 0, disjoint=False)
    _, disjoint = distance.linear(NOISE, 0, disjoint=True)
    assert shared.spearman > 0.4 > 0.2 > abs(disjoint.spearman)


@pytest.mark.parametrize(
    "probe", [distance_forms.bilinear, lambda rows, seed: distance_forms.projection(rows, seed, 8)]
)
def test_forms_read_distance_where_it_is_and_guess_where_it_is_not(probe: object) -> None:
    walk, noise = probe(WALK, 0), probe(NOISE, 0)  # type: ignore[operator]
    assert walk.mae < 0.25 * walk.guess
    assert walk.spearman > 0.9
    assert noise.mae == pytest.approx(noise.guess, rel=0.12)
    assert abs(noise.spearman) < 0.3


def test_bilinear_equals_ridge_regression_on_products_of_columns() -> None:
    table = RNG.standard_normal((40, 3)).cumsum(axis=0)
    rows = table - table.mean(axis=0)
    rows /= np.sqrt(np.square(rows).sum(axis=1).mean())
    rows = np.concatenate([rows, np.ones((40, 1))], axis=1)
    train, _, test = distance_forms.split_positions(40, 5)
    products = [
        np.array([np.kron(rows[i], rows[j]) for i, j in grid(part)]) for part in (train, test)
    ]
    gaps = [np.abs(grid(part)[:, 0] - grid(part)[:, 1]) for part in (train, test)]
    model = Ridge(alpha=0.1, fit_intercept=False, solver="svd").fit(products[0], gaps[0])
    wanted = np.abs(model.predict(products[1]) - gaps[1]).mean()
    assert distance_forms.bilinear(table, 5, [0.1]).mae == pytest.approx(wanted)


def test_a_projection_repeats() -> None:
    first, second = (distance_forms.projection(WALK, 3, 2) for _ in range(2))
    assert first.mae == second.mae


def test_readings_count_every_test_pair() -> None:
    reading = distance_forms.bilinear(WALK, 0)
    assert reading.band_count.sum() == 24**2
    assert reading.band_error.sum() / 24**2 == pytest.approx(reading.mae)


def test_what_cannot_be_probed_is_named() -> None:
    with pytest.raises(InvalidValueError, match="at least 1 axis"):
        distance_forms.projection(WALK, 0, 0)
    with pytest.raises(InvalidValueError, match="equal"):
        distance_forms.bilinear(np.ones((30, 4)), 0)
