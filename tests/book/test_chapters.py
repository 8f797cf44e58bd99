"""The chapters themselves: clean sources that run, with the data at hand and without."""

import shutil
from pathlib import Path

import nbformat
import pytest

from positions.book import execute, parameters, toc

CHECKOUT = Path(__file__).resolve().parents[2]
CHAPTERS = toc.listed(CHECKOUT)

pytestmark = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the book, so that running it leaves no trace in the checkout."""
    folder = tmp_path / "book"
    for name in ("chapters", "results"):
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, folder / name)
    shutil.copy(CHECKOUT / "_toc.yml", folder)
    monkeypatch.setenv("POSITIONS_PROJECT", str(folder))
    return folder


def smoke(chapter: toc.Chapter) -> dict[str, str]:
    return {"preset": "smoke"} if "preset" in parameters.read(chapter.path) else {}


def test_source_is_clean(chapter: toc.Chapter) -> None:
    node = parameters.notebook(chapter.path)
    assert (node.nbformat, node.nbformat_minor) == (4, 5)
    assert node.metadata.kernelspec.name == "python3"
    assert node.metadata.kernelspec.language == "python"
    code = [cell for cell in node.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert sum(parameters.TAG in cell.metadata.get("tags", []) for cell in code) == 1
    too_long = [cell.source for cell in code if len(cell.source.splitlines()) > 20]
    assert too_long == []


def test_runs_at_smoke(chapter: toc.Chapter, book: Path, data_folder: Path) -> None:
    done = execute.run(chapter.name, smoke(chapter))
    errors = [
        output
        for cell in nbformat.read(done.path, as_version=4).cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]
    assert errors == []


def test_runs_with_nothing_at_hand(
    chapter: toc.Chapter, book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POSITIONS_DATA", raising=False)
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert execute.run(chapter.name, smoke(chapter)).path.is_file()
