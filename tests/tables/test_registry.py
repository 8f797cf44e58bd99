"""Names and options, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from positions import tables
from positions.errors import InvalidValueError, NotAtHandError, UnknownNameError

REAL = {
    "gpt2",
    "bert-base-uncased",
    "bert-base-uncased-finetuned-a",
    "bert-base-uncased-finetuned-b",
    "bert-base-uncased-finetuned-c",
    "roberta-base",
    "sinusoidal",
}
CONTROLS = {"gaussian", "random-walk", "smooth-random", "one-hot", "ramp"}


def test_names_are_the_real_tables_and_the_controls() -> None:
    assert set(tables.names()) == REAL | CONTROLS
    assert tables.derived_names() == [
        "shuffled:<table>",
        "rotated:<table>",
        "spectrum-matched:<table>",
    ]


def test_every_name_that_is_at_hand_loads(data_folder: Path) -> None:
    loaded = [tables.load(name) for name in tables.names() if tables.at_hand(name)]
    assert len(loaded) >= 10
    assert all(table.title and table.source for table in loaded)
    assert len({table.title for table in loaded}) == len(loaded)


def test_computed_tables_are_always_at_hand(cache: Path) -> None:
    assert {name for name in tables.names() if tables.at_hand(name)} == CONTROLS | {"sinusoidal"}


def test_control_is_at_hand_when_its_base_is(cache: Path) -> None:
    assert tables.at_hand("shuffled:rotated:sinusoidal")
    assert not tables.at_hand("shuffled:rotated:gpt2")


@pytest.mark.parametrize(
    "name",
    ["shuffled", "no such", "shuffled:", "shuffled:no such", "gaussian:gpt2", "", "a/b/c", "a..b"],
)
def test_names_that_can_mean_nothing(cache: Path, name: str) -> None:
    for use in (tables.load, tables.options, tables.at_hand):
        with pytest.raises(UnknownNameError, match=r"Unknown table .* Valid: .*gpt2.*shuffled:<"):
            use(name)


@pytest.mark.parametrize("name", [None, 3, b"gpt2", Path("x.npy")])
def test_names_that_are_no_text(name: object) -> None:
    with pytest.raises(InvalidValueError, match="text"):
        tables.load(name)


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("gpt2", "none"),
        ("ramp", "positions, width"),
        ("gaussian", "positions, seed, width"),
        ("shuffled:gpt2", "seed"),
        ("shuffled:ramp", "positions, seed, width"),
        ("roberta-base", "unused_rows"),
        ("shuffled:roberta-base", "seed, unused_rows"),
        ("someone/model", "parameter, revision, unused_rows"),
    ],
)
def test_option_that_a_table_does_not_have(cache: Path, name: str, valid: str) -> None:
    with pytest.raises(InvalidValueError, match=rf"'{name}' has no option sede\. Valid: {valid}\."):
        tables.load(name, sede=1)
    assert ", ".join(tables.options(name)) == valid.replace("none", "")


def test_data_folder_that_does_not_exist(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSITIONS_DATA", "/no/such/folder")
    with pytest.raises(NotAtHandError, match="/no/such/folder"):
        tables.load("gpt2")
    assert tables.load("ramp").positions == 512
