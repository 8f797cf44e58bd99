"""Every claim of both papers, and the tests that judge them from the records."""

from positions.claims.base import PAPERS, STATUSES, Claim, Evidence, Figure, Finding, Verdict
from positions.claims.registry import claims, figures, get, judge, judge_one, table

__all__ = [
    "PAPERS",
    "STATUSES",
    "Claim",
    "Evidence",
    "Figure",
    "Finding",
    "Verdict",
    "claims",
    "figures",
    "get",
    "judge",
    "judge_one",
    "table",
]
