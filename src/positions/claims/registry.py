"""All claims, and their judging."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from positions.claims import length_generalization, position_embeddings
from positions.claims.base import PAPERS, Claim, Evidence, Figure, Verdict, untested
from positions.errors import unknown_name
from positions.runs import Store

_CLAIMS = (*position_embeddings.CLAIMS, *length_generalization.CLAIMS)


def claims(paper: str | None = None, chapter: str | None = None) -> list[Claim]:
    """Return the claims of a paper, or those that a chapter judges; of both papers where None.

    Raises `UnknownNameError` for an unknown paper, or a chapter that judges no claim.
    """
    if paper is not None and paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS)
    chapters = {claim.chapter for claim in _CLAIMS if claim.chapter}
    if chapter is not None and chapter not in chapters:
        raise unknown_name("chapter that judges claims", chapter, chapters)
    return [
        claim
        for claim in _CLAIMS
        if paper in (None, claim.paper) and chapter in (None, claim.chapter)
    ]


def get(identity: str) -> Claim:
    """Return the claim of that id ("position-embeddings/C1"); raises `UnknownNameError`."""
    by_id = {claim.id: claim for claim in _CLAIMS}
    if identity not in by_id:
        raise unknown_name("claim", identity, by_id)
    return by_id[identity]


def judge(
    paper: str | None = None,
    store: Store | None = None,
    preset: str = "laptop",
    chapter: str | None = None,
) -> list[Verdict]:
    """Judge the claims of a paper, of a chapter, or all, from what is recorded of a preset.

    `store` defaults to the project's results. Raises as `claims`, and `DamagedFileError` for a
    damaged store.
    """
    evidence = Evidence(Store() if store is None else store, preset)
    return [judge_one(claim, evidence) for claim in claims(paper, chapter)]


def judge_one(claim: Claim, evidence: Evidence) -> Verdict:
    """Judge one claim; where that is not possible the reason says why."""
    if evidence.preset == "smoke":
        finding = untested(claim, "Preset smoke only shows that everything runs.")
    elif claim.test is None:
        finding = untested(claim, f"Not tested yet: it takes {claim.missing}.")
    else:
        finding = claim.test(claim, evidence)
    return Verdict(claim, finding.status, finding.reason, finding.figures, finding.records)


def table(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """Return one row a verdict: id, claim, published, ours, verdict, reason."""
    return pd.DataFrame(
        [
            {
                "id": verdict.claim.id,
                "claim": verdict.claim.statement,
                "where": verdict.claim.where,
                "quantity": verdict.claim.quantity,
                "published": verdict.published,
                "ours": verdict.ours or "none",
                "verdict": verdict.status,
                "reason": verdict.reason,
            }
            for verdict in verdicts
        ],
        columns=["id", "claim", "where", "quantity", "published", "ours", "verdict", "reason"],
    )


def figures(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """Return one row a figure of the verdicts: published, ours, the range of our single runs."""
    return pd.DataFrame(
        [
            {
                "id": verdict.claim.id,
                "verdict": verdict.status,
                "quantity": verdict.claim.quantity,
                **vars(item),
            }
            for verdict in verdicts
            for item in verdict.figures
        ],
        columns=["id", "verdict", "quantity", *Figure.__dataclass_fields__],
    )
