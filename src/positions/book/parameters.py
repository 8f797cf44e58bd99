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


def check(
    *,
    preset: str | None = None,
    encodings: Iterable[str] | None = None,
    tables: Iterable[str] | None = None,
    tasks: Iterable[str] | None = None,
    seeds: int | None = None,
) -> None:
    """Check what a chapter was given; in a notebook, mark a page whose numbers mean nothing.

    A chapter calls this right after its parameters. No tasks means all of them. Raises
    `UnknownNameError`, listing what is valid, for an unknown preset, encoding, table or task, and
    `InvalidValueError` for a wrong type.
    """
    if preset is not None:
        _known("preset", [preset], PRESETS)
    if encodings is not None:
        _check_encodings(_names("encodings", encodings), ())
    if tables is not None:
        _check_tables(_names("tables", tables))
    if tasks is not None:
        _check_tasks(tasks)
    if seeds is not None:
        _check_seeds(seeds)
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
    everything = defaults | values
    if "preset" in values:
        _known("preset", [values["preset"]], PRESETS)
    if "encodings" in values:
        _check_encodings(_names("encodings", everything["encodings"]), _registered_in(path))
    if "tables" in values:
        _check_tables(_names("tables", everything["tables"]))
    if "tasks" in values:
        _check_tasks(everything["tasks"])
    if isinstance(defaults.get("seeds"), int) and "seeds" in values:
        _check_seeds(values["seeds"])
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


def _names(what: str, given: Iterable[str]) -> list[str]:
    if isinstance(given, str):
        raise InvalidValueError(f"{what} takes a list of names, not the text {given!r}.")
    names = list(given)
    if not names:
        raise InvalidValueError(f"{what} is an empty list; it needs at least one name.")
    return names


def _check_seeds(seeds: object) -> None:
    if isinstance(seeds, bool) or not isinstance(seeds, int) or seeds < 1:
        raise InvalidValueError(f"seeds must be a whole number from 1 up, not {seeds!r}.")


def _known(kind: str, given: Iterable[object], valid: Iterable[str]) -> None:
    valid = list(valid)
    for name in given:
        if name not in valid:
            raise unknown_name(kind, name, valid)


def _check_encodings(given: list[str], more: Iterable[str]) -> None:
    from positions import encodings

    _known("encoding", given, [*encodings.names(), *more])


def _registered_in(path: Path) -> list[str]:
    """Return the encodings that a notebook registers itself."""
    code = "\n".join(cell.source for cell in notebook(path).cells if cell.cell_type == "code")
    return re.findall(r"register\(\s*['\"]([^'\"]+)['\"]", code)


def _check_tables(given: list[str]) -> None:
    """Refuse unknown names; a path, a model of the hub or a control is `tables.load`'s to judge."""
    from positions import tables

    plain = [name for name in given if not re.search(r"[/:.]", str(name))]
    _known("table", plain, tables.names())


def _check_tasks(given: Iterable[str]) -> None:
    from positions import tasks

    _known("task", _names("tasks", given) if given else [], tasks.names())


def _banner() -> None:
    """Warn the reader of a page made at preset `smoke`; outside a notebook, do nothing."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        title = '<p class="admonition-title">Preset smoke</p>'
        text = "<p>This page was made only to see that its code runs. Its numbers mean nothing.</p>"
        note = f'<div class="admonition warning">{title}{text}</div>'
        display(HTML(note))
