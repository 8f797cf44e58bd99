import ast

import pytest

from positions.book.pictures.source import source
from positions.encodings.rotary import turns
from positions.encodings.t5 import T5
from positions.errors import InvalidValueError


@pytest.mark.parametrize("thing", [turns, T5.bias, T5])
def test_code_runs_as_shown_without_its_docstring(thing):
    text = source(thing).data
    assert text.startswith("```python\n") and text.endswith("\n```")
    (definition,) = ast.parse(text.removeprefix("```python\n").removesuffix("\n```")).body
    assert definition.name == thing.__name__
    assert ast.get_docstring(definition) is None


def test_comments_stay():
    assert "# t · θ_j" in source(turns).data


@pytest.mark.parametrize("thing", [len, 3])
def test_what_has_no_source_is_refused(thing):
    with pytest.raises(InvalidValueError, match="has no source to show"):
        source(thing)
