"""Which chapter judges which claim, and where a verdict's records are from."""

from pathlib import Path

import pytest

from positions import claims
from positions.book import parameters, toc

CHECKOUT = Path(__file__).resolve().parents[2]
JUDGED = {claim.chapter for claim in claims.claims() if claim.chapter}


def test_each_claim_with_a_test_is_judged_in_a_chapter_of_the_book():
    assert {claim.id for claim in claims.claims() if claim.test and not claim.chapter} == set()
    assert {claim.id for claim in claims.claims() if claim.chapter and not claim.test} == set()
    assert {chapter.name for chapter in toc.listed(CHECKOUT)} >= JUDGED


@pytest.mark.parametrize("chapter", sorted(JUDGED))
def test_a_chapter_judges_its_claims_under_what_holds(chapter):
    cells = parameters.notebook(CHECKOUT / "chapters" / f"{chapter}.ipynb").cells
    assert any("\n## What holds\n" in f"\n{cell.source}\n" for cell in cells)
    asked = f'claims.judge(store=store(preset), preset=preset, chapter="{chapter}")'
    assert sum(asked in cell.source for cell in cells) == 1


def test_claims_are_chosen_by_paper_and_by_chapter():
    assert [claim.number for claim in claims.claims(chapter="theory")] == ["C10", "C11"]
    assert claims.claims("position-embeddings", "theory") == []
    with pytest.raises(LookupError, match=r"judges claims 'theroy'.*'theory'"):
        claims.claims(chapter="theroy")


def test_a_verdict_leads_to_its_records(evidence, grid):
    known = evidence(grid())
    found = claims.judge_one(claims.get("length-generalization/C1"), known)
    assert len(found.records) > 100
    sources = known.sources(found.records)
    assert list(sources) == ["length_generalization"]
    assert sorted(sources["length_generalization"]) == sorted(found.records)
    assert known.sources([]) == {}
