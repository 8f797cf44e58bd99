"""Fixtures that every test may use."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


def pytest_configure() -> None:
    """Let tests interrupt their children, also where the suite was started in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def data_folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of real data: `POSITIONS_DATA`, else `../shared/data` beside the checkout."""
    folder = Path(os.environ.get("POSITIONS_DATA") or CHECKOUT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no real data: {folder} is no folder (set POSITIONS_DATA to one)")
    monkeypatch.setenv("POSITIONS_DATA", str(folder))
    return folder


@pytest.fixture
def store(tmp_path: Path):
    """An empty store of records."""
    from positions.runs import Store

    return Store(tmp_path / "results")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small book of its own, the sample in `tests/book/sample`, as the current project."""
    folder = tmp_path / "project"
    shutil.copytree(CHECKOUT / "tests" / "book" / "sample", folder)
    for name in ("_config.yml", "_static", "references.bib"):
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    monkeypatch.setenv("POSITIONS_PROJECT", str(folder))
    return folder
