"""The whole way of an encoding of one's own: from a fork to a column in the book's chapter."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from positions.book import execute, parameters, toc
from positions.encodings import files

CHECKOUT = Path(__file__).resolve().parents[2]
CLASS = '''
from positions.encodings import Encoding, register


@register("zigzag")
class Zigzag(Encoding):
    """A penalty that alternates with distance."""

    def bias(self, q, k, q_ids, k_ids):
        distance = q_ids[:, None, :, None] - k_ids[:, None, None, :]
        return -(distance % 2).float()
'''


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "book"
    (folder / "chapters").mkdir(parents=True)
    for name in ("your-encoding", "length-generalization"):
        shutil.copy(CHECKOUT / "chapters" / f"{name}.ipynb", folder / "chapters")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: chapters/your-encoding\nparts:\n  - caption: Chapters\n"
        "    chapters:\n      - file: chapters/length-generalization\n"
    )
    monkeypatch.setenv("POSITIONS_PROJECT", str(folder))
    monkeypatch.delenv(files.VARIABLE, raising=False)
    monkeypatch.chdir(folder)
    return folder


def positions(*arguments: str, own: str = "") -> str:
    """Run the command line in a process of its own."""
    start = "from positions.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, *arguments],
        env={**os.environ, files.VARIABLE: own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rewrite(path: Path) -> None:
    """Put another class and its name into a fork, as a reader would."""
    node = nbformat.read(path, as_version=4)
    for cell in node.cells:
        tags = cell.metadata.get("tags", [])
        if files.TAG in tags:
            cell.source = CLASS.strip()
        if parameters.TAG in tags:
            cell.source = cell.source.replace("kerple", "zigzag")
    nbformat.write(node, path)


def test_from_a_fork_to_a_column_of_the_book(book: Path) -> None:
    positions("fork", "your-encoding", "mine")
    rewrite(book / "chapters" / "mine.ipynb")
    own = "chapters/mine.ipynb"
    assert "zigzag" in positions("list", own=own)

    sweep = ("sweep", "length_generalization", "--preset", "smoke", "--jobs", "2")
    chosen = ("--where", "encoding=zigzag", "--where", "task=copy_v3_multi")
    positions(*sweep, *chosen, own=own)
    lines = (book / "results" / "length_generalization" / "smoke.jsonl").read_text().splitlines()
    recorded = [json.loads(line) for line in lines]
    assert [each["config"]["encoding"] for each in recorded] == ["zigzag", "zigzag"]

    chapter = ("length-generalization", "--preset", "smoke", "-p", "encodings", "nope,zigzag")
    positions("run", *chapter, own=own)
    executed = execute.output_path(toc.chapter("length-generalization"), book)
    shown = nbformat.read(executed, as_version=4)
    tables = [
        output.data["text/html"]
        for cell in shown.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert any("zigzag" in table and "copy_v3_multi" in table for table in tables)
