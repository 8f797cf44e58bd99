import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from positions import tables
from positions.analysis.probes import absolute
from positions.analysis.probes.least_squares import LeastSquares
from positions.analysis.rows import Array

RNG = np.random.default_rng(0)
SEEDS = range(5)


@pytest.fixture(scope="module")
def sinusoid() -> LeastSquares:
    return LeastSquares(tables.load("sinusoidal").rows)


def mae(rows: Array) -> Array:
    probe = LeastSquares(rows)
    return np.array([absolute.table_1(probe, seed).mae for seed in SEEDS])


def test_table_1_is_cross_validation_of_shuffled_rows() -> None:
    """The same with scikit-learn, in the authors' way: shuffle rows and targets, then fold."""
    table = RNG.standard_normal((100, 150)).cumsum(axis=0)
    order = np.random.default_rng(4).permutation(100)
    rows, targets = table[order], order
    errors = []
    for train, test in KFold(5).split(rows):
        predicted = LinearRegression().fit(rows[train], targets[train]).predict(rows[test])
        errors.append(np.abs(np.rint(predicted) - targets[test]).mean())
    assert absolute.table_1(table, 4).mae == pytest.approx(np.mean(errors))


def test_published_sinusoid_is_reproduced(sinusoid: LeastSquares) -> None:
    reading = absolute.table_1(sinusoid, 0)
    assert reading.mae == 0.0
    assert reading.mae_unrounded < 1e-3
    assert reading.spearman == pytest.approx(1)


def test_published_gpt2_is_reproduced(data_folder: object) -> None:
    assert mae(tables.load("gpt2").rows[:512]).mean() == pytest.approx(1.02, abs=0.06)


@pytest.mark.parametrize(("copy", "expected"), [("a", 33.85), ("b", 34.66), ("c", 35.18)])
def test_finetuned_copies_of_bert_lie_near_the_published_34_14(
    data_folder: object, copy: str, expected: float
) -> None:
    # One split has an s.d. of about 0.8; the expected figures are means of a few splits.
    rows = tables.load(f"bert-base-uncased-finetuned-{copy}").rows
    assert mae(rows).mean() == pytest.approx(expected, abs=1.0)


def test_a_random_walk_beats_gpt2() -> None:
    walks = [absolute.table_1(tables.load("random-walk", seed=s).rows, s).mae for s in SEEDS]
    assert np.mean(walks) == pytest.approx(0.69, abs=0.08)


def test_noise_is_worse_than_guessing_the_mean() -> None:
    noise = [absolute.table_1(tables.load("gaussian", seed=s).rows, s).mae for s in SEEDS]
    assert np.mean(noise) > 150
    assert absolute.mean_guess(np.arange(512), np.arange(512)) == 128.0


def test_blocks_of_the_sinusoid_are_not_extrapolated(sinusoid: LeastSquares) -> None:
    reading, by_block, guess = absolute.read_blocks(sinusoid)
    assert reading.mae == pytest.approx(55.1, abs=1)
    assert by_block == pytest.approx([126, 10, 2, 13, 124], abs=4)
    assert guess[[0, 4]] == pytest.approx([256, 256], abs=1)


def test_a_ramp_is_extrapolated_without_error() -> None:
    ramp = tables.load("ramp").rows
    assert absolute.read_blocks(ramp)[0].mae == 0
    assert all(split.mae == 0 for split in absolute.read_single_splits(ramp).values())


def test_one_hot_rows_say_nothing_of_rows_not_seen() -> None:
    folds = absolute.shuffled_folds(100, 0)
    predicted = absolute.read(np.eye(100), folds).predicted
    for fold in folds:
        assert predicted[fold] == pytest.approx(np.delete(np.arange(100), fold).mean())


def test_clipping_and_rounding_do_what_they_say() -> None:
    table = RNG.standard_normal((80, 120))
    folds = absolute.shuffled_folds(80, 1)
    reading = absolute.read(table, folds)
    inside = np.clip(np.rint(reading.predicted), 0, 79)
    assert reading.predicted.min() < 0 or reading.predicted.max() > 79
    assert reading.mae_clipped < reading.mae
    assert reading.mae_clipped == pytest.approx(np.abs(inside - np.arange(80)).mean(), rel=1e-9)
    assert np.abs(reading.error - np.abs(reading.predicted - np.arange(80))).max() <= 0.5


def test_rotation_leaves_table_1_unchanged() -> None:
    table = RNG.standard_normal((100, 150)).cumsum(axis=0)
    turned = table @ np.linalg.qr(RNG.standard_normal((150, 150)))[0]
    first, second = absolute.table_1(table, 2), absolute.table_1(turned, 2)
    assert second.predicted == pytest.approx(first.predicted, abs=1e-6)


def test_paths_end_where_least_squares_and_the_guess_are() -> None:
    table = RNG.standard_normal((100, 150)).cumsum(axis=0)
    plain = absolute.table_1(table, 3).mae
    ridge = absolute.ridge_path(table, 3, [1e-12, 1e12])
    assert ridge[0] == pytest.approx(plain, abs=0.02)
    assert ridge[1] == pytest.approx(25, abs=1)
    components = absolute.component_path(table, 3, [1, 99])
    assert components[1] == pytest.approx(plain, abs=0.02)
    assert components[0] > plain


def test_a_constant_table_has_no_rank_correlation() -> None:
    reading = absolute.read(np.ones((20, 3)), [np.arange(20)[5:], np.arange(5)])
    assert reading.mae > 0
    one = absolute.read(np.ones((20, 3)), absolute.blocks(20, 2))
    assert np.isfinite(one.mae)
    assert np.isnan(absolute.spearman(np.ones(4), np.arange(4.0)))
