"""What the recorded runs say of scratchpads, in a few lines."""

from __future__ import annotations

from collections.abc import Iterable

from positions.book.pictures.scratchpad import gains, ranks
from positions.book.pictures.scratchpad.study import Study
from positions.book.pictures.verdicts import count
from positions.claims import Verdict


def said(study: Study, verdicts: Iterable[Verdict]) -> str:
    """Answer the chapter's questions from the runs and the verdicts: a list in Markdown."""
    answers = {
        "Where does a scratchpad help?": gains.helped(study),
        "Which format?": ranks.first(study),
        "How sure?": f"By the rules of this book, {count(verdicts)}",
    }
    return "\n".join(f"- **{question}** {answer}" for question, answer in answers.items())
