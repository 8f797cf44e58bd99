"""The findings in README.md: written from the records, between two markers."""

from __future__ import annotations

from pathlib import Path

from positions import claims
from positions.book.pictures import judged
from positions.claims import PAPERS, STATUSES, Evidence, Verdict
from positions.errors import DamagedFileError, NotAtHandError

START, END = "<!-- findings: written by `positions readme` -->", "<!-- end of findings -->"
HEADLINES = 6


def update(project: Path, evidence: Evidence) -> bool:
    """Write the findings into a project's README.md; return whether they had changed.

    Raises `NotAtHandError` where there is no README.md, `DamagedFileError` where it lacks the
    markers.
    """
    path = project / "README.md"
    try:
        before = path.read_text("utf-8")
    except FileNotFoundError:
        raise NotAtHandError(f"There is no {path} to write the findings into.") from None
    except UnicodeDecodeError as error:
        raise DamagedFileError(f"{path} is not UTF-8 ({error}). Save it as UTF-8.") from None
    after = replaced(before, findings(evidence))
    if after == before:
        return False
    fresh = path.with_name(".README.md.new")
    try:
        fresh.write_text(after, "utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return True


def replaced(text: str, new: str) -> str:
    """Return a text with what stands between the markers replaced; raises as `update`."""
    head, start, rest = text.partition(START)
    _, end, tail = rest.partition(END)
    if not (start and end) or START in tail or END in head + tail:
        raise DamagedFileError(
            "README.md must hold these two lines once, in this order; the findings go between "
            f"them:\n{START}\n{END}"
        )
    return f"{head}{START}\n\n{new}\n\n{END}{tail}"


def findings(evidence: Evidence) -> str:
    """Return two tables in Markdown: claims by paper and verdict, and what stands out."""
    verdicts = [claims.judge_one(claim, evidence) for claim in claims.claims()]
    parts = [_table(["claims", *STATUSES], [_counts(paper, verdicts) for paper in PAPERS])]
    headlines = judged.headlines.found(evidence, verdicts)[:HEADLINES]
    if headlines:
        rows = [
            [each.question, each.answer, f"[{each.chapter}](chapters/{each.chapter}.ipynb)"]
            for each in headlines
        ]
        parts.append(_table(["question", "what the records say", "chapter"], rows))
    return "\n\n".join(parts)


def _counts(paper: str, verdicts: list[Verdict]) -> list[str]:
    found = [verdict.status for verdict in verdicts if verdict.claim.paper == paper]
    return [PAPERS[paper], *(str(found.count(status)) for status in STATUSES)]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(text) for text in line)} |" for line in lines)


def _cell(text: str) -> str:
    """Return a text that stays in its cell."""
    return " ".join(text.replace("|", "\\|").split())
