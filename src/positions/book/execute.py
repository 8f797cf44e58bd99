"""Execution of chapters with papermill: checked first, skipped where nothing changed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from positions import paths
from positions.book import digest, kernel, parameters, toc
from positions.book.toc import Chapter
from positions.encodings import files
from positions.errors import PositionsError

MARK = "positions"
"""Where an executed notebook's metadata say from what it was made."""


class ChapterFailedError(PositionsError):
    """A chapter whose execution failed; what it was before is still there."""

    exit_code = 1


def together(failures: Sequence[ChapterFailedError]) -> ChapterFailedError:
    """Make one error of several."""
    error = ChapterFailedError("\n".join(map(str, failures)))
    error.__cause__ = failures[0].__cause__
    return error


@dataclass(frozen=True)
class Executed:
    """An executed chapter: its notebook with outputs, and the seconds it took (0 if kept)."""

    chapter: Chapter
    path: Path
    seconds: float

    @property
    def kept(self) -> bool:
        """Whether nothing had changed, so that nothing ran."""
        return self.seconds == 0


def output_path(chapter: Chapter, project: Path) -> Path:
    """Return where the executed notebook of a chapter is put."""
    return project / "_build" / "executed" / f"{chapter.name}.ipynb"


def run(
    chapter: Chapter | str,
    given: Mapping[str, Any] | None = None,
    *,
    force: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Executed:
    """Execute a chapter with papermill in its own folder, and put the result in `_build`.

    Nothing runs where notebook, parameters, library, packages, results and data are those of
    the notebook that is there (unless `force`). The result replaces the last one only when every
    cell has passed. Raises `UnknownNameError` and `InvalidValueError` for a chapter or parameters
    that don't exist, before anything runs, and `ChapterFailedError` where a cell fails.
    """
    project = paths.project()
    chapter = toc.chapter(chapter, project) if isinstance(chapter, str) else chapter
    values = parameters.resolve(chapter.path, given or {})
    target = output_path(chapter, project)
    mark = {"digest": _digest(chapter, values, project), "parameters": values}
    if not force and _mark_of(target).get("digest") == mark["digest"]:
        say(f"{chapter.name}: nothing changed")
        return Executed(chapter, target, 0)
    start = time.monotonic()
    node = _execute(chapter, values, project, target, say)
    seconds = max(time.monotonic() - start, 0.001)
    node.metadata[MARK] = mark
    _write(_without_traces(node), target)
    say(f"{chapter.name}: {seconds:.0f} s")
    return Executed(chapter, target, seconds)


def _execute(
    chapter: Chapter,
    values: dict[str, Any],
    project: Path,
    target: Path,
    say: Callable[[str], None],
) -> nbformat.NotebookNode:
    import papermill
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.stem}.{os.getpid()}.ipynb")
    failed = target.with_suffix(".failed.ipynb")
    bar = {"desc": chapter.name, "leave": False} if sys.stderr.isatty() else False
    if not bar:
        say(f"{chapter.name}: running")
    try:
        with _kernel_of_this_python(), _environment(project):
            node = papermill.execute_notebook(
                str(chapter.path),
                str(partial),
                parameters=values,
                kernel_name=kernel.NAME,
                language="python",
                cwd=str(chapter.path.parent),
                progress_bar=bar,
                request_save_on_cell_execute=True,
            )
    except PapermillExecutionError as error:
        partial.replace(failed)
        raise ChapterFailedError(_failure(chapter, error, values, failed, target)) from error
    except DeadKernelError as error:
        raise ChapterFailedError(
            f"Chapter {chapter.name} stopped: its process died, most often for lack of memory. "
            f"Close other programs or choose a smaller preset.{_kept(target)}"
        ) from error
    else:
        # papermill takes a cell that ends the process in peace (SystemExit) for success
        if (number := _ended_in(node)) is not None:
            partial.replace(failed)
            raise ChapterFailedError(
                f"Chapter {chapter.name} ended early, in or before cell {number} of "
                f"{len(node.cells)}: its code raised SystemExit.\n"
                f"The notebook up to there: {failed}{_kept(target)}"
            )
    finally:
        partial.unlink(missing_ok=True)
    failed.unlink(missing_ok=True)
    return node


def _ended_in(node: nbformat.NotebookNode) -> int | None:
    """Return the number of the first code cell that raised or was not run, else None."""
    for number, cell in enumerate(node.cells, start=1):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        raised = any(output.output_type == "error" for output in cell.outputs)
        allowed = "raises-exception" in cell.metadata.get("tags", [])
        if cell.execution_count is None or (raised and not allowed):
            return number
    return None


def _failure(
    chapter: Chapter, error: Any, values: dict[str, Any], failed: Path, target: Path
) -> str:
    """Say which cell failed, counted in the source, and why."""
    cells = parameters.notebook(chapter.path).cells
    number = error.cell_index + 1
    tagged = [at for at, cell in enumerate(cells) if _tagged(cell)]
    if values and tagged and number > tagged[0] + 1:
        number -= 1  # the cell that papermill put in behind the parameters
    first = (str(error.source).strip().splitlines() or [""])[0]
    return (
        f"Chapter {chapter.name} failed in cell {number} of {len(cells)} ({first}): "
        f"{error.ename}: {error.evalue}\n"
        f"The notebook up to there: {failed}{_kept(target)}"
    )


def _kept(target: Path) -> str:
    return f"\nThe last good output is kept: {target}" if target.is_file() else ""


def _tagged(cell: nbformat.NotebookNode) -> bool:
    return parameters.TAG in cell.metadata.get("tags", [])


@contextlib.contextmanager
def _kernel_of_this_python() -> Iterator[None]:
    with (
        tempfile.TemporaryDirectory(prefix="positions-kernel-") as folder,
        _variables({kernel.VARIABLE: kernel.install(Path(folder))}),
    ):
        yield


def _environment(project: Path) -> contextlib.AbstractContextManager[None]:
    """Let the kernel, which runs in the chapters' folder, find what this process finds."""
    values = {paths.PROJECT_VARIABLE: str(project)}
    for name in (paths.DATA_VARIABLE, paths.CACHE_VARIABLE):
        if os.environ.get(name):
            values[name] = str(Path(os.environ[name]).expanduser().absolute())
    if own := files.named():
        values[files.VARIABLE] = os.pathsep.join(map(str, own))
    return _variables(values)


@contextlib.contextmanager
def _variables(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _digest(chapter: Chapter, values: dict[str, Any], project: Path) -> str:
    total = hashlib.sha256(chapter.path.read_bytes())
    total.update(json.dumps(values, sort_keys=True, default=str).encode())
    total.update(digest.surroundings(project).encode())
    return total.hexdigest()[:20]


def _mark_of(path: Path) -> dict[str, Any]:
    """Return what an executed notebook says of its making, empty where there is none."""
    try:
        mark = json.loads(path.read_text("utf-8"))["metadata"][MARK]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return mark if isinstance(mark, dict) else {}


def _without_traces(node: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Drop papermill's times and paths, so that equal runs give equal files."""
    node.metadata.pop("papermill", None)
    for cell in node.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    return node


def _write(node: nbformat.NotebookNode, path: Path) -> None:
    """Replace a notebook whole."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.new")
    try:
        nbformat.write(node, temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
