"""Where a chapter's numbers come from, as the box that ends it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from IPython.display import HTML

from positions.runs import Provenance, Record

COMMITS = 3
"""Of more commits than this the number is told and not each name."""


def footer(records: Iterable[Record]) -> HTML:
    """Return a box on the runs behind a chapter: number, time, machines, code, how to see one.

    A line for each experiment and preset; empty where nothing is recorded.
    """
    known = sorted(records, key=_group)
    lines = [_told(*group, list(part)) for group, part in groupby(known, key=_group)]
    if not lines:
        return HTML("")
    body = "".join(f"<p>{line}</p>" for line in lines)
    return HTML(f'<div class="book-provenance" role="note">{body}</div>')


def _group(record: Record) -> tuple[str, str]:
    return record.experiment, record.preset


def _told(experiment: str, preset: str, records: Sequence[Record]) -> str:
    notes = sorted((record.provenance for record in records), key=lambda note: note.started)
    days = dict.fromkeys((notes[0].started[:10], notes[-1].started[:10]))
    machines = dict.fromkeys(note.device for note in notes)
    runs = f"{len(records):,} recorded run{'' if len(records) == 1 else 's'}"
    show = f"positions results show {records[0].key}"
    every = f"positions results show {experiment} --preset {preset}"
    return (
        f"Made from {runs} of <code>{escape(experiment)}</code>, preset {escape(preset)}: "
        f"{duration(sum(note.seconds for note in notes))} of computing on "
        f"{escape(' and '.join(machines))}, {' to '.join(days)}, {_code(notes)}. "
        f"<code>{escape(show)}</code> shows one of them, <code>{escape(every)}</code> lists all."
    )


def duration(seconds: float) -> str:
    """Return a time in two units at most, such as "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes} min"


def _code(notes: Sequence[Provenance]) -> str:
    """Name the commits, the earliest run first; + marks code that differed from its commit."""
    commits = list(
        dict.fromkeys(
            f"{note.commit[:9]}{'+' if note.dirty else ''}" if note.commit else "outside git"
            for note in notes
        )
    )
    if len(commits) > COMMITS:
        return f"code of {len(commits)} commits, {commits[0]} to {commits[-1]}"
    return f"code {', '.join(commits)}"
