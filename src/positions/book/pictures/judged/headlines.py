"""What stands out in the recorded runs: a question, the answer, and where it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from positions.book.pictures.judged import answers
from positions.claims import Evidence, Verdict


@dataclass(frozen=True)
class Headline:
    """A question, what the records answer, and the chapter and section that show it."""

    question: str
    answer: str
    chapter: str
    section: str

    @property
    def page(self) -> str:
        """Return the address of its section, from a page beside the chapter."""
        return f"{self.chapter}.html#{self.section}"


EVERY: tuple[tuple[answers.Answer, str, str, str], ...] = (
    (
        answers.furthest,
        "Which encoding goes furthest beyond its training lengths?",
        "length-generalization",
        "who-ranks-first",
    ),
    (
        answers.untrained,
        "Must a table be trained for its index to be read well?",
        "probing",
        "which-position-is-this",
    ),
    (
        answers.bias,
        "What does T5's bias cost?",
        "efficiency",
        "what-if-attention-is-not-written-out",
    ),
    (
        answers.neighbours,
        "Does a probe that tells which of two positions comes first know their order?",
        "probing",
        "does-table-2-leak",
    ),
    (
        answers.positions,
        "Does it take positions to classify a text?",
        "classification",
        "is-position-needed-at-all",
    ),
    (
        answers.attention_of_nope,
        "Does a decoder without encoding attend as one with T5's bias does?",
        "attention",
        "which-encoding-is-nearest",
    ),
    (
        answers.past_context,
        "Which language models read past their context?",
        "context",
        "where-each-encoding-breaks",
    ),
    (
        answers.steps_written_down,
        "Does it help to write the steps down?",
        "scratchpad",
        "where-a-scratchpad-helps",
    ),
    (
        answers.counting,
        "Can a decoder count that is told no positions?",
        "theory",
        "how-exact-is-it",
    ),
    (
        answers.published_steps,
        "Were all published models trained alike?",
        "length-generalization",
        "what-holds",
    ),
    (answers.reach, "How far does any of them go?", "length-generalization", "what-holds"),
)
"""Answer, question, chapter and section, those that surprise most first."""


def found(evidence: Evidence, verdicts: Iterable[Verdict]) -> list[Headline]:
    """Return the headlines that the records bear out, those that surprise most first.

    One whose runs are not recorded, or do not bear it out, is left out; smoke runs bear nothing
    out. `verdicts` are those on the claims, judged by the same evidence.
    """
    if evidence.preset == "smoke":
        return []
    judged = {verdict.claim.id: verdict for verdict in verdicts}
    answered = [(answer(evidence, judged), *place) for answer, *place in EVERY]
    return [
        Headline(question, answer, chapter, section)
        for answer, question, chapter, section in answered
        if answer
    ]
