"""Encodings in files of one's own, named in POSITIONS_ENCODINGS."""

import os
from pathlib import Path

import nbformat
import pytest

from positions import encodings
from positions.encodings import files, registry
from positions.errors import InvalidValueError, NotAtHandError, PositionsError

CLASS = """
from positions.encodings import Encoding, register

@register("own")
class Own(Encoding):
    strength = {}
"""


@pytest.fixture(autouse=True)
def untouched_registry(monkeypatch):
    monkeypatch.setattr(registry, "_classes", dict(registry._classes))
    monkeypatch.setattr(registry, "_seen", set())


@pytest.fixture
def name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, file="own.py"):
        Path(file).write_text(text)
        monkeypatch.setenv(files.VARIABLE, file)

    return write


def notebook(*cells):
    node = nbformat.v4.new_notebook()
    for source, tags in cells:
        node.cells.append(nbformat.v4.new_code_cell(source, metadata={"tags": tags}))
    return nbformat.writes(node)


def test_a_file_registers_its_encodings(name):
    name(CLASS.format(2))
    assert encodings.names()[-1] == "own"
    assert encodings.build("own", width=8, heads=2, max_length=4).strength == 2


def test_without_the_variable_there_is_nothing_new(monkeypatch):
    monkeypatch.delenv(files.VARIABLE, raising=False)
    assert files.named() == []
    assert "own" not in encodings.names()


def test_of_a_notebook_the_tagged_cells_alone_are_run(name):
    name(notebook(("raise ValueError", []), (CLASS.format(3), ["encoding"])), "own.ipynb")
    assert encodings.get("own").strength == 3


def test_a_chapter_that_runs_its_own_cell_replaces_the_class(name):
    name(notebook((CLASS.format(3), ["encoding"])), "own.ipynb")
    encodings.names()
    exec(CLASS.format(4), {"__name__": "__main__"})
    assert encodings.get("own").strength == 4


def test_several_files_are_separated_as_in_path(name, monkeypatch):
    name(CLASS.format(2))
    Path("other.py").write_text(CLASS.format(5).replace("own", "other"))
    monkeypatch.setenv(files.VARIABLE, os.pathsep.join(["own.py", "other.py"]))
    assert {"own", "other"} <= set(encodings.names())


def test_a_relative_path_is_found_in_the_project_too(project, tmp_path, monkeypatch):
    (project / "chapters" / "own.py").write_text(CLASS.format(2))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(files.VARIABLE, "chapters/own.py")
    assert files.named() == [project / "chapters" / "own.py"]


def test_a_file_that_asks_for_names_is_run_once(name):
    name(CLASS.format(2) + "from positions import encodings\nencodings.names()\n")
    assert encodings.names().count("own") == 1


@pytest.mark.parametrize(
    ("text", "file", "error", "message"),
    [
        ("1 / 0", "own.py", PositionsError, r"own\.py.*ZeroDivisionError.*Mend it, or unset"),
        ("def", "own.py", PositionsError, r"own\.py.*SyntaxError"),
        ("{}", "own.ipynb", PositionsError, r"own\.ipynb.*KeyError"),
        (notebook(("x = 1", [])), "own.ipynb", InvalidValueError, "no cell tagged 'encoding'"),
        ("x = 1", "own.txt", InvalidValueError, r"\.py or \.ipynb"),
        (CLASS.replace("own", "alibi"), "own.py", InvalidValueError, "registered already"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(name, text, file, error, message):
    name(text, file)
    for _ in range(2):  # the second question gets the same answer
        with pytest.raises(error, match=message):
            encodings.names()


def test_a_file_that_is_not_there_is_named(project, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, "chapters/gone.py")
    with pytest.raises(NotAtHandError, match=r"'chapters/gone\.py'.*looked for"):
        encodings.get("nope")
