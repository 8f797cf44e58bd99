"""Parameters of chapters: read from the notebook, checked before anything runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat

from positions.errors import DamagedFileError, InvalidValueError, unknown_name

PRESETS = ("smoke", "laptop", "gpu", "paper")
TAG = "parameters"
_KINDS: dict[str, type] = {
    "preset": str,
    **dict.fromkeys(("encodings", "live", "tables", "tasks", "lengths"), list),
    **dict.fromkeys(("seeds", "seed"), int),
}
"""The parameters that are checked, and what a chapter's default of each is."""


def check(
    *,
    preset: str | None = None,
    encodings: Iterable[str] | None = None,
    live: Iterable[str] | None = None,
    tables: Iterable[str] | None = None,
    tasks: Iterable[str] | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    lengths: Iterable[int] | None = None,
) -> None:
    """Check what a chapter was given; in a notebook, mark a page whose numbers mean nothing.

    A chapter calls this right after its parameters. `live` are the encodings that are trained on
    the page. No tasks means all of them. Raises `UnknownNameError`, listing what is valid, for an
    unknown preset, encoding, table or task, and `InvalidValueError` for a wrong type or range, an
    empty list, and a name that stands twice.
    """
    given = {
        "preset": preset,
        "encodings": encodings,
        "live": live,
        "tables": tables,
        "tasks": tasks,
        "seeds": seeds,
        "seed": seed,
        "lengths": lengths,
    }
    for name, value in given.items():
        if value is not None:
            _check(name, value)
    if preset == "smoke":
        _banner()


def read(path: Path) -> dict[str, Any]:
    """Return a notebook's parameters with their defaults, empty where it has none.

    Raises `DamagedFileError` for a file that is no notebook and `InvalidValueError` where a
    default isn't a plain value.
    """
    found: dict[str, Any] = {}
    for cell in notebook(path).cells:
        if cell.cell_type == "code" and TAG in cell.metadata.get("tags", []):
            found.update(_assignments(cell.source, path))
    return found


def notebook(path: Path) -> nbformat.NotebookNode:
    """Read a notebook; raises `DamagedFileError` where the file is none."""
    try:
        node = nbformat.read(path, as_version=4)
        nbformat.validate(node)
    except FileNotFoundError:
        raise
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DamagedFileError(
            f"{path} is no Jupyter notebook of format 4 ({reason}). "
            "Bring it back from git, or save it again from Jupyter."
        ) from None
    return node


def resolve(path: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters to inject into a notebook: checked, texts turned into values.

    `given` holds values, or texts as they come from the command line (`3`, `[1, 2]`,
    `nope,rotary`). Raises `UnknownNameError` and `InvalidValueError`, listing what is valid.
    """
    defaults = read(path)
    values = {}
    for name, value in given.items():
        if name not in defaults:
            raise unknown_name(f"parameter of {path.stem}:", name, defaults)
        values[name] = _as_default(name, value, defaults[name])
    for name, value in values.items():
        if isinstance(defaults[name], _KINDS.get(name, ())):
            _check(name, value, _registered_in(path))
    return values


def _assignments(source: str, path: Path) -> dict[str, Any]:
    values: dict[str, Any] = {}
    try:
        for line in ast.parse(source).body:
            match line:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values[name] = ast.literal_eval(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    values[name] = ast.literal_eval(value)
    except (SyntaxError, ValueError) as error:
        raise InvalidValueError(
            f"The parameters cell of {path} must assign plain values (texts, numbers, lists): "
            f"{error}."
        ) from None
    return values


def _as_default(name: str, value: Any, default: Any) -> Any:
    """Turn a text into a value of the default's type."""
    if isinstance(value, str) and not isinstance(default, str):
        value = _parsed(value, default)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if default is not None and type(value) is not type(default):
        raise InvalidValueError(
            f"{name} takes {_kind(default)} such as {default!r}, not {value!r}."
        )
    return value


def _parsed(text: str, default: Any) -> Any:
    words = {"true": True, "false": False, "none": None}
    if text.strip().lower() in words:
        return words[text.strip().lower()]
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        value = [part.strip() for part in text.split(",")] if isinstance(default, list) else text
    if isinstance(default, list) and not isinstance(value, list):
        value = list(value) if isinstance(value, tuple) else [value]
    return value


def _kind(value: Any) -> str:
    names = {bool: "True or False", int: "a whole number", float: "a number", list: "a list"}
    return names.get(type(value), f"a value of type {type(value).__name__}")


def _check(name: str, value: Any, registered: Iterable[str] = ()) -> None:
    """Check one parameter by its name; of one that is not in `_KINDS`, nothing is asked.

    `registered`: encodings that the notebook registers itself, later.
    """
    from positions import encodings, tables, tasks

    match name:
        case "preset":
            _known("preset", [value], PRESETS)
        case "encodings" | "live":
            valid = [*encodings.names(), *registered]
            _known("encoding", _several(name, value, "name", valid), valid)
        case "tables":
            given = _several(name, value, "name", tables.names())
            # a path, a model of the hub or a control is for `tables.load` to judge
            plain = [each for each in given if not re.search(r"[/:.]", str(each))]
            _known("table", plain, tables.names())
        case "tasks" if value not in ([], ()):  # no tasks are all tasks
            _known("task", _several(name, value, "name", tasks.names()), tasks.names())
        case "seeds":
            _whole(name, value, 1)
        case "seed":
            _whole(name, value, 0)
        case "lengths":
            for length in _several(name, value, "whole number"):
                _whole("lengths: each", length, 1)


def _several(name: str, given: Any, what: str, valid: Iterable[str] = ()) -> list[Any]:
    """Return what is in a list: something, and nothing twice."""
    names = ", ".join(valid)
    hint = f" Valid: {names}." if names else ""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidValueError(f"{name} takes a list of {what}s, not {given!r}.{hint}")
    found = list(given)
    if not found:
        raise InvalidValueError(f"{name} is an empty list; it needs at least one {what}.{hint}")
    twice = [each for place, each in enumerate(found) if each in found[:place]]
    if twice:
        raise InvalidValueError(f"{name} has {twice[0]!r} twice; name it once.")
    return found


def _whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidValueError(f"{name} must be a whole number from {least} up, not {value!r}.")


def _known(kind: str, given: Iterable[object], valid: Iterable[str]) -> None:
    valid = list(valid)
    for name in given:
        if name not in valid:
            raise unknown_name(kind, name, valid)


def _registered_in(path: Path) -> list[str]:
    """Return the encodings that a notebook registers itself."""
    code = "\n".join(cell.source for cell in notebook(path).cells if cell.cell_type == "code")
    return re.findall(r"register\(\s*['\"]([^'\"]+)['\"]", code)


def _banner() -> None:
    """Warn the reader of a page made at preset `smoke`; outside a notebook, do nothing."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        title = '<p class="admonition-title">Preset smoke</p>'
        text = "<p>This page was made only to see that its code runs. Its numbers mean nothing.</p>"
        note = f'<div class="admonition warning">{title}{text}</div>'
        display(HTML(note))
