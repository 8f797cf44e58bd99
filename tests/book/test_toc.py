"""The table of contents: read strictly, extended without touching anything else."""

from pathlib import Path

import pytest

from positions.book import toc
from positions.errors import (
    DamagedFileError,
    InvalidValueError,
    NotAtHandError,
    UnknownNameError,
)

NESTED = """\
# kept
format: jb-book
root: chapters/index
parts:
  - caption: One   # kept too
    chapters:
      - file: chapters/a
        sections:
          - file: chapters/b
      # and this
      - file: 'chapters/c'"""


def test_pages_come_in_the_order_of_the_book(project: Path) -> None:
    names = [path.name for path in toc.pages()]
    assert names == ["index.md", "sample.ipynb", "plain.md"]


def test_chapters_are_notebooks_listed_or_not(project: Path) -> None:
    source = project / "chapters" / "sample.ipynb"
    (project / "chapters" / "another.ipynb").write_bytes(source.read_bytes())
    assert [chapter.name for chapter in toc.chapters()] == ["sample", "another"]
    assert [chapter.name for chapter in toc.listed()] == ["sample"]


@pytest.mark.parametrize("name", ["sample", "sample.ipynb", "chapters/sample.ipynb"])
def test_a_chapter_is_found_by_name_or_path(project: Path, name: str) -> None:
    assert toc.chapter(name).path == project / "chapters" / "sample.ipynb"


def test_an_unknown_chapter_lists_the_valid_ones(project: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"'smaple'.*Did you mean 'sample'.*Valid: sample"):
        toc.chapter("smaple")


def test_a_listed_page_that_is_missing_is_named(project: Path) -> None:
    (project / "chapters" / "plain.md").unlink()
    with pytest.raises(NotAtHandError, match="chapters/plain"):
        toc.pages()


@pytest.mark.parametrize("text", ["format: [", "- file: a", "", "format: jb-book\n"])
def test_what_is_no_table_of_contents_is_refused(project: Path, text: str) -> None:
    (project / "_toc.yml").write_text(text)
    with pytest.raises(DamagedFileError, match=r"_toc\.yml"):
        toc.pages()


@pytest.mark.parametrize(
    ("after", "before"),
    [("chapters/a", "      # and this"), ("chapters/b", "      # and this"), ("chapters/c", None)],
)
def test_a_new_page_comes_behind_its_original(after: str, before: str | None) -> None:
    result = toc.with_page(NESTED, "chapters/new", after)
    lines = result.splitlines()
    at = next(number for number, line in enumerate(lines) if "chapters/new" in line)
    assert lines[at + 1 : at + 2] == ([before] if before else [])
    assert [line for line in lines if "chapters/new" not in line] == NESTED.splitlines()


def test_a_page_that_is_not_listed_puts_the_new_one_last() -> None:
    assert toc.with_page(NESTED, "chapters/new", "chapters/z").endswith("- file: chapters/new\n")


def test_what_cannot_be_extended_says_so() -> None:
    with pytest.raises(InvalidValueError, match="already"):
        toc.with_page(NESTED, "chapters/b", "chapters/a")
    with pytest.raises(InvalidValueError, match="no list of chapters"):
        toc.with_page("format: jb-book\nroot: a\n", "chapters/new", "a")


def test_a_page_listed_twice_and_a_file_in_another_encoding_are_said(project: Path) -> None:
    file = project / "_toc.yml"
    with pytest.raises(DamagedFileError, match="chapters/plain twice"):
        toc.entries(file.read_text("utf-8") + "      - file: chapters/plain\n")
    file.write_bytes(b"root: caf\xe9\n")
    with pytest.raises(DamagedFileError, match="not UTF-8"):
        toc.pages()
