"""What CONTRIBUTING.md tells people to open and to type is there."""

import re
from pathlib import Path

import pytest
import typer.main

from positions import experiments
from positions.book import toc
from positions.cli import app

CHECKOUT = Path(__file__).resolve().parents[2]
TEXT = (CHECKOUT / "CONTRIBUTING.md").read_text("utf-8")
CODE = re.findall(r"`([^`]+)`", TEXT.replace("\n   ", " "))
PLACES = sorted({each for each in CODE if re.fullmatch(r"[\w.-]*[/.][\w./-]*[a-z/]", each)})
COMMANDS = sorted({each for each in CODE if each.startswith("positions ")})
TARGETS = sorted({each.split()[1] for each in CODE if each.startswith("make ")})


def test_something_is_named():
    assert len(PLACES) > 15
    assert len(COMMANDS) > 4


@pytest.mark.parametrize("place", [each for each in PLACES if not each.startswith("provenance.")])
def test_every_place_exists(place):
    path = CHECKOUT / place
    assert path.is_dir() if place.endswith("/") else path.is_file()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_exists(command):
    _, name, *rest = command.split()
    known = typer.main.get_command(app).commands[name]
    options = {option for parameter in known.params for option in parameter.opts}
    assert {each for each in rest if each.startswith("-")} <= options
    first = rest[0] if rest else ""
    if name in ("run", "fork") and not first.isupper():
        assert first in {chapter.name for chapter in toc.chapters(CHECKOUT)}
    if name == "sweep" and rest:
        assert first in experiments.names()


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_of_make_exists(target):
    assert re.search(rf"^{target}:", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE)
