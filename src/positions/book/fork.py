"""Forks: a copy of a chapter for a variant, with a place in the table of contents."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat

from positions import paths
from positions.book import parameters, toc
from positions.errors import InvalidValueError

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_TARGET = re.compile(
    r"^\((?P<a>[^()\s]+)\)=\s*$|^:(?:label|name):\s*(?P<b>\S+)\s*$|\$\$\s*\((?P<c>[^()\s]+)\)\s*$",
    re.MULTILINE,
)


def fork(name: str, new: str, project: Path | None = None) -> Path:
    """Copy chapter `name` to `chapters/NEW.ipynb` and list it behind the original.

    The copy's title names the variant, and its labels get the variant's name, so that both can
    stand in one book. Raises `UnknownNameError` for an unknown chapter and `InvalidValueError`
    for a name that is taken or can't be one; then nothing is changed.
    """
    project = project or paths.project()
    chapter = toc.chapter(name, project)
    if not _NAME.fullmatch(new):
        raise InvalidValueError(
            f"{new!r} can't name a chapter: small letters, digits, '-' and '_' only, "
            "a letter or digit first."
        )
    target = project / "chapters" / f"{new}.ipynb"
    for taken in (target, target.with_suffix(".md")):
        if taken.exists():
            raise InvalidValueError(f"{taken} exists already. Choose another name.")
    contents = project / "_toc.yml"
    original = chapter.path.relative_to(project).with_suffix("").as_posix()
    listed = toc.with_page(contents.read_text("utf-8"), f"chapters/{new}", after=original)
    nbformat.write(_variant(parameters.notebook(chapter.path), new), target)
    temporary = contents.with_name(f".{contents.name}.{os.getpid()}")
    temporary.write_text(listed, "utf-8")
    temporary.replace(contents)
    return target


def _variant(node: nbformat.NotebookNode, new: str) -> nbformat.NotebookNode:
    prose = [cell for cell in node.cells if cell.cell_type == "markdown"]
    labels = {
        match["a"] or match["b"] or match["c"]
        for cell in prose
        for match in _TARGET.finditer(cell.source)
    }
    for cell in prose:
        for label in labels:
            cell.source = _renamed(cell.source, label, f"{label}-{new}")
    for cell in prose:
        titled, count = re.subn(r"^# (.+)$", rf"# \1 ({new})", cell.source, count=1, flags=re.M)
        if count:
            cell.source = titled
            break
    for cell in node.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return node


def _renamed(text: str, old: str, new: str) -> str:
    """Rename a label where it is defined and where it is referred to, not where it is a word."""
    label = re.escape(old)
    places = rf"(\(|\(#|`|<|:label:\s*|:name:\s*){label}(\)=|\)|`|>|\s*$)"
    return re.sub(places, rf"\g<1>{new}\g<2>", text, flags=re.MULTILINE)
