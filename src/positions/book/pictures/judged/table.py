"""Every claim in one table that can be filtered; without style and script it is a plain table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from IPython.display import HTML

from positions.book.pictures.verdicts import anchor, readable
from positions.claims import PAPERS, STATUSES, Claim, Evidence, Verdict

ALL = "all"
FEW = 4
"""Figures that are shown before a row is opened."""
COLUMNS = ("claim", "verdict", "ours", "published")


def page(verdicts: Iterable[Verdict], evidence: Evidence) -> HTML:
    """Return filters by paper and verdict, and one row a claim that opens to what it rests on.

    The filters are radio buttons that `book.css` reads. `evidence` is what the claims were judged
    by.
    """
    found = list(verdicts)
    head = "".join(f'<th scope="col" role="columnheader">{title}</th>' for title in COLUMNS)
    rows = [_row(verdict, evidence) for verdict in found] + _nothing(found)
    return HTML(
        f'<div class="book-claims">{_filters(found)}'
        '<table class="book-claims-table" role="table">'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(rows)}</tbody></table></div>'
    )


def slug(status: str) -> str:
    """Return a verdict as styles name it."""
    return status.replace(" ", "-")


def link(claim: Claim) -> str:
    """Return the address of a claim's row in the chapter that judges it; empty where none does."""
    return f"{claim.chapter}.html#{anchor(claim)}" if claim.chapter else ""


def _filters(verdicts: Sequence[Verdict]) -> str:
    papers = {paper: title for paper, title in PAPERS.items() if _count(verdicts, paper=paper)}
    statuses = [status for status in STATUSES if _count(verdicts, status=status)]
    by_paper = {
        paper: f"{title} ({_count(verdicts, paper=paper)})" for paper, title in papers.items()
    }
    by_verdict = {
        slug(status): f"{status} ({_count(verdicts, status=status)})" for status in statuses
    }
    every = f"all ({len(verdicts)})"
    return (
        '<div class="book-claims-filters">'
        f"{_radios('paper', 'Paper', {ALL: every, **by_paper})}"
        f"{_radios('verdict', 'Verdict', {ALL: every, **by_verdict})}</div>"
    )


def _radios(name: str, legend: str, options: dict[str, str]) -> str:
    buttons = "".join(
        f'<label><input type="radio" name="book-claims-{name}" value="{value}"'
        f"{' checked' if value == ALL else ''}> {escape(text)}</label> "
        for value, text in options.items()
    )
    return f"<fieldset><legend>{legend}</legend>{buttons}</fieldset>"


def _row(verdict: Verdict, evidence: Evidence) -> str:
    claim = verdict.claim
    where = f"{PAPERS[claim.paper]}, {claim.where}"
    details = f"<details><summary>What this rests on</summary>{_basis(verdict, evidence)}</details>"
    place = link(claim)
    chapter = f'in <a href="{place}">{claim.chapter}</a>' if place else "in no chapter yet"
    source = f"<p><small>{chapter}, preset {evidence.preset}</small></p>"
    cells = (
        f"<strong>{claim.number}</strong> {readable(claim.statement)}"
        f"<p><small>{readable(where)}</small></p>{details}",
        f"<strong>{verdict.status}</strong>{source}",
        _few(verdict.ours, "none"),
        _few(verdict.published if claim.published is not dict else "", "no figure"),
    )
    body = "".join(
        f'<td role="cell" data-label="{label}">{cell}</td>'
        for label, cell in zip(COLUMNS, cells, strict=True)
    )
    return (
        f'<tr role="row" id="{anchor(claim)}" data-paper="{claim.paper}" '
        f'data-verdict="{slug(verdict.status)}">{body}</tr>'
    )


def _few(figures: str, none: str) -> str:
    """Return the first figures, one a line, and how many more there are."""
    parts = figures.split("; ") if figures else [none]
    lines = [readable(part) for part in parts[:FEW]]
    if len(parts) > FEW:
        lines.append(f"<small>and {len(parts) - FEW} more</small>")
    return "<br>".join(lines)


def _basis(verdict: Verdict, evidence: Evidence) -> str:
    """Return why the verdict is so, all figures, and the records with a command to show them."""
    claim = verdict.claim
    lines = [readable(verdict.reason)]
    if claim.quantity:
        lines.append(f"Measured: {readable(claim.quantity)}.")
    lines.append(f"The smallest difference that counts: {readable(claim.effect)}.")
    for title, figures in (("Ours", verdict.ours), ("Published", verdict.published)):
        if figures.count("; ") >= FEW:
            lines.append(f"{title}: {readable(figures)}.")
    sources = evidence.sources(verdict.records)
    lines += [_records(name, keys, evidence.preset) for name, keys in sources.items()]
    if not sources:
        lines.append(_without_records(verdict))
    return "".join(f"<p>{line}</p>" for line in lines)


def _records(experiment: str, keys: Sequence[str], preset: str) -> str:
    runs = f"{len(keys):,} record{'s' * (len(keys) > 1)}"
    listed = f"positions results show {experiment} --preset {preset}"
    return (
        f"Rests on {runs} of the experiment <code>{experiment}</code>, preset {preset}. "
        f"<code>positions results show {keys[0]}</code> shows one, <code>{listed}</code> lists all."
    )


def _without_records(verdict: Verdict) -> str:
    if verdict.status == "not tested at this scale":
        return "No record bears on it yet."
    return "Rests on published figures alone, on no record."


def _nothing(verdicts: Sequence[Verdict]) -> list[str]:
    """Return a row for each pair of filters that leaves no claim; styles show it only then."""
    statuses = [status for status in STATUSES if _count(verdicts, status=status)]
    papers = [paper for paper in PAPERS if _count(verdicts, paper=paper)]
    return [
        f'<tr role="row" class="book-claims-none" data-paper="{paper}" '
        f'data-verdict="{slug(status)}"><td role="cell" colspan="{len(COLUMNS)}">'
        f"{escape(PAPERS[paper])}: no claim is {status}.</td></tr>"
        for paper in papers
        for status in statuses
        if not _count(verdicts, paper, status)
    ]


def _count(verdicts: Iterable[Verdict], paper: str | None = None, status: str | None = None) -> int:
    return sum(
        paper in (None, each.claim.paper) and status in (None, each.status) for each in verdicts
    )
