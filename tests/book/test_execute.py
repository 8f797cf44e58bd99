"""Execution: skipped where nothing changed, and never at the cost of the last good output."""

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest

from positions.book import execute
from positions.errors import UnknownNameError


def add_chapter(project: Path, name: str, *sources: str) -> Path:
    path = project / "chapters" / f"{name}.ipynb"
    head = nbformat.v4.new_code_cell("preset = 'laptop'", metadata={"tags": ["parameters"]})
    cells = [head, *(nbformat.v4.new_code_cell(source) for source in sources)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def printed(path: Path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return "".join(output.get("text", "") for output in outputs)


def test_nothing_runs_twice_for_nothing(project: Path) -> None:
    path = add_chapter(project, "one", "print(preset)")
    first = execute.run("one")
    assert (first.kept, printed(first.path)) == (False, "laptop\n")
    content = first.path.read_bytes()
    assert execute.run("one").kept
    assert not execute.run("one", force=True).kept
    assert first.path.read_bytes() == content  # equal runs give equal files
    assert not execute.run("one", {"preset": "gpu"}).kept
    assert printed(first.path) == "gpu\n"
    path.write_text(path.read_text().replace("print(preset)", "print('new')"))
    assert not execute.run("one").kept
    (project / "results").mkdir()
    (project / "results" / "new.jsonl").write_text("{}\n")
    assert not execute.run("one").kept


def test_kernel_is_this_python_in_the_chapters_folder(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # no kernels of the user's
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POSITIONS_DATA", "data")
    add_chapter(
        project,
        "where",
        "import os, sys, json\nfrom positions import paths\n"
        "print(json.dumps([sys.executable, os.getcwd(), str(paths.project()), str(paths.data())]))",
    )
    found = json.loads(printed(execute.run("where").path))
    assert found == [
        sys.executable,
        str(project / "chapters"),
        str(project),
        str(tmp_path / "data"),
    ]
    assert os.environ["POSITIONS_DATA"] == "data"


def test_a_failing_cell_is_named_and_the_last_good_output_kept(project: Path) -> None:
    path = add_chapter(project, "two", "1 + 1", "print('good')")
    good = execute.run("two").path
    content = good.read_bytes()
    path.write_text(path.read_text().replace("print('good')", "raise OSError('no luck')"))
    with pytest.raises(
        execute.ChapterFailedError,
        match=r"two failed in cell 3 of 3 \(raise OSError\('no luck'\)\): OSError: no luck",
    ):
        execute.run("two", {"preset": "gpu"})
    assert good.read_bytes() == content
    assert "no luck" in good.with_suffix(".failed.ipynb").read_text()
    assert not list(good.parent.glob(".*"))
    path.write_text(path.read_text().replace("raise OSError('no luck')", "print('mended')"))
    execute.run("two")
    assert not good.with_suffix(".failed.ipynb").exists()


def test_a_cell_that_ends_the_process_in_peace_is_a_failure_too(project: Path) -> None:
    path = add_chapter(project, "two", "1 + 1", "print('good')")
    good = execute.run("two").path
    content = good.read_bytes()
    path.write_text(path.read_text().replace("print('good')", "raise SystemExit(0)"))
    with pytest.raises(execute.ChapterFailedError, match="two ended early"):
        execute.run("two")
    assert good.read_bytes() == content


def test_a_kernel_that_dies_is_told(project: Path) -> None:
    add_chapter(project, "dead", "import os", "os._exit(1)")
    with pytest.raises(execute.ChapterFailedError, match="dead stopped: its process died"):
        execute.run("dead")


def test_unknown_parameters_run_nothing(project: Path) -> None:
    add_chapter(project, "one", "print(preset)")
    with pytest.raises(UnknownNameError, match="Valid: preset"):
        execute.run("one", {"presets": "gpu"})
    assert not (project / "_build").exists()


def test_executed_notebooks_hold_no_path_of_this_machine(project: Path) -> None:
    add_chapter(project, "one", "print(preset)")
    assert str(project) not in execute.run("one").path.read_text()
