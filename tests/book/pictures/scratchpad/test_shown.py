"""Examples of scratchpads: real ones, the same prompt in all formats."""

import pytest

from positions import tasks
from positions.book.pictures.scratchpad import shown
from positions.errors import InvalidValueError
from positions.experiments.scratchpad.config import TASKS


def test_the_fields_of_a_first_step() -> None:
    table = shown.fields("parity", 3, 0)
    assert list(table.index) == ["input", "computation", "output", "variable", "remaining"]
    assert table["letter"].tolist() == ["I", "C", "O", "V", "R"]
    bits = shown.prompt("parity", 3, 0).split("[ ")[1].split(" ]")[0].split(", ")
    assert table.loc["input", "here"] == bits[0]
    assert table.loc["remaining", "here"] == f"[ {bits[1]}, {bits[2]} ]"
    assert list(shown.fields("lego", 4, 0).index) == ["input", "computation", "output", "remaining"]


def test_examples_show_every_format_of_one_prompt() -> None:
    page = shown.examples(["parity", "lego"], 3, 0).data
    assert page.count("<details") == 2
    assert page.count("<details open>") == 1
    assert page.count("<strong>") == 8 + 7
    task = tasks.build("parity", scratchpad="full")
    steps = task.steps(shown.prompt("parity", 3, 0))
    for step in steps:
        assert f"comp {step.computation}" in page
    assert page.count("<code>. Thus,") == 7 + 6


@pytest.mark.parametrize("length", [0, -1, "two"])
def test_a_length_that_is_none_is_refused(length) -> None:
    with pytest.raises(InvalidValueError, match="example_length"):
        shown.examples(["parity"], length, 0)


def test_targets_grow_with_every_field() -> None:
    table = shown.tokens(0)
    assert list(table.index) == list(TASKS)
    whole = table[["no scratchpad", "minimal", "full"]].astype(int)
    least = table["without one field"].str.split(" to ").str[0].astype(int)
    most = table["without one field"].str.split(" to ").str[1].astype(int)
    assert (whole["no scratchpad"] < whole["minimal"]).all()
    assert (whole["minimal"] < least).all()
    assert (least < most).all()
    assert (most < whole["full"]).all()
