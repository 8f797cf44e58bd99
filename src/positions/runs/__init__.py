"""Recorded runs: records, the store that keeps them, sweeps and the engines that run them."""

from positions.runs.check import Verification, rerun, verify
from positions.runs.engine import execute
from positions.runs.frames import frame, provenance_frame, series_frame, summary
from positions.runs.record import Provenance, Record
from positions.runs.store import Merged, NotWrittenError, Store
from positions.runs.sweep import Failure, Plan, Report, plan, run_missing

__all__ = [
    "Failure",
    "Merged",
    "NotWrittenError",
    "Plan",
    "Provenance",
    "Record",
    "Report",
    "Store",
    "Verification",
    "execute",
    "frame",
    "plan",
    "provenance_frame",
    "rerun",
    "run_missing",
    "series_frame",
    "summary",
    "verify",
]
