"""Recorded runs for a chapter: those that ship with the book, or, at `smoke`, made on the spot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from IPython.display import HTML, display

from positions import experiments, paths
from positions.errors import PositionsError
from positions.experiments.base import canonical_json
from positions.runs import Record, Store, engines, run_missing
from positions.words import many

_TITLE = '<p class="admonition-title">Not recorded yet</p>'


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
        keys = {known.key(config) for config in missing}  # older ones may lie there, too
        records = [each for each in store("smoke").load(known, "smoke") if each.key in keys]
    else:
        records = store(preset).load(known, preset)
    if not records:
        _say_missing(experiment, preset)
    return records


def notice(
    experiment: str,
    preset: str,
    lacking: int,
    there: int,
    items: Iterable[str] = (),
    more: str = "",
) -> HTML:
    """Return a note that says how many runs of a preset lack, and how to make them.

    Empty where none lacks. `items` (HTML) say which; `more` (HTML) ends the paragraph.
    """
    if not lacking:
        return HTML("")
    rest = f"the {there:,} that {'is' if there == 1 else 'are'} there" if there else "none"
    command = escape(f"positions sweep {experiment} --preset {preset}")
    text = (
        f"<p>Missing: {many(lacking, 'run')} of this preset. Everything below rests on {rest}. "
        f"<code>{command}</code> makes {'it' if lacking == 1 else 'them'}. {more}".rstrip()
    )
    lines = "".join(f"<li>{item}</li>" for item in items)
    listed = f"<ul>{lines}</ul>" if lines else ""
    return HTML(f'<div class="admonition note">{_TITLE}{text}</p>{listed}</div>')


def incomplete(
    records: Sequence[Record], experiment: str, preset: str, by: str, apart: Iterable[str] = ()
) -> HTML:
    """Return the same note for a page that shows all runs of a preset, counted by one setting.

    Settings named in `apart` may differ: the machine, where times were measured elsewhere. Empty
    where nothing is recorded at all, which `recorded` has said.
    """
    ignored = {*apart}
    here = {_spelt(record.config, ignored) for record in records}
    configs = [each.canonical() for each in experiments.get(experiment).configs(preset)]
    lacking = [each for each in configs if _spelt(each, ignored) not in here]
    if not records:
        return HTML("")
    whole = Counter(str(each[by]) for each in configs)
    counts = Counter(str(each[by]) for each in lacking)
    items = [
        f"{escape(by)} {escape(name)}: {count} of {many(whole[name], 'run')}"
        for name, count in counts.items()
    ]
    return notice(experiment, preset, len(lacking), len(records), items)


def _spelt(config: Mapping[str, Any], ignored: Collection[str]) -> str:
    """Return all settings but some, as one text."""
    return canonical_json({name: value for name, value in config.items() if name not in ignored})


def _say_missing(experiment: str, preset: str) -> None:
    command = escape(f"positions sweep {experiment} --preset {preset}")
    text = f"<p>There are no runs of this experiment at this preset. To make them: <code>{command}"
    display(HTML(f'<div class="admonition note">{_TITLE}{text}</code></p></div>'))
