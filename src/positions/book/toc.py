"""The table of contents: which pages the book has, in which order, and where a new one goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from positions import paths
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError, unknown_name

SUFFIXES = (".ipynb", ".md")


@dataclass(frozen=True)
class Chapter:
    """An executable chapter: its name and its source."""

    name: str
    path: Path


def pages(project: Path | None = None) -> list[Path]:
    """Return the sources of all pages in `_toc.yml`, in the order of the book.

    Raises `DamagedFileError` for a file that is no table of contents and `NotAtHandError` where
    it lists a page that isn't there.
    """
    project = project or paths.project()
    try:
        text = (project / "_toc.yml").read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(f"_toc.yml is not UTF-8 ({error}). Save it as UTF-8.") from None
    return [_source(project, entry) for entry in entries(text)]


def entries(text: str) -> list[str]:
    """Return every page that a table of contents lists, as it is written there, in order."""
    try:
        toc = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DamagedFileError(f"_toc.yml is no valid YAML: {error}") from None
    if not isinstance(toc, dict) or "root" not in toc:
        raise DamagedFileError("_toc.yml has no line `root: PAGE`, so it is no table of contents.")
    listed = list(_entries(toc))
    twice = sorted({entry for entry in listed if listed.count(entry) > 1})
    if twice:
        raise DamagedFileError(f"_toc.yml lists {', '.join(twice)} twice; each page stands once.")
    return listed


def chapters(project: Path | None = None) -> list[Chapter]:
    """Return all notebooks: those of the table of contents in its order, then the others."""
    project = project or paths.project()
    listed = [path for path in pages(project) if path.suffix == ".ipynb"]
    found = [
        path
        for path in sorted((project / "chapters").rglob("*.ipynb"))
        if not any(part.startswith((".", "_")) for part in path.relative_to(project).parts)
    ]
    ordered = list(dict.fromkeys([*listed, *found]))
    return [Chapter(_name(path, project), path) for path in ordered]


def chapter(name: str, project: Path | None = None) -> Chapter:
    """Return the chapter of that name; `chapters/NAME.ipynb` is understood too.

    Raises `UnknownNameError`, listing the valid names.
    """
    known = {chapter.name: chapter for chapter in chapters(project)}
    short = name.removesuffix(".ipynb").removeprefix("./").removeprefix("chapters/")
    if short not in known:
        raise unknown_name("chapter", name, known)
    return known[short]


def listed(project: Path | None = None) -> list[Chapter]:
    """Return the notebooks of the table of contents, in its order."""
    project = project or paths.project()
    return [Chapter(_name(path, project), path) for path in pages(project) if _notebook(path)]


def with_page(text: str, new: str, after: str) -> str:
    """Return the text of a table of contents with one page more, everything else as it was.

    The page comes after the entry `after` and what is nested in it, or last where `after` isn't
    listed. Raises `InvalidValueError` where the page is listed already or has no place.
    """
    before = entries(text)
    if new in before:
        raise InvalidValueError(f"_toc.yml lists {new} already.")
    lines = text.splitlines(keepends=True)
    items = [(at, match) for at, line in enumerate(lines) if (match := _ITEM.match(line))]
    wanted = [(at, match) for at, match in items if match["page"] == after] or items[-1:]
    if not wanted:
        raise InvalidValueError(f"_toc.yml has no list of chapters to add {new} to; add it there.")
    at, match = wanted[0]
    end = at + 1
    while end < len(lines) and _indent(lines[end]) > len(match["indent"]):
        end += 1
    if not lines[end - 1].endswith("\n"):
        lines[end - 1] += "\n"
    lines.insert(end, f"{match['indent']}- file: {new}\n")
    result = "".join(lines)
    if sorted(entries(result)) != sorted([*before, new]):
        raise InvalidValueError(f"_toc.yml is written in a way that can't be extended; add {new}.")
    return result


_ITEM = re.compile(r"^(?P<indent>\s*)- file:\s*['\"]?(?P<page>[^'\"#\s]+)")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 0


def _entries(node: Any) -> Iterator[str]:
    """Yield pages in the order in which they are written."""
    if isinstance(node, list):
        for item in node:
            yield from _entries(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in ("root", "file"):
                yield str(value)
            elif isinstance(value, list):
                yield from _entries(value)


def _source(project: Path, entry: str) -> Path:
    """Find a page's file; the entry may be written with or without its suffix."""
    page = project / entry
    candidates = [page] if page.suffix in SUFFIXES else []
    candidates += [page.with_name(page.name + suffix) for suffix in SUFFIXES]
    for path in candidates:
        if path.is_file():
            return path
    raise NotAtHandError(
        f"_toc.yml lists {entry}, and there is no {' or '.join(SUFFIXES)} file of that name in "
        f"{project}. Add the page, or take the line out."
    )


def _notebook(path: Path) -> bool:
    return path.suffix == ".ipynb"


def _name(path: Path, project: Path) -> str:
    relative = path.relative_to(project).with_suffix("").as_posix()
    return relative.removeprefix("chapters/")
