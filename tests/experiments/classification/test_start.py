"""The rows a table starts from, step by step as the paper's code makes them."""

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from positions import tables
from positions.encodings.sinusoidal import sinusoid
from positions.errors import InvalidValueError
from positions.experiments.classification.start import check_reach, rows_of


def test_random_is_drawn_as_the_host_would_and_zeros_are_zero() -> None:
    rows, digests = rows_of("random", "paper", 128, 64, seed=3)
    assert rows.shape == (128, 64) and digests == {}
    assert (rows.mean(), rows.std()) == pytest.approx((0, 1), abs=0.05)
    assert not np.array_equal(rows, rows_of("random", "paper", 128, 64, seed=4)[0])
    assert not rows_of("zeros", "paper", 128, 64, seed=3)[0].any()


def test_the_papers_sinusoid_is_not_rescaled() -> None:
    rows, _ = rows_of("sinusoidal", "paper", 128, 256, 0)
    assert rows == pytest.approx(sinusoid(torch.arange(128), 256).numpy())
    # standard deviation and mean as the specification has them
    assert (rows.std(), rows.mean()) == pytest.approx((0.62, 0.34), abs=0.01)
    matched, _ = rows_of("sinusoidal", "matched", 128, 256, 0)
    assert (matched.std(), matched.mean()) == pytest.approx((1, 0))
    assert np.corrcoef(matched.flat, rows.flat)[0, 1] == pytest.approx(1)


def test_a_learned_table_is_reduced_cut_and_rescaled(data_folder) -> None:
    rows, digests = rows_of("gpt2", "paper", 128, 32, 0)
    table = tables.load("gpt2")
    theirs = PCA(32).fit_transform(table.rows.astype(np.float64))[:128]  # on all 1,024 rows
    theirs = (theirs - theirs.mean()) / theirs.std()
    assert np.abs(rows) == pytest.approx(np.abs(theirs), abs=0.05)
    assert np.abs(np.corrcoef(rows[:, 0], theirs[:, 0])[0, 1]) > 0.9999
    assert (rows.mean(), rows.std()) == pytest.approx((0, 1))
    assert digests == {"table gpt2": table.sha256}


def test_each_preparation_changes_what_it_says(data_folder) -> None:
    name = "bert-base-uncased-finetuned-a"
    plain, white, turned, cut = (
        rows_of(name, how, 128, 32, 0)[0] for how in ("paper", "whitened", "turned", "cut")
    )
    assert plain.std(axis=0).max() > 3 * plain.std(axis=0).min()
    assert white.std(axis=0) == pytest.approx(np.ones(32))
    assert turned @ turned.T == pytest.approx(plain @ plain.T)
    first = tables.load(name).rows[:128, :32].astype(np.float64)
    assert cut == pytest.approx((first - first.mean()) / first.std())
    assert rows_of(name, "matched", 128, 32, 0)[0] == pytest.approx(plain)


def test_shuffled_rows_are_the_same_rows(data_folder) -> None:
    plain, _ = rows_of("gpt2", "paper", 128, 16, 0)
    mixed, _ = rows_of("shuffled:gpt2", "paper", 128, 16, 0)
    assert sorted(map(tuple, mixed)) == sorted(map(tuple, plain))
    assert not np.allclose(mixed, plain)
    assert not np.array_equal(mixed, rows_of("shuffled:gpt2", "paper", 128, 16, 1)[0])


def test_a_table_file_of_ones_own(tmp_path) -> None:
    path = tmp_path / "mine.npy"
    np.save(path, np.random.default_rng(0).normal(size=(60, 24)).astype(np.float32))
    assert rows_of(str(path), "paper", 50, 8, 0)[0].shape == (50, 8)
    with pytest.raises(InvalidValueError, match=r"24 columns.*width = 32 can't be had"):
        rows_of(str(path), "paper", 50, 32, 0)
    with pytest.raises(InvalidValueError, match="60 rows, and 64 are asked for"):
        rows_of(str(path), "paper", 64, 8, 0)


def test_a_text_longer_than_the_table_is_said() -> None:
    check_reach(128, 128, "cr")
    with pytest.raises(InvalidValueError, match=r"A text of cr has 129 words.*rows = 129 or more"):
        check_reach(129, 128, "cr")
