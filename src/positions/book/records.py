"""Recorded runs for a chapter: those that ship with the book, or, at `smoke`, made on the spot."""

from __future__ import annotations

from html import escape

from IPython.display import HTML, display

from positions import experiments, paths
from positions.errors import PositionsError
from positions.runs import Record, Store, run_missing


def recorded(experiment: str, preset: str) -> list[Record]:
    """Return the runs of an experiment at a preset, and say so on the page where there are none.

    At preset `smoke` what lacks is run first, in seconds, and kept in `_build`, never beside real
    results. Raises `UnknownNameError`, `DamagedFileError`, and `PositionsError` where a smoke run
    fails.
    """
    known = experiments.get(experiment)
    if preset != "smoke":
        records = Store().load(known, preset)
        if not records:
            _say_missing(experiment, preset)
        return records
    store = Store(paths.build() / "smoke")
    report = run_missing(known, known.configs("smoke"), store, "smoke", jobs=0, progress=False)
    if report.failed:
        raise PositionsError(str(report))
    return store.load(known, "smoke")


def _say_missing(experiment: str, preset: str) -> None:
    command = escape(f"positions sweep {experiment} --preset {preset}")
    title = '<p class="admonition-title">Not recorded yet</p>'
    text = f"<p>There are no runs of this experiment at this preset. To make them: <code>{command}"
    display(HTML(f'<div class="admonition note">{title}{text}</code></p></div>'))
