"""What was run: the settings of the recorded runs beside the paper's, task by task."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from positions import tasks
from positions.book.pictures.length.names import listed, many
from positions.book.pictures.length.study import Study
from positions.runs import frame, provenance_frame


def table(study: Study) -> pd.DataFrame:
    """Return one row a task: its lengths (in brackets the paper's), model, steps, seeds, hours."""
    settings, hours = frame(list(study.records)), provenance_frame(list(study.records))
    rows = {}
    for name in study.tasks:
        chosen = settings[settings["task"] == name] if len(settings) else settings
        if len(chosen):
            whole = tasks.build(name)
            steps = zip(chosen["steps"], chosen["batch_size"], strict=True)
            size = zip(chosen["layers"], chosen["width"], strict=True)
            rows[name] = {
                "trained up to": f"{_some(chosen['longest'])} ({whole.longest})",
                "tested up to": f"{_some(chosen['test_longest'])} ({whole.test_lengths[-1]})",
                "layers x width": _some(f"{one} x {other}" for one, other in size),
                "weights, about": f"{round(chosen['parameters'].median(), -3):,.0f}",
                "steps x batch": _some(f"{one:,} x {other}" for one, other in steps),
                "seeds": _seeds(chosen),
                "hours": f"{hours.loc[chosen.index, 'seconds'].sum() / 3600:.1f}",
            }
    return pd.DataFrame(rows).T


def summary(study: Study) -> str:
    """Say how many runs there are, what they cost on what, and how they differ from the paper's."""
    if not study.records:
        return "Nothing of this preset is recorded yet."
    settings, notes = frame(list(study.records)), provenance_frame(list(study.records))
    hours = notes["seconds"].sum() / 3600
    shorter = [
        name
        for name, part in settings.groupby("task", sort=False)
        if part["longest"].max() < tasks.build(str(name)).longest
    ]
    middle = notes["seconds"].median()
    said = (
        f"The preset `{study.preset}` here: {many(len(settings), 'run')} on "
        f"{many(settings['task'].nunique(), 'task')}, {hours:.1f} hours of computing in all "
        f"({middle:.0f} seconds a run in the middle) on {listed(sorted(set(notes['device'])))}, "
        f"{listed(many(each, 'thread') for each in sorted(set(notes['threads'])))} a run. "
        "The models have "
        f"{_thousands(settings['parameters'])} weights, the paper's 109.6 million. Training sets "
        f"hold {_range(settings['train'])} examples, the paper's up to 100,000."
    )
    if shorter:
        said += (
            f" On {many(len(shorter), 'task')} ours are trained on shorter inputs than the "
            "paper's: models of this size do not learn the longer ones in this time."
        )
    return said


def _seeds(runs: pd.DataFrame) -> str:
    """Return how many seeds an encoding has, "3 / 5" where some have more."""
    counts = runs.groupby(["encoding", "encoding_options"])["seed"].nunique()
    return _some(sorted(counts.tolist()))


def _some(values: Iterable[object]) -> str:
    """Return the different values there are, numbers with commas."""
    found = dict.fromkeys(values)
    return " / ".join(f"{one:,}" if isinstance(one, int) else str(one) for one in found)


def _thousands(parameters: pd.Series) -> str:
    return _range((parameters / 1000).round() * 1000)


def _range(values: pd.Series) -> str:
    low, high = f"{values.min():,.0f}", f"{values.max():,.0f}"
    return low if low == high else f"{low} to {high}"
