"""The recorded runs that the chapter looks at, which of them count, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import experiments
from positions import tasks as tasks_
from positions.book import records as records_
from positions.book.pictures.length.names import listed, many
from positions.book.pictures.length.study import LEARNED
from positions.errors import InvalidValueError
from positions.experiments.length_generalization.readings import PAPER_VARIANTS, VARIANTS, variant
from positions.experiments.scratchpad.config import NAME, TASKS
from positions.experiments.scratchpad.presets import formats_of
from positions.experiments.scratchpad.readings import label, scores
from positions.runs import Record, frame, provenance_frame

NOTHING = "<p>Nothing of this preset is recorded yet.</p>"
_COLUMNS = ("task", "format", "variant", "seed", "accuracy", "iid", "chance", "exact", "steps")


@dataclass(frozen=True)
class Study:
    """Recorded runs of chosen tasks and encodings.

    `runs`: `readings.scores`, and whether the training lengths were learned (at preset `smoke`
    nothing is, and all count). `tasks`: those asked for, recorded or not. `missing`: task, format,
    variant and seed of the runs that the preset has and the records lack.
    """

    preset: str
    records: Sequence[Record]
    runs: pd.DataFrame
    tasks: Sequence[str]
    variants: Sequence[str]
    missing: pd.DataFrame

    def counted(self) -> pd.DataFrame:
        """Return the runs, accuracy NaN where the training lengths were not learned."""
        return self.runs.assign(accuracy=self.runs["accuracy"].where(self.runs["learned"]))

    def recorded(self) -> list[str]:
        """Return the tasks that have runs."""
        return [name for name in self.tasks if name in set(self.runs["task"])]


def choose(
    records: Sequence[Record], preset: str, encodings: Iterable[str], tasks: Iterable[str] = ()
) -> Study:
    """Choose runs by encoding and task (none: all that have steps), and find what is lacking.

    Raises `InvalidValueError` for a task without steps and for runs that cannot be compared.
    """
    encodings = list(encodings)
    wanted = [name for name in TASKS if name in set(tasks)] if (tasks := list(tasks)) else [*TASKS]
    without = [name for name in tasks if name not in TASKS]
    if without:
        raise InvalidValueError(
            f"{', '.join(without)}: no steps to write. Choose tasks among {', '.join(TASKS)}."
        )
    kept = [
        record
        for record in records
        if record.config["task"] in wanted and record.config["encoding"] in encodings
    ]
    runs = scores(frame(kept)) if kept else pd.DataFrame(columns=_COLUMNS)
    runs = runs.assign(learned=runs["iid"] >= (0.0 if preset == "smoke" else LEARNED))
    known = {name.split(",")[0]: name for name in PAPER_VARIANTS}
    here = {*runs["variant"], *(known[name] for name in encodings if name in known)}
    variants = [name for name in VARIANTS if name in here]
    variants += sorted(here - set(variants))
    return Study(preset, kept, runs, wanted, variants, _missing(records, preset, encodings, wanted))


def notice(study: Study) -> HTML:
    """Return a note that says which runs of the preset are not recorded; empty if none or all."""
    if not study.records:
        return HTML("")
    same: dict[str, list[str]] = {}
    for name, part in study.missing.groupby("task", sort=False):
        same.setdefault(_lacking(part, study), []).append(f"<code>{escape(str(name))}</code>")
    items = [f"{', '.join(names)}: {lacking}" for lacking, names in same.items()]
    return records_.notice(NAME, study.preset, len(study.missing), len(study.records), items)


def settings(study: Study) -> pd.DataFrame | HTML:
    """Return one row a task: its lengths (in brackets the paper's), model, steps, runs, hours."""
    if not study.records:
        return HTML(NOTHING)
    every, notes = frame(list(study.records)), provenance_frame(list(study.records))
    rows = {}
    for name in study.recorded():
        part = every[every["task"] == name]
        first, whole = part.iloc[0], tasks_.build(name)
        rows[name] = {
            "trained up to": f"{first.longest} ({whole.longest})",
            "tested up to": f"{first.test_longest} ({whole.test_lengths[-1]})",
            "layers x width": f"{first.layers} x {first.width}",
            "steps x batch": f"{first.steps:,} x {first.batch_size}",
            "formats": str(part["scratchpad"].nunique()),
            "runs": f"{len(part):,}",
            "hours": f"{notes.loc[part.index, 'seconds'].sum() / 3600:.1f}",
        }
    return pd.DataFrame(rows).T


def within(study: Study) -> pd.DataFrame | HTML:
    """Return accuracy within the training lengths: a row a format, a column a task.

    The mean over encodings and seeds, and how many runs have learned it.
    """
    if not len(study.runs):
        return HTML(NOTHING)
    cells: dict[str, dict[str, str]] = {}
    for (task, form), part in study.runs.groupby(["task", "format"], sort=False):
        mean = part["iid"].mean()
        share = "diverged" if pd.isna(mean) else f"{mean:.2f}"
        text = f"{share}, {part['learned'].sum()}/{len(part)}"
        cells.setdefault(str(task), {})[label(str(form))] = text
    order = [label(name) for name in formats_of(TASKS[0])]
    found = pd.DataFrame(cells)
    others = [name for name in found.index if name not in order]
    rows = [name for name in order if name in found.index] + others
    return found.reindex(rows).fillna("none")


def learned(study: Study) -> str:
    """Say how many runs have learned their training lengths, and where few have."""
    if not len(study.runs):
        return "No run of this preset is recorded yet."
    good, count = int(study.runs["learned"].sum()), len(study.runs)
    if study.preset == "smoke":
        return "At this preset no model has learned anything, and all are shown."
    said = (
        f"Of {many(count, 'run')}, {good:,} solve at least {LEARNED:.0%} within their training "
        "lengths."
    )
    diverged = int(study.runs["iid"].isna().sum())
    if diverged:
        said += f" {diverged} diverged."
    if good == count:
        return said
    cells = study.runs.groupby(["task", "format"], sort=False)["learned"].mean()
    parts = [
        f"`{task}` ({listed(label(str(form)) for form in part.index.get_level_values('format'))})"
        for task, part in cells[cells < 0.5].groupby(level="task", sort=False)
    ]
    few = f" Fewer than half have, on: {listed(parts)}." if parts else ""
    return f"{said} The others are grey below and left out of what is compared.{few}"


def _lacking(part: pd.DataFrame, study: Study) -> str:
    """Say what one task lacks: everything, whole formats, or some runs of a format."""
    here = study.runs[study.runs["task"] == part["task"].iloc[0]]
    if not len(here):
        return "all runs"
    recorded = set(here["format"])
    forms = list(dict.fromkeys(part["format"]))
    none = [label(name) for name in forms if name not in recorded]
    some = [label(name) for name in forms if name in recorded]
    said = [f"all runs of {listed(none)}"] if none else []
    said += [f"some runs of {listed(some)}"] if some else []
    return escape("; ".join(said))


def _missing(
    records: Sequence[Record], preset: str, encodings: Iterable[str], tasks: Sequence[str]
) -> pd.DataFrame:
    experiment = experiments.get(NAME)
    here = {record.key for record in records}
    found = [
        (each.task, each.scratchpad, variant(each.encoding, each.encoding_options), each.seed)
        for each in experiment.configs(preset)
        if each.task in tasks and each.encoding in encodings and experiment.key(each) not in here
    ]
    table = pd.DataFrame(found, columns=["task", "format", "variant", "seed"])
    return table.sort_values("task", key=lambda names: names.map(list(tasks).index), kind="stable")
