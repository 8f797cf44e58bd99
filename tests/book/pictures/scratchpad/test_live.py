"""A model trained on the page, and what it writes."""

import pytest

from positions.book.pictures.scratchpad import live
from positions.errors import InvalidValueError, UnknownNameError


@pytest.fixture(scope="module")
def trained() -> live.Live:
    return live.train("alibi", steps=30, form="i1_c0_o1_v0_r0")


def test_what_is_said_follows_from_what_is_written(trained) -> None:
    said = live.said(trained)
    right = sum(each.right for each in trained.beyond) / len(trained.beyond)
    assert said.startswith("ALiBi, in the format i1_c0_o1_v0_r0: ")
    assert f"{right:.0%} beyond" in said
    table = live.by_length(trained)
    assert table["texts"].astype(int).sum() == len(trained.within) + len(trained.beyond)
    assert next(iter(table.index)) == "1 bit"
    assert list(table.index)[-1] == "8 bits, longer"


def test_wrong_texts_are_shown_step_by_step(trained) -> None:
    page = live.shown(trained).data
    wrong = [each for each in trained.beyond if each.fault]
    assert page.count("<strong>Wrong</strong>") == min(
        2, len({each.example.length for each in wrong})
    )
    assert "should be:" in page
    counts = sum(each.fault is not None for each in trained.beyond)
    said = live.faults(trained)
    assert sum(int(part.split(")")[0]) for part in said.split("(")[1:]) == counts


def test_bad_settings_are_said() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'alibi'"):
        live.config("alibbi", steps=1)
    with pytest.raises(UnknownNameError, match="scratchpad of parity"):
        live.config("nope", steps=1, form="ful")
    with pytest.raises(InvalidValueError, match="no scratchpad"):
        live.config("nope", steps=1, form="none")
