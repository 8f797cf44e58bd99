"""Recorded runs for a chapter: those that ship with the book, or, at `smoke`, made on the spot."""

from __future__ import annotations

from html import escape

from IPython.display import HTML, display

from positions import experiments, paths
from positions.errors import PositionsError
from positions.runs import Record, Store, engines, run_missing


def store(preset: str) -> Store:
    """Return where a preset's runs are: the project's results, at `smoke` a folder in `_build`."""
    return Store(paths.build() / "smoke") if preset == "smoke" else Store()


def recorded(experiment: str, preset: str) -> list[Record]:
    """Return the runs of an experiment at a preset, and say so on the page where there are none.

    At preset `smoke` what lacks is run first, in seconds, and kept in `_build`, never beside real
    results. Raises `UnknownNameError`, `DamagedFileError`, and `PositionsError` where a smoke run
    fails.
    """
    known = experiments.get(experiment)
    if preset == "smoke":
        engines.one_thread()  # on small tables several threads only wait for each other
        missing = known.configs("smoke")
        report = run_missing(known, missing, store("smoke"), "smoke", jobs=0, progress=False)
        if report.failed:
            raise PositionsError(str(report))
    records = store(preset).load(known, preset)
    if not records:
        _say_missing(experiment, preset)
    return records


def _say_missing(experiment: str, preset: str) -> None:
    command = escape(f"positions sweep {experiment} --preset {preset}")
    title = '<p class="admonition-title">Not recorded yet</p>'
    text = f"<p>There are no runs of this experiment at this preset. To make them: <code>{command}"
    display(HTML(f'<div class="admonition note">{title}{text}</code></p></div>'))
