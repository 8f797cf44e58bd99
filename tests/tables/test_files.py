"""Tables from the user's own files, and every way such a file can be wrong."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch_file

from positions import tables
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError, UnknownNameError

ROWS = np.random.default_rng(0).standard_normal((20, 6)).astype(np.float32)


def holed(value: float) -> np.ndarray:
    """Rows with one such value, in row 3."""
    rows = ROWS.copy()
    rows[3, 3] = value
    return rows


def refused(path: Path, kind: type[Exception], match: str, **options: object) -> None:
    with pytest.raises(kind, match=match) as caught:
        tables.load(str(path), **options)
    assert path.name in str(caught.value)


def test_numpy_file(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", ROWS)
    table = tables.load(str(tmp_path / "mine.npy"))
    np.testing.assert_array_equal(table.rows, ROWS)
    assert table.title == "mine"
    assert str(tmp_path / "mine.npy") in table.source
    assert tables.at_hand(str(tmp_path / "mine.npy"))


def test_relative_path_and_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "mine.npy", ROWS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("mine.npy", "./mine.npy", "~/mine.npy"):
        np.testing.assert_array_equal(tables.load(name).rows, ROWS)


def test_controls_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.f32"
    ROWS.tofile(path)
    mixed = tables.load(f"shuffled:{path}", width=6, seed=1)
    assert sorted(map(tuple, mixed.rows)) == sorted(map(tuple, ROWS))


@pytest.mark.parametrize("options", [{"width": 6}, {"shape": (20, 6)}, {"shape": [20, 6]}])
def test_raw_file(tmp_path: Path, options: dict[str, object]) -> None:
    ROWS.tofile(tmp_path / "mine.f32")
    np.testing.assert_array_equal(tables.load(str(tmp_path / "mine.f32"), **options).rows, ROWS)


def test_safetensors_file_finds_its_position_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    save_file({"h.0.weight": ROWS[:2], "transformer.wpe.weight": ROWS}, path)
    np.testing.assert_array_equal(tables.load(str(path)).rows, ROWS)
    np.testing.assert_array_equal(tables.load(str(path), parameter="h.0.weight").rows, ROWS[:2])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_safetensors_in_other_precisions(tmp_path: Path, dtype: torch.dtype) -> None:
    path = tmp_path / "mine.safetensors"
    kept = torch.from_numpy(ROWS).to(dtype)
    save_torch_file({"wpe.weight": kept}, path)
    np.testing.assert_array_equal(tables.load(str(path)).rows, kept.float().numpy())


def test_no_such_file(tmp_path: Path) -> None:
    assert not tables.at_hand(str(tmp_path / "none.npy"))
    refused(tmp_path / "none.npy", NotAtHandError, "There is no file")
    refused(tmp_path / "none", NotAtHandError, "There is no file")


@pytest.mark.parametrize("suffix", [".bin", ".pt", ".pkl", ".npz", ".csv", ".txt", ".unheard", ""])
def test_other_forms_are_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"mine{suffix}"
    path.write_bytes(pickle.dumps(ROWS))
    refused(path, InvalidValueError, r"readable forms: \.npy, \.safetensors, \.f32")


def test_folder_is_no_file(tmp_path: Path) -> None:
    refused(tmp_path, NotAtHandError, "There is no file")


def test_pickled_object_is_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "mine.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    refused(path, DamagedFileError, "pickle")
    path.write_bytes(pickle.dumps(ROWS))
    refused(path, DamagedFileError, "NumPy array")


@pytest.mark.parametrize("length", [0, 5, 130])
def test_numpy_file_cut_short(tmp_path: Path, length: int) -> None:
    path = tmp_path / "mine.npy"
    np.save(path, ROWS)
    path.write_bytes(path.read_bytes()[:length])
    refused(path, DamagedFileError, "NumPy array")


@pytest.mark.parametrize("length", [0, 5, 60, 200])
def test_safetensors_file_cut_short(tmp_path: Path, length: int) -> None:
    path = tmp_path / "mine.safetensors"
    save_file({"wpe.weight": ROWS}, path)
    path.write_bytes(path.read_bytes()[:length])
    refused(path, DamagedFileError, "cut short")


@pytest.mark.parametrize("length", [0, 100, 479])
def test_raw_file_cut_short(tmp_path: Path, length: int) -> None:
    path = tmp_path / "mine.f32"
    path.write_bytes(ROWS.tobytes()[:length])
    refused(path, DamagedFileError, f"holds {length} bytes", shape=(20, 6))
    refused(path, DamagedFileError, f"holds {length} bytes", width=6)


def test_raw_file_with_a_shape_that_is_not_its_own(tmp_path: Path) -> None:
    ROWS.tofile(tmp_path / "mine.f32")
    refused(tmp_path / "mine.f32", DamagedFileError, "holds 480 bytes", shape=(20, 7))
    refused(tmp_path / "mine.f32", DamagedFileError, "holds 480 bytes", width=1000)


@pytest.mark.parametrize("options", [{}, {"shape": (20, 6), "width": 6}])
def test_raw_file_needs_one_of_shape_and_width(tmp_path: Path, options: dict[str, object]) -> None:
    ROWS.tofile(tmp_path / "mine.f32")
    refused(tmp_path / "mine.f32", InvalidValueError, "either shape=", **options)


@pytest.mark.parametrize(
    "options",
    [
        *({"shape": shape} for shape in (20, (20,), (20, 0), (20, True), "ab")),
        *({"width": width} for width in (-1, 0, 6.0)),
    ],
)
def test_raw_file_with_an_impossible_shape(tmp_path: Path, options: dict[str, object]) -> None:
    ROWS.tofile(tmp_path / "mine.f32")
    with pytest.raises(InvalidValueError, match=r"^(shape|width)"):
        tables.load(str(tmp_path / "mine.f32"), **options)


@pytest.mark.parametrize(
    ("array", "match"),
    [
        (ROWS[0], r"shape \(6,\)"),
        (ROWS[None], r"shape \(1, 20, 6\)"),
        (ROWS[:0], r"shape \(0, 6\)"),
        (ROWS.astype(np.int64), "int64"),
        (holed(np.nan), "row 3 first"),
        (holed(np.inf), "row 3 first"),
    ],
    ids=["1-D", "3-D", "empty", "integers", "nan", "inf"],
)
def test_contents_that_are_no_table(tmp_path: Path, array: np.ndarray, match: str) -> None:
    np.save(tmp_path / "mine.npy", array)
    refused(tmp_path / "mine.npy", DamagedFileError, match)
    save_file({"wpe.weight": np.ascontiguousarray(array)}, tmp_path / "mine.safetensors")
    refused(tmp_path / "mine.safetensors", DamagedFileError, match)


def test_parameter_that_the_file_does_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    save_file({"wpe.weight": ROWS, "wte.weight": ROWS}, path)
    refused(path, UnknownNameError, r"'wpe\.wait'.*Valid: wpe\.weight\.$", parameter="wpe.wait")


def test_options_of_another_form(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", ROWS)
    refused(tmp_path / "mine.npy", InvalidValueError, "no option width. Valid: none", width=6)
