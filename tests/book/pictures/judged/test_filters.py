"""The filters of the table of claims in a browser: by keyboard and on a phone."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from positions import claims
from positions.book.pictures.judged import table
from positions.claims import Evidence, Verdict
from positions.runs import Store

CHECKOUT = Path(__file__).resolve().parents[4]
NAMES = ("chromium", "chromium-browser", "google-chrome")
SHOWN = """() => [...document.querySelectorAll('.book-claims tbody tr')]
    .filter(row => row.offsetParent).map(row => row.innerText.trim().split(/\\s/)[0])"""
BY_NUMBER = {
    "position-embeddings/C1": "reproduced",
    "position-embeddings/C3": "not reproduced",
    "length-generalization/C2": "not reproduced",
    "length-generalization/C4": "undecided",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    evidence = Evidence(Store(tmp_path_factory.mktemp("results")), "laptop")
    verdicts = [Verdict(claims.get(name), status, "") for name, status in BY_NUMBER.items()]
    style = (CHECKOUT / "_static" / "book.css").read_text()
    body = f'<article class="bd-article">{table.page(verdicts, evidence).data}</article>'
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content(f"<!doctype html><style>{style}</style>{body}")
        yield page
        browser.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 800})
    for group in ("paper", "verdict"):
        page.locator(f'[name="book-claims-{group}"][value="all"]').check()


def test_filters_narrow_down_together(page: Page) -> None:
    assert page.evaluate(SHOWN) == ["C1", "C3", "C2", "C4"]
    page.get_by_label("not reproduced (2)").check()
    assert page.evaluate(SHOWN) == ["C3", "C2"]
    page.get_by_label("Kazemnejad et al. 2023 (2)").check()
    assert page.evaluate(SHOWN) == ["C2"]


def test_filters_work_by_keyboard(page: Page) -> None:
    page.locator('[name="book-claims-verdict"][value="all"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(SHOWN) == ["C1"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(SHOWN) == ["C3", "C2"]


def test_a_choice_that_leaves_nothing_says_so(page: Page) -> None:
    page.get_by_label("Wang & Chen 2020 (2)").check()
    page.get_by_label("undecided (1)").check()
    assert page.evaluate(SHOWN) == ["Wang"]
    assert page.get_by_text("Wang & Chen 2020: no claim is undecided.").is_visible()


def test_a_phone_shows_each_claim_as_a_block(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.get_by_label("undecided (1)").check()
    assert page.evaluate(SHOWN) == ["C4"]


def test_a_row_opens_and_closes(page: Page) -> None:
    said = page.get_by_text("Rests on published figures alone").first
    assert not said.is_visible()
    page.locator("summary").first.press("Enter")
    assert said.is_visible()
    page.locator("summary").first.press("Enter")
    assert not said.is_visible()
