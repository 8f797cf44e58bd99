"""Encodings in files of one's own: a Python file, or the cells of a notebook that hold the class.

`POSITIONS_ENCODINGS` names the files, several separated as in PATH. Each process of a sweep and
each chapter inherits the variable, so a class written once is known in all of them.
"""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

from positions import paths
from positions.errors import InvalidValueError, NotAtHandError, PositionsError

VARIABLE = "POSITIONS_ENCODINGS"
TAG = "encoding"
"""The tag of the notebook cells that are run."""

SUFFIXES = (".py", ".ipynb")


def named() -> list[Path]:
    """Return the files that `POSITIONS_ENCODINGS` names, as absolute paths.

    A relative path is looked for in the working directory, then in the project. Raises
    `NotAtHandError` for a file that isn't there and `InvalidValueError` for another kind of file.
    """
    written = os.environ.get(VARIABLE, "").split(os.pathsep)
    return [_found(text.strip()) for text in written if text.strip()]


def load(path: Path) -> None:
    """Run a file, so that the encodings in it are registered.

    Of a notebook, only the cells tagged `encoding` run, as if they were typed in a notebook: a
    chapter that has the same cells replaces the class and is in nobody's way. Raises
    `PositionsError` where its code raises, and where a notebook has no such cell.
    """
    try:
        if path.suffix == ".ipynb":
            code = compile(_cells(path), str(path), "exec")
            exec(code, {"__name__": "__main__"})  # noqa: S102  the user's own file
        else:
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None and spec.loader is not None
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
    except PositionsError:
        raise
    except (Exception, SystemExit) as error:
        raise PositionsError(
            f"{path}, which {VARIABLE} names, could not be run: {type(error).__name__}: {error}. "
            f"Mend it, or unset {VARIABLE}."
        ) from error


def _found(text: str) -> Path:
    path = Path(text).expanduser()
    if path.suffix not in SUFFIXES:
        raise InvalidValueError(
            f"{VARIABLE} names {text!r}; it takes files that end in {' or '.join(SUFFIXES)}, "
            f"separated by {os.pathsep!r}."
        )
    candidates = [path.absolute()]
    if not path.is_absolute() and not candidates[0].is_file():
        candidates.append(paths.project() / path)
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise NotAtHandError(
        f"{VARIABLE} names {text!r}, and there is no such file: "
        f"{' and '.join(map(str, candidates))} were looked for. Correct or unset {VARIABLE}."
    )


def _cells(path: Path) -> str:
    """Return the code of a notebook's tagged cells."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    tagged = [
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "code" and TAG in cell["metadata"].get("tags", [])
    ]
    if not tagged:
        raise InvalidValueError(
            f"{path}, which {VARIABLE} names, has no cell tagged {TAG!r}. Tag the one that holds "
            "the class."
        )
    return "\n\n".join(tagged)
