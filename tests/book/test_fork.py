"""Forks: a copy with a place of its own in the book."""

from pathlib import Path

import nbformat
import pytest

from positions.book import execute, parameters, toc
from positions.book.fork import fork
from positions.errors import InvalidValueError, UnknownNameError


def snapshot(project: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}


def test_a_fork_is_listed_behind_its_original(project: Path) -> None:
    before = (project / "_toc.yml").read_text()
    path = fork("sample", "own-sample")
    assert path == project / "chapters" / "own-sample.ipynb"
    assert [page.stem for page in toc.pages()] == ["index", "sample", "own-sample", "plain"]
    assert before == (project / "_toc.yml").read_text().replace(
        "      - file: chapters/own-sample\n", ""
    )


def test_a_fork_has_the_same_code_and_a_title_of_its_own(project: Path) -> None:
    copy = parameters.notebook(fork("sample", "own"))
    original = parameters.notebook(toc.chapter("sample").path)

    def code(node: nbformat.NotebookNode) -> list[str]:
        return [cell.source for cell in node.cells if cell.cell_type == "code"]

    assert code(copy) == code(original)
    assert "# A sample chapter (own)" in copy.cells[0].source


def test_labels_are_renamed_where_they_are_labels(project: Path) -> None:
    path = project / "chapters" / "labelled.ipynb"
    text = (
        "(sine{0})=\n# On sine{1}\n\nA sine, {{ref}}`sine{0}`, "
        "{{ref}}`this <sine{0}>`, [x](#sine{0}).\n"
        "\n$$\na\n$$ (eq{0})\n\n{{eq}}`eq{0}`"
    )
    cell = nbformat.v4.new_markdown_cell(text.format("", ""))
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    renamed = parameters.notebook(fork("labelled", "b")).cells[0].source
    assert renamed == text.format("-b", " (b)")


def test_a_fork_runs(project: Path) -> None:
    fork("sample", "own")
    assert execute.run("own", {"seeds": 7}).path.name == "own.ipynb"


@pytest.mark.parametrize(
    ("chapter", "name", "error", "message"),
    [
        ("smaple", "own", UnknownNameError, "Did you mean 'sample'"),
        ("sample", "sample", InvalidValueError, "exists already"),
        ("sample", "plain", InvalidValueError, "exists already"),
        ("sample", "../own", InvalidValueError, "can't name a chapter"),
        ("sample", "My Own", InvalidValueError, "can't name a chapter"),
        ("sample", "", InvalidValueError, "can't name a chapter"),
    ],
)
def test_bad_forks_change_nothing(
    project: Path, chapter: str, name: str, error: type, message: str
) -> None:
    before = snapshot(project)
    with pytest.raises(error, match=message):
        fork(chapter, name)
    assert snapshot(project) == before
