"""Files of labelled sentences: what is read, and what is refused."""

import pytest

from positions.errors import DamagedFileError
from positions.tasks.sentences.reading import parse


def test_label_and_text_of_every_line() -> None:
    assert parse(b"0 a b\n1 c\n", "file", 2) == [(0, "a b"), (1, "c")]


def test_some_bytes_that_python_takes_for_line_breaks_are_text() -> None:
    assert parse(b"1 one\x85two\n0 three\x0b\n", "file", 2) == [(1, "one\x85two"), (0, "three")]


def test_a_label_may_stand_alone() -> None:
    assert parse(b"0 \n1\n", "file", 2) == [(0, ""), (1, "")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "mr is empty"),
        (b"0 a\n\n1 b\n", "mr, line 2 is empty"),
        (b"0 a\n   \n", "mr, line 2 is empty"),
        (b"0 a\ngood b\n", "mr, line 2 begins with 'good', which is no label.*0 to 1"),
        (b"0 a\n-1 b\n", "line 2 begins with '-1'"),
        (b"2 a\n", "line 1 begins with '2'"),
        (b"1.5 a\n", "line 1 begins with '1.5'"),
        ("² a\n".encode("latin-1"), "line 1 begins with"),
        (b"0 a\n1 b", r"mr is cut short: its last line \(2\)"),
    ],
)
def test_what_is_damaged_is_said_with_its_line(content, words) -> None:
    with pytest.raises(DamagedFileError, match=words):
        parse(content, "mr", 2)
