"""Verdicts on claims as a table to read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from html import escape as escape_all

from IPython.display import HTML

from positions.claims import STATUSES, Verdict

escape = partial(escape_all, quote=False)


def table(verdicts: Iterable[Verdict]) -> HTML:
    """Return one row a claim: what it says, the verdict and why, published figures and ours."""
    head = "".join(f'<th scope="col">{title}</th>' for title in ("claim", "verdict and figures"))
    body = "".join(map(_row, verdicts))
    return HTML(
        f'<table class="dataframe verdicts"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def count(verdicts: Iterable[Verdict]) -> str:
    """Say how many claims have which verdict."""
    statuses = [verdict.status for verdict in verdicts]
    parts = [
        f"{statuses.count(status)} {status}" for status in STATUSES if statuses.count(status) > 0
    ]
    return f"{len(statuses)} claims: {', '.join(parts)}."


def _row(verdict: Verdict) -> str:
    claim = verdict.claim
    figures = ""
    if verdict.figures:
        figures = (
            f"<br><small>{escape(claim.quantity)}<br>published: {escape(verdict.published)}<br>"
            f"ours: {escape(verdict.ours or 'none')}</small>"
        )
    return (
        f"<tr><td><strong>{claim.number}</strong> {escape(claim.statement)}"
        f"<br><small>{escape(claim.where)}</small></td>"
        f"<td><strong>{escape(verdict.status)}</strong>. {escape(verdict.reason)}{figures}"
        "</td></tr>"
    )
