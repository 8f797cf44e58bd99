import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from positions import tables
from positions.analysis.probes import order
from positions.analysis.probes.pairs import draw
from positions.analysis.rows import Array
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
TABLE = RNG.standard_normal((100, 40))


def errors(rows: Array, seeds: int) -> Array:
    return np.array([order.table_2(rows, seed).error for seed in range(seeds)])


@pytest.mark.parametrize("features", ["concatenation", "difference"])
@pytest.mark.parametrize("standardise", [False, True])
def test_table_2_is_cross_validation_of_pairs(
    features: order.logistic.Features, standardise: bool
) -> None:
    pairs = draw(100, 512, np.random.default_rng(7))
    first, second = TABLE[pairs[:, 0]], TABLE[pairs[:, 1]]
    both = np.concatenate([first, second], axis=1)
    written_out = second - first if features == "difference" else both
    model = LogisticRegression(max_iter=1_000, tol=1e-8)
    if standardise:
        model = make_pipeline(StandardScaler(), model)
    accuracy = cross_val_score(model, written_out, pairs[:, 1] > pairs[:, 0], cv=StratifiedKFold(5))
    reading = order.table_2(TABLE, 7, features=features, standardise=standardise)
    # One of 512 pairs may sit on the border and fall to either side.
    assert reading.error == pytest.approx(100 * (1 - accuracy.mean()), abs=0.25)


def test_published_sinusoid_lies_in_the_range_over_seeds() -> None:
    found = errors(tables.load("sinusoidal").rows, 10)
    assert found.mean() == pytest.approx(5.93, abs=1.0)
    assert found.min() - 1 < 5.08 < found.max() + 1


def test_noise_is_better_than_chance_only_where_positions_recur() -> None:
    rows = tables.load("gaussian").rows
    assert errors(rows, 6).mean() == pytest.approx(37.5, abs=3.5)
    apart = [order.disjoint(rows, seed).error for seed in range(6)]
    assert np.mean(apart) == pytest.approx(50, abs=4)


def test_gpt2_is_ahead_of_finetuned_bert(data_folder: object) -> None:
    gpt2 = errors(tables.load("gpt2").rows[:512], 6)
    bert = errors(tables.load("bert-base-uncased-finetuned-a").rows, 6)
    assert gpt2.max() < 5 < bert.min()


def test_more_pairs_let_noise_be_looked_up() -> None:
    rows = tables.load("gaussian").rows
    assert order.table_2(rows, 0, 8_192).error == pytest.approx(7, abs=2)


def test_scale_is_mixed_up_with_the_penalty_until_standardised() -> None:
    rows = tables.load("sinusoidal").rows.astype(np.float64)
    full, small = errors(rows, 4), errors(0.01 * rows, 4)
    assert small.mean() > full.mean() + 1
    standardised = [order.table_2(scale * rows, 0, standardise=True).error for scale in (1, 0.01)]
    assert standardised[0] == pytest.approx(standardised[1], abs=0.25)


def test_a_ramp_is_ordered_without_error_even_where_positions_are_held_out() -> None:
    ramp = 100 * np.linspace(0, 1, 200)[:, None]
    assert order.disjoint(ramp, 0).error < 2
    assert order.in_blocks(ramp, 0).error < 2


def test_a_position_does_not_come_after_itself() -> None:
    pairs = np.array([[1, 1], [1, 2], [2, 1]])
    assert order.comes_after(pairs).tolist() == [False, True, False]
    assert order.comes_after(pairs, ranks=[0, 9, 5]).tolist() == [False, False, True]


def test_readings_hold_every_test_pair() -> None:
    reading = order.table_2(TABLE, 1)
    assert len(reading.pairs) == len(reading.wrong) == 512
    assert reading.error == pytest.approx(100 * reading.wrong.mean(), abs=0.1)
    assert len(reading.fold_errors) == 5


def test_rotation_leaves_table_2_unchanged() -> None:
    turned = TABLE @ np.linalg.qr(RNG.standard_normal((40, 40)))[0]
    assert order.table_2(turned, 3).error == pytest.approx(order.table_2(TABLE, 3).error, abs=0.25)


def test_too_few_pairs_are_named() -> None:
    with pytest.raises(InvalidValueError, match="too few"):
        order.table_2(TABLE, 0, count=6)
