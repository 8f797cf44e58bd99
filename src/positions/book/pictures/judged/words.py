"""What became of each paper's claims, in a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from IPython.display import HTML

from positions.book.pictures.judged.headlines import Headline
from positions.book.pictures.verdicts import anchor, count, readable
from positions.claims import PAPERS, Verdict

PAGE = "claims.html"
"""The page of all claims, beside the chapters."""


def summary(verdicts: Iterable[Verdict]) -> HTML:
    """Return a list of the papers: how many of its claims have which verdict, and which fail."""
    found = list(verdicts)
    items = []
    for paper, title in PAPERS.items():
        own = [verdict for verdict in found if verdict.claim.paper == paper]
        if own:
            failed = [each for each in own if each.status == "not reproduced"]
            links = f" Not reproduced: {', '.join(map(_link, failed))}." if failed else ""
            items.append(f"<li><strong>{escape(title)}</strong>, {count(own)}{links}</li>")
    return HTML(f"<ul>{''.join(items)}</ul>")


def listed(headlines: Sequence[Headline]) -> HTML:
    """Return headlines as a list, each with a link to its place in the book."""
    if not headlines:
        return HTML("<p>Nothing is recorded yet that stands out.</p>")
    items = "".join(
        f"<li><strong>{escape(each.question)}</strong> {readable(each.answer)} "
        f'<a href="{each.page}">More in {each.chapter}</a>.</li>'
        for each in headlines
    )
    return HTML(f"<ul>{items}</ul>")


def _link(verdict: Verdict) -> str:
    claim = verdict.claim
    return f'<a href="{PAGE}#{anchor(claim)}" title="{escape(claim.statement)}">{claim.number}</a>'
