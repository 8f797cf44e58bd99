"""Verdicts on claims as a table to read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from IPython.display import HTML

from positions import tables
from positions.book.pictures.labels import label
from positions.claims import STATUSES, Claim, Verdict
from positions.words import many

_NAMES = re.compile("|".join(sorted(map(re.escape, tables.names()), key=len, reverse=True)))


def table(verdicts: Iterable[Verdict]) -> HTML:
    """Return one row a claim: what it says, the verdict, published figures and ours, the reason."""
    head = "".join(f'<th scope="col">{title}</th>' for title in ("claim", "verdict"))
    body = "".join(map(_row, verdicts))
    return HTML(
        f'<table class="dataframe book-verdicts"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def count(verdicts: Iterable[Verdict]) -> str:
    """Say how many claims have which verdict."""
    statuses = [verdict.status for verdict in verdicts]
    parts = [
        f"{statuses.count(status)} {status}" for status in STATUSES if statuses.count(status) > 0
    ]
    return f"{many(len(statuses), 'claim')}{': ' if parts else ''}{', '.join(parts)}."


def anchor(claim: Claim) -> str:
    """Return the name that a page gives to a claim's row, to be linked to."""
    return claim.id.lower().replace("/", "-")


def readable(text: str) -> str:
    """Escape a text, name tables as charts do, and set commands as code."""
    text = text.replace("RoBERTa's table (roberta-base)", "RoBERTa's table")
    named = _NAMES.sub(lambda match: label(match.group()), escape(text, quote=False))
    return re.sub("`([^`]+)`", r"<code>\1</code>", named)


def _row(verdict: Verdict) -> str:
    claim = verdict.claim
    lines = []
    if verdict.figures:
        quantity = f"{claim.quantity[:1].upper()}{claim.quantity[1:]}. " if claim.quantity else ""
        # a claim that has a published table, be it empty, waits for figures; others have none
        printed = claim.published is not dict
        published = verdict.published if printed else "no figure"
        lines.append(f"{quantity}Published: {published}. Ours: {verdict.ours or 'none'}.")
    lines.append(verdict.reason)
    found = "".join(f"<p>{readable(line)}</p>" for line in lines)
    return (
        f'<tr id="{anchor(claim)}">'
        f"<td><strong>{claim.number}</strong> {readable(claim.statement)}"
        f"<p><small>{readable(claim.where)}</small></p></td>"
        f"<td><p><strong>{verdict.status}</strong></p>{found}</td></tr>"
    )
