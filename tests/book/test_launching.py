"""The buttons that open a chapter elsewhere: off without an address, and right with one."""

import re
from pathlib import Path

import pytest

from positions.book import site
from positions.errors import InvalidValueError

ADDRESS = "https://github.com/someone/positions"


def built(project: Path, address: str) -> str:
    config = project / "_config.yml"
    config.write_text(re.sub(r'url: ".*"', f'url: "{address}"', config.read_text()))
    (project / "_toc.yml").write_text("format: jb-book\nroot: chapters/sample\n")
    return (site.build("smoke").parent / "chapters" / "sample.html").read_text()


def test_each_button_opens_the_chapters_own_file(project: Path) -> None:
    page = built(project, ADDRESS)
    opened = re.findall(r'href="(https://(?:mybinder|colab)[^"]+)"', page)
    places = {re.search(r"chapters/\w+\.ipynb", each)[0] for each in opened}
    assert places == {"chapters/sample.ipynb"}
    assert all((project / place).is_file() for place in places)
    assert any(
        each.startswith("https://mybinder.org/v2/gh/someone/positions/main?") for each in opened
    )
    assert (
        "https://colab.research.google.com/github/someone/positions/blob/main/chapters/sample.ipynb"
        in opened
    )
    assert f'href="{ADDRESS}"' in page


def test_without_an_address_nothing_is_changed() -> None:
    for given in ({}, {"repository": None}, {"repository": {"url": ""}}):
        assert site.launching(given) == given


def test_the_books_own_configuration_sets_no_buttons_beside_the_address() -> None:
    text = (Path(__file__).resolve().parents[2] / "_config.yml").read_text("utf-8")
    assert "launch_buttons" not in text
    assert "use_repository_button" not in text


@pytest.mark.parametrize(
    "address", ["someone/positions", "https://example.org/x", "https://github.com/x"]
)
def test_an_address_that_nothing_could_open_is_refused(address: str) -> None:
    with pytest.raises(InvalidValueError, match=r"https://github.com/OWNER/NAME"):
        site.launching({"repository": {"url": address}})
