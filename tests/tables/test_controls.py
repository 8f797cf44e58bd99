"""The controls keep what they promise to keep, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from positions import tables
from positions.errors import InvalidValueError
from positions.tables.controls import DERIVED, SYNTHETIC, orthonormal

SEEDED = ["gaussian", "random-walk", "smooth-random"]
SMALL = {"positions": 60, "width": 80}
BASE = "smooth-random"
MADE = [f"{kind}:{BASE}" for kind in DERIVED]


def rows(name: str, **options: object) -> np.ndarray:
    return tables.load(name, **options).rows.astype(np.float64)


@pytest.mark.parametrize("name", SYNTHETIC)
def test_default_size_is_that_of_the_papers_tables(name: str) -> None:
    assert tables.load(name).rows.shape == (512, 768)


@pytest.mark.parametrize("name", SYNTHETIC)
def test_size_can_be_chosen(name: str) -> None:
    assert tables.load(name, positions=7, width=9).rows.shape == (7, 9)
    assert tables.load(name, positions=1, width=1).rows.shape == (1, 1)


@pytest.mark.parametrize("name", [*SEEDED, *MADE])
def test_same_seed_same_bytes_and_another_seed_others(name: str) -> None:
    first = tables.load(name, seed=3, **SMALL)
    assert first.sha256 == tables.load(name, seed=3, **SMALL).sha256
    assert first.sha256 != tables.load(name, seed=4, **SMALL).sha256
    assert "seed 3" in first.source


def test_default_seed_is_zero() -> None:
    assert tables.load("gaussian").sha256 == tables.load("gaussian", seed=0).sha256


def test_kinds_do_not_share_their_random_numbers() -> None:
    steps = np.diff(rows("random-walk", seed=1, **SMALL), axis=0)
    noise = rows("gaussian", seed=1, **SMALL)
    assert abs(np.corrcoef(steps.ravel(), noise[1:].ravel())[0, 1]) < 0.1


def test_gaussian_is_standard_normal() -> None:
    drawn = rows("gaussian")
    assert abs(drawn.mean()) < 0.01
    assert drawn.std() == pytest.approx(1, abs=0.01)
    assert (drawn**4).mean() == pytest.approx(3, abs=0.1)


def test_random_walk_has_independent_standard_steps() -> None:
    steps = np.diff(rows("random-walk"), axis=0)
    assert steps.std() == pytest.approx(1, abs=0.01)
    assert abs(np.corrcoef(steps[1:].ravel(), steps[:-1].ravel())[0, 1]) < 0.01


def test_smooth_random_is_slow_and_of_unit_variance() -> None:
    drawn = rows("smooth-random")
    assert drawn.var() == pytest.approx(1, abs=0.1)
    # Twelve cosines of at most 6 turns span at most 24 dimensions, and neighbours differ by little.
    assert np.linalg.matrix_rank(drawn, tol=1e-3) <= 24
    assert np.abs(np.diff(drawn, axis=0)).max() < 0.3


def test_smooth_random_does_not_close_into_a_ring() -> None:
    drawn = rows("smooth-random")
    ends = np.linalg.norm(drawn[0] - drawn[-1])
    neighbours = np.linalg.norm(np.diff(drawn, axis=0), axis=1).mean()
    assert ends > 10 * neighbours


def test_one_hot_rows_are_equally_far_apart() -> None:
    drawn = rows("one-hot", **SMALL)
    np.testing.assert_array_equal(drawn @ drawn.T, np.eye(60))


def test_one_hot_needs_a_column_for_each_position() -> None:
    with pytest.raises(InvalidValueError, match="width of at least 60"):
        tables.load("one-hot", positions=60, width=59)


def test_ramp_is_the_index() -> None:
    drawn = rows("ramp", **SMALL)
    np.testing.assert_allclose(drawn, np.repeat(np.arange(60)[:, None] / 59, 80, 1), atol=1e-7)


def test_shuffled_keeps_every_row_and_loses_the_order() -> None:
    base, mixed = rows(BASE, **SMALL), rows(f"shuffled:{BASE}", **SMALL)
    assert sorted(map(tuple, base)) == sorted(map(tuple, mixed))
    order = [int(np.flatnonzero((base == row).all(axis=1))[0]) for row in mixed]
    assert abs(np.corrcoef(order, np.arange(60))[0, 1]) < 0.4


def test_shuffled_keeps_the_marginal_geometry() -> None:
    base, mixed = rows(BASE, **SMALL), rows(f"shuffled:{BASE}", **SMALL)
    np.testing.assert_allclose(mixed.mean(0), base.mean(0), atol=1e-6)
    np.testing.assert_allclose(np.cov(mixed.T), np.cov(base.T), atol=1e-6)
    np.testing.assert_allclose(
        np.linalg.svd(mixed, compute_uv=False), np.linalg.svd(base, compute_uv=False), atol=1e-5
    )


def test_rotated_keeps_every_product_of_rows() -> None:
    base, turned = rows(BASE, **SMALL), rows(f"rotated:{BASE}", **SMALL)
    np.testing.assert_allclose(turned @ turned.T, base @ base.T, atol=1e-3)
    assert np.abs(turned - base).max() > 0.5


def test_spectrum_matched_keeps_the_singular_values_and_no_product() -> None:
    base, drawn = rows(BASE, **SMALL), rows(f"spectrum-matched:{BASE}", **SMALL)
    np.testing.assert_allclose(
        np.linalg.svd(drawn, compute_uv=False), np.linalg.svd(base, compute_uv=False), atol=1e-4
    )
    assert abs(np.corrcoef((drawn @ drawn.T).ravel(), (base @ base.T).ravel())[0, 1]) < 0.3


@pytest.mark.parametrize(("positions", "width"), [(30, 80), (80, 30)])
def test_spectrum_matched_of_tall_and_wide_tables(positions: int, width: int) -> None:
    size = {"positions": positions, "width": width}
    drawn = rows("spectrum-matched:gaussian", **size)
    assert drawn.shape == (positions, width)
    np.testing.assert_allclose(
        np.linalg.svd(drawn, compute_uv=False),
        np.linalg.svd(rows("gaussian", **size), compute_uv=False),
        atol=1e-4,
    )


@pytest.mark.parametrize(("length", "columns"), [(50, 50), (50, 20)])
def test_orthonormal_columns(length: int, columns: int) -> None:
    q = orthonormal(np.random.default_rng(0), length, columns)
    np.testing.assert_allclose(q.T @ q, np.eye(columns), atol=1e-12)


def test_orthonormal_columns_are_uniform() -> None:
    """Under the Haar measure the trace of an n x n orthogonal matrix has mean 0 and variance 1.

    A QR decomposition without the signs set has a mean trace far below 0.
    """
    generator = np.random.default_rng(0)
    traces = [np.trace(orthonormal(generator, 8, 8)) for _ in range(4000)]
    assert np.mean(traces) == pytest.approx(0, abs=0.06)
    assert np.var(traces) == pytest.approx(1, abs=0.1)


def test_control_of_a_control() -> None:
    mixed = tables.load("shuffled:rotated:ramp", positions=30, width=5, seed=1)
    assert mixed.name == "shuffled:rotated:ramp"
    assert mixed.rows.shape == (30, 5)
    assert "rotated" in mixed.title and "shuffled" in mixed.title


def test_seed_belongs_to_the_outer_control() -> None:
    base = rows("gaussian", **SMALL)
    mixed = rows("shuffled:gaussian", seed=5, **SMALL)
    assert sorted(map(tuple, base)) == sorted(map(tuple, mixed))


def test_control_of_a_real_table_keeps_its_note(data_folder: object) -> None:
    name = "bert-base-uncased-finetuned-a"
    assert tables.load(f"shuffled:{name}").note == tables.load(name).note


@pytest.mark.parametrize("seed", [-1, 1.5, True, "0", None])
def test_bad_seeds(seed: object) -> None:
    for name in ("gaussian", "shuffled:ramp"):
        with pytest.raises(InvalidValueError, match="seed"):
            tables.load(name, seed=seed)


@pytest.mark.parametrize("option", ["positions", "width"])
@pytest.mark.parametrize("size", [0, -3, 2.0, True, "512", None])
@pytest.mark.parametrize("name", [*SYNTHETIC, "sinusoidal"])
def test_bad_sizes(name: str, option: str, size: object) -> None:
    with pytest.raises(InvalidValueError, match=option):
        tables.load(name, **{option: size})


def test_table_that_would_fill_the_memory() -> None:
    with pytest.raises(InvalidValueError, match="too large"):
        tables.load("gaussian", positions=10**6, width=10**6)
