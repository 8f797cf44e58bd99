"""The tables: scales, offsets, and what fits nowhere."""

import numpy as np
import pytest

from positions import tables
from positions.errors import InvalidValueError
from positions.experiments.translation.start import table_of


@pytest.mark.parametrize("name", ["random", "sinusoidal", "gpt2"])
def test_matched_tables_have_one_scale(data_folder, name) -> None:
    rows, _ = table_of(name, "matched", "encoder", 96, 32, 0)
    assert rows.shape == (96, 32)
    assert rows.mean() == pytest.approx(0, abs=1e-9) and rows.std() == pytest.approx(1)


def test_the_papers_scales_differ(data_folder) -> None:
    random, sinusoid = (
        table_of(name, "paper", "encoder", 96, 64, 0)[0] for name in ("random", "sinusoidal")
    )
    assert random.std() == pytest.approx(1 / 8, rel=0.05)
    assert 0.55 < sinusoid.std() < 0.75
    whole = tables.load("gpt2").rows.astype(float)
    gpt2, digests = table_of("gpt2", "paper", "encoder", len(whole) - 2, 64, 0)
    assert gpt2.std() == pytest.approx(1, rel=0.05), "over the whole table, its first rows too"
    assert list(digests) == ["table gpt2"]


def test_the_first_token_has_row_two_in_the_paper_and_row_zero_here(data_folder) -> None:
    whole = tables.load("sinusoidal", positions=42, width=16).rows
    found, _ = table_of("sinusoidal", "paper", "encoder", 40, 16, 0)
    assert np.allclose(found, whole[2:])
    for name in ("sinusoidal", "gpt2"):
        right, _ = table_of(name, "matched", "encoder", 40, 16, 0)
        shifted, _ = table_of(name, "paper", "encoder", 38, 16, 0)
        assert np.corrcoef(right[2:].ravel(), shifted.ravel())[0, 1] > 0.999


def test_random_differs_by_side_and_seed_and_zeros_are_zero() -> None:
    drawn = [
        table_of("random", "matched", side, 8, 4, seed)[0]
        for side in ("encoder", "decoder")
        for seed in (0, 1)
    ]
    assert len({each.tobytes() for each in drawn}) == 4
    assert not table_of("zeros", "matched", "encoder", 8, 4, 0)[0].any()


def test_a_table_too_short_or_too_narrow_is_said(tmp_path) -> None:
    path = tmp_path / "short.npy"
    np.save(path, np.random.default_rng(0).standard_normal((40, 16)))
    with pytest.raises(InvalidValueError, match="has 40 rows, and 41 are asked for"):
        table_of(str(path), "matched", "encoder", 41, 16, 0)
    with pytest.raises(InvalidValueError, match="has 40 rows, and 41 are asked for"):
        table_of(str(path), "paper", "encoder", 39, 16, 0)
    with pytest.raises(InvalidValueError, match="16 columns"):
        table_of(str(path), "matched", "encoder", 20, 32, 0)
