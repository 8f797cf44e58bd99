"""All claims in one table: complete, traceable, and filtered by style alone."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from positions import claims, experiments
from positions.book.pictures.judged import chart, table, words
from positions.book.pictures.verdicts import anchor
from positions.book.pictures.verdicts import table as chapters_table
from positions.claims import PAPERS, STATUSES, Evidence, Figure, Verdict
from positions.experiments import Outcome
from positions.runs import Store, execute

CHECKOUT = Path(__file__).resolve().parents[4]
STYLE = (CHECKOUT / "_static" / "book.css").read_text()


def judged(number: str, status: str, records=(), figures=()) -> Verdict:
    claim = claims.get(f"length-generalization/{number}")
    return Verdict(claim, status, "It <is> so.", tuple(figures), tuple(records))


@pytest.fixture
def evidence(store: Store) -> Evidence:
    """Two made-up records of the construction, read."""
    known = experiments.get("construction")
    for config in known.configs("laptop")[:2]:
        made_up = replace(known, run=lambda config: Outcome({"error": 0.0}, {"length": [1]}))
        store.add(execute(made_up, config, "laptop"))
    found = Evidence(store, "laptop")
    found.records("construction")
    return found


def rows(page: str) -> dict[str, str]:
    return dict(re.findall(r'<tr role="row" id="([^"]+)"(.*?)</tr>', page, flags=re.DOTALL))


def test_every_claim_has_a_row_where_nothing_is_recorded(store: Store) -> None:
    evidence = Evidence(store, "laptop")
    verdicts = [claims.judge_one(claim, evidence) for claim in claims.claims()]
    found = rows(table.page(verdicts, evidence).data)
    assert len(found) == 38
    for claim in claims.claims():
        row = found[anchor(claim)]
        assert f'data-paper="{claim.paper}"' in row and "<details>" in row
        assert (f'href="{claim.chapter}.html#{anchor(claim)}"' in row) == bool(claim.chapter)


def test_a_link_leads_to_a_row_of_the_chapter() -> None:
    one = judged("C10", "reproduced")
    assert table.link(one.claim) == "theory.html#length-generalization-c10"
    assert 'id="length-generalization-c10"' in chapters_table([one]).data


def test_a_verdict_names_its_records_and_a_command_that_shows_one(evidence: Evidence) -> None:
    keys = [record.key for record in evidence.records("construction")]
    page = table.page([judged("C10", "reproduced", keys)], evidence).data
    assert "2 records of the experiment <code>construction</code>, preset laptop" in page
    assert f"<code>positions results show {keys[0]}</code>" in page
    assert "It &lt;is&gt; so." in page


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("not tested at this scale", "No record bears on it yet."),
        ("not reproduced", "Rests on published figures alone"),
    ],
)
def test_a_verdict_without_records_says_so(evidence: Evidence, status: str, said: str) -> None:
    assert said in table.page([judged("C22", status)], evidence).data


def test_many_figures_are_cut_short_and_whole_where_the_row_opens(evidence: Evidence) -> None:
    figures = [Figure(f"run {n}", 0.5, n / 10, n / 10 - 0.01, n / 10 + 0.01, 5) for n in range(7)]
    row = rows(table.page([judged("C1", "undecided", figures=figures)], evidence).data)
    (text,) = row.values()
    cell = re.search(r'data-label="ours">(.*?)</td>', text)[1]
    assert "run 3 0.3 (0.29 to 0.31)" in cell and "run 4" not in cell and "and 3 more" in cell
    assert "run 6 0.6 (0.59 to 0.61)" in text


def test_only_verdicts_that_occur_can_be_chosen_and_empty_choices_say_so(
    evidence: Evidence,
) -> None:
    first = Verdict(claims.get("position-embeddings/C1"), "reproduced", "")
    page = table.page([first, judged("C1", "undecided")], evidence).data
    offered = re.findall(r'name="book-claims-verdict" value="([^"]+)"', page)
    assert offered == ["all", "reproduced", "undecided"]
    assert "Wang &amp; Chen 2020: no claim is undecided." in page
    assert "Kazemnejad et al. 2023: no claim is reproduced." in page
    assert page.count("book-claims-none") == 2


@pytest.mark.parametrize("status", STATUSES)
def test_the_style_sheet_filters_by_each_verdict(status: str) -> None:
    name = table.slug(status)
    assert re.search(
        rf'\.book-claims:has\(\[value="{name}"\]:checked\)\s+'
        rf'tr\[data-verdict\]:not\(\[data-verdict="{name}"\]\)',
        STYLE,
    )


@pytest.mark.parametrize("paper", PAPERS)
def test_the_style_sheet_filters_by_each_paper(paper: str) -> None:
    assert f'tr[data-paper]:not([data-paper="{paper}"])' in STYLE


def test_the_chart_has_a_dot_for_each_claim_and_is_told_in_words() -> None:
    picture = chart.drawn([judged("C1", "reproduced"), judged("C2", "reproduced")])
    assert list(picture.numbers["number"]) == ["C1", "C2"]
    assert "Kazemnejad et al. 2023: 2 reproduced." in picture.description
    assert "text/html" in picture._repr_mimebundle_()


def test_the_chart_can_be_drawn_of_no_claim() -> None:
    assert "text/html" in chart.drawn([])._repr_mimebundle_()


def test_the_summary_counts_and_links_what_fails() -> None:
    page = words.summary([judged("C1", "reproduced"), judged("C2", "not reproduced")]).data
    assert "2 claims: 1 reproduced, 1 not reproduced." in page
    assert 'href="claims.html#length-generalization-c2"' in page
    assert "c1" not in page and "Wang" not in page
