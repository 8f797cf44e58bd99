"""The library's own code, shown on a page beside the formula that it computes."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable

from IPython.display import Markdown

from positions.errors import InvalidValueError


def source(thing: Callable[..., object] | type) -> Markdown:
    """Show a function's or class's code, as it runs, without its docstring.

    Raises `InvalidValueError` for what has no source in Python.
    """
    try:
        code = textwrap.dedent(inspect.getsource(thing))
    except (TypeError, OSError):
        raise InvalidValueError(
            f"{thing!r} has no source to show; give a function, method or class written in Python."
        ) from None
    return Markdown(f"```python\n{_without_docstring(code)}\n```")


def _without_docstring(code: str) -> str:
    lines = code.splitlines()
    definition = ast.parse(code).body[0]
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
    first = definition.body[0]
    if ast.get_docstring(definition) is not None and len(definition.body) > 1:
        del lines[first.lineno - 1 : first.end_lineno]
    return "\n".join(lines).strip()
