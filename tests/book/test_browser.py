"""The built site in a browser: from the disk, with the network off, for every kind of reader."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from positions.book import site

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CHECKOUT = Path(__file__).resolve().parents[2]
WIDE, PHONE = (1280, 900), (390, 844)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


def built(folder: Path, source: Path) -> Path:
    """Build a copy of a book; return the folder of its pages."""
    for name in ("chapters", "_static", "results", "_toc.yml", "_config.yml", "references.bib"):
        origin = source / name if (source / name).exists() else CHECKOUT / name
        if origin.is_dir():
            shutil.copytree(origin, folder / name, dirs_exist_ok=True)
        elif origin.is_file():
            shutil.copy(origin, folder / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POSITIONS_PROJECT", str(folder))
        return site.build().parent


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Path:
    return built(tmp_path_factory.mktemp("sample"), CHECKOUT / "tests" / "book" / "sample")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Path:
    return built(tmp_path_factory.mktemp("book"), CHECKOUT)


class Visit:
    """An open page, and everything that went wrong on it."""

    def __init__(self, browser: Browser, size: tuple[int, int], theme: str) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, offline=True
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(90_000)  # for a machine that is busy with other tests
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", self._heard)
        self.page.on("request", self._requested)
        self.page.on("requestfailed", lambda it: self.wrong.append(f"not found: {it.url}"))

    def _heard(self, message) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"console: {message.text}")

    def _requested(self, request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.wrong.append(f"outside request: {request.url}")

    def open(self, path: Path, query: str = "") -> Page:
        self.page.goto(path.as_uri() + query, wait_until="load")
        self.page.wait_for_function(ALL_DRAWN)
        return self.page


ALL_DRAWN = """() => document.readyState === 'complete'
    && [...document.querySelectorAll('.book-chart figure')].every(f => f.dataset.drawn)
    && (!document.querySelector('.math') || document.querySelector('mjx-container'))"""
UNDRAWN = """() => [...document.querySelectorAll('.book-chart')]
    .filter(c => !c.querySelector('figure svg .role-mark *')).map(c => c.id)"""
COLOURS_OF_TEXT = """() => [...document.querySelectorAll('.book-chart svg .role-axis-label text')]
    .map(t => t.getAttribute('fill'))"""
TOO_WIDE = """() => document.documentElement.scrollWidth > window.innerWidth"""
HIDDEN_CHARTS = """() => [...document.querySelectorAll('.book-chart figure')]
    .filter(f => f.scrollWidth > f.clientWidth + 1).map(f => f.parentElement.id)"""


def pages(folder: Path) -> list[Path]:
    return sorted((folder / "chapters").rglob("*.html"))


def check(browser: Browser, folder: Path, size: tuple[int, int], theme: str) -> None:
    visit = Visit(browser, size, theme)
    for path in pages(folder):
        page = visit.open(path)
        assert page.evaluate("() => document.documentElement.dataset.theme") == theme
        assert page.evaluate(UNDRAWN) == [], path.name
        assert not page.evaluate(TOO_WIDE), f"{path.name} is wider than the window"
        assert page.evaluate(HIDDEN_CHARTS) == [], f"charts cut off in {path.name}"
        assert page.locator("mjx-merror").count() == 0, path.name
        assert len(set(page.evaluate(COLOURS_OF_TEXT))) <= 1
        assert page.locator(".book-chart-text").count() == 0, "drawn, so no longer told in words"
        nameless = page.locator(".book-chart figure:not([aria-label])").count()
        assert nameless == 0
        assert page.locator(".book-chart").count() == page.locator(".book-chart details").count()
    assert visit.wrong == []
    visit.context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_sample_reads_well(
    browser: Browser, sample: Path, size: tuple[int, int], theme: str
) -> None:
    check(browser, sample, size, theme)


@pytest.mark.parametrize(
    ("size", "theme"), [(WIDE, "light"), (WIDE, "dark"), (PHONE, "light")], ids=str
)
def test_book_reads_well(browser: Browser, book: Path, size: tuple[int, int], theme: str) -> None:
    check(browser, book, size, theme)


def test_charts_follow_the_theme_and_the_width(browser: Browser, sample: Path) -> None:
    visit = Visit(browser, WIDE, "light")
    page = visit.open(sample / "chapters" / "sample.html")
    light = page.evaluate(COLOURS_OF_TEXT)
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    page.wait_for_function(f"before => !({COLOURS_OF_TEXT})().includes(before)", arg=light[0])
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_function(f"() => ({HIDDEN_CHARTS})().length === 0")
    assert visit.wrong == []


def test_numbers_are_one_click_away(browser: Browser, sample: Path) -> None:
    page = Visit(browser, WIDE, "light").open(sample / "chapters" / "sample.html")
    numbers = page.locator(".book-chart table").first
    assert not numbers.is_visible()
    page.locator(".book-chart summary").first.click()
    assert numbers.is_visible()


def test_a_chart_that_cannot_be_drawn_says_so(browser: Browser, sample: Path) -> None:
    whole = (sample / "chapters" / "sample.html").read_text("utf-8")
    broken = sample / "chapters" / "broken.html"
    broken.write_text(whole.replace('"mark":{', '"mark":{"typo":{},"broken":', 1), "utf-8")
    try:
        visit = Visit(browser, WIDE, "light")
        visit.page.goto(broken.as_uri())
        message = visit.page.locator(".book-chart-error")
        message.wait_for()
        assert "could not be drawn" in message.inner_text()
        assert visit.page.locator(".book-chart table").first.is_visible()
        assert any("Chart not drawn" in text for text in visit.wrong)
        visit.page.wait_for_function("() => document.querySelectorAll('figure svg').length === 1")
    finally:
        broken.unlink()


def test_without_scripts_a_chart_is_told_in_words(browser: Browser, sample: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((sample / "chapters" / "sample.html").as_uri())
    assert "Accuracy falls from" in page.locator(".book-chart-text").first.inner_text()


def test_search_finds_a_word(browser: Browser, sample: Path) -> None:
    visit = Visit(browser, WIDE, "light")
    page = visit.open(sample / "search.html", "?q=quokka")
    page.locator("#search-results li a").first.wait_for()
    assert page.locator("#search-results li a").all_inner_texts() == ["A page without charts"]
    assert visit.wrong == []


def test_a_page_without_charts_loads_no_script_for_them(sample: Path) -> None:
    assert "charts/vega-" in (sample / "chapters" / "sample.html").read_text("utf-8")
    assert "charts/vega-" not in (sample / "chapters" / "plain.html").read_text("utf-8")
    assert "tex-chtml" not in (sample / "chapters" / "plain.html").read_text("utf-8")


def test_a_page_prints_without_what_only_a_screen_can_use(browser: Browser, sample: Path) -> None:
    visit = Visit(browser, WIDE, "light")
    page = visit.open(sample / "chapters" / "sample.html")
    assert page.locator(".book-chart summary").first.is_visible()
    page.emulate_media(media="print")
    for screen in (".bd-sidebar-primary", ".prev-next-area", ".book-chart summary"):
        seen = page.locator(screen).evaluate_all("all => all.filter(x => x.checkVisibility())")
        assert seen == [], screen
    assert page.locator("h1:visible").count() == 1
    assert page.locator(".book-chart svg").first.is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF-")
    assert visit.wrong == []
    visit.context.close()
