"""Headlines: said only where records bear them out, and linked to a section that is there."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils.nodes import make_id

from positions import claims
from positions.book import parameters
from positions.book.pictures.judged import answers, headlines, words
from positions.claims import Evidence, Verdict

CHECKOUT = Path(__file__).resolve().parents[4]
NAMES = {
    "walk": "random-walk",
    "gpt2": "gpt2",
    "bert": "bert-base-uncased",
    "copy": "bert-base-uncased-finetuned-a",
}


def probing(measure: str, metric: str, **values: float) -> list[SimpleNamespace]:
    return [
        SimpleNamespace(
            config={"measure": measure, "table": NAMES[name], "unused_rows": False},
            metrics={metric: value},
        )
        for name, value in values.items()
    ]


def evidence(**records: list) -> SimpleNamespace:
    return SimpleNamespace(preset="laptop", records=lambda name: records.get(name, []))


@pytest.mark.parametrize("entry", headlines.EVERY, ids=lambda entry: entry[0].__name__)
def test_a_headline_leads_to_a_section_that_is_there(entry) -> None:
    _, question, chapter, section = entry
    cells = parameters.notebook(CHECKOUT / "chapters" / f"{chapter}.ipynb").cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    assert section in {make_id(title) for title in titles}
    assert question.endswith("?")


def test_nothing_recorded_leaves_what_needs_no_record(store) -> None:
    known = Evidence(store, "laptop")
    verdicts = [claims.judge_one(claim, known) for claim in claims.claims()]
    (only,) = headlines.found(known, verdicts)
    assert only.question == "Were all published models trained alike?"
    assert only.page == "length-generalization.html#what-holds"
    assert headlines.found(known, []) == []


def test_smoke_runs_bear_nothing_out(store) -> None:
    verdict = Verdict(claims.get("length-generalization/C10"), "reproduced", "It counts.")
    assert headlines.found(Evidence(store, "smoke"), [verdict]) == []


def test_an_untrained_table_is_told_of_only_where_it_wins() -> None:
    wins = evidence(probing=probing("index", "mae", walk=0.7, copy=35.0, gpt2=1.0))
    said = answers.untrained(wins, {})
    assert (
        "0.7 positions" in said and "(1 fine-tuned copy) to 35.0" in said and "table to 1.0" in said
    )
    loses = evidence(probing=probing("index", "mae", walk=40.0, copy=35.0))
    assert answers.untrained(loses, {}) == ""
    assert answers.untrained(evidence(probing=probing("index", "mae", walk=0.7)), {}) == ""
    own = evidence(probing=probing("index", "mae", walk=0.7, bert=30.0, copy=35.0))
    assert "BERT's table to 30.0" in answers.untrained(own, {})


@pytest.mark.parametrize(("blocks", "told"), [(46.0, True), (20.0, False)])
def test_a_probe_of_order_is_told_of_only_where_it_fails(blocks: float, told: bool) -> None:
    records = probing("order-splits", "shared", gpt2=2.0)
    records[0].metrics["blocks"] = blocks
    said = answers.neighbours(evidence(probing=records), {})
    assert bool(said) == told
    if told:
        assert "2.0 % wrong as published, and 46 %" in said


@pytest.mark.parametrize("status", ["undecided", "not tested at this scale", None])
@pytest.mark.parametrize(
    "answer",
    [answers.attention_of_nope, answers.past_context, answers.steps_written_down],
    ids=lambda answer: answer.__name__,
)
def test_what_is_not_decided_makes_no_headline(answer, status) -> None:
    numbers = ("C12", "C14", "C19")
    ids = [f"length-generalization/{number}" for number in numbers]
    judged = {name: Verdict(claims.get(name), status, "") for name in ids} if status else {}
    assert answer(evidence(), judged) == ""


def test_the_first_sentence_of_a_reason_is_enough() -> None:
    name = "length-generalization/C10"
    verdict = Verdict(claims.get(name), "reproduced", "Off by 2.1e-11. It takes a mark.")
    assert answers.counting(evidence(), {name: verdict}) == "Yes. Off by 2.1e-11."


def test_headlines_are_listed_with_their_links() -> None:
    one = headlines.Headline("Who <wins>?", "`scan` does.", "theory", "how-exact-is-it")
    page = words.listed([one]).data
    assert "Who &lt;wins&gt;?" in page and "<code>scan</code>" in page
    assert 'href="theory.html#how-exact-is-it"' in page
    assert "Nothing" in words.listed([]).data
