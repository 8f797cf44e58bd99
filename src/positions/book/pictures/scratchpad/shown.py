"""What a scratchpad looks like: real examples in every format, and how long they get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape

import pandas as pd
from IPython.display import HTML

from positions import tasks as tasks_
from positions.checks import check_whole
from positions.experiments.scratchpad.config import TASKS
from positions.experiments.scratchpad.presets import formats_of
from positions.experiments.scratchpad.readings import label
from positions.tasks import Example
from positions.tasks.scratchpad import NONE, SteppedTask
from positions.tasks.scratchpad.format import BETWEEN, CLOSING, MARKS, OPENING, VARIABLE_END

DRAWN = 30
"""Examples of a length that one is taken of, and over which tokens are counted."""
LONGEST = 8
"""The paper's longest training length in all these tasks."""
_TOLD = {
    "input": "what is read now",
    "computation": "what is done with it",
    "output": "what comes out",
    "variable": "what is kept in mind",
    "remaining": "what is still to be read",
}


def fields(name: str, length: int, seed: int) -> pd.DataFrame:
    """Return the first step of an example in the full format, a row a field.

    Raises `InvalidValueError` for a length that the task does not have, or a bad seed.
    """
    task, found = _drawn(name, "full", length, seed)
    step, form = task.steps(found[0].source)[0], task.form
    assert form is not None
    rows = {
        field: {
            "letter": field[0].upper(),
            "mark": f"{MARKS[field]} {VARIABLE_END}" if field == "variable" else MARKS[field],
            "holds": _TOLD[field],
            "here": getattr(step, field).strip() or "nothing",
        }
        for field in form.fields
    }
    return pd.DataFrame(rows).T


def prompt(name: str, length: int, seed: int) -> str:
    """Return the prompt of that example."""
    return _drawn(name, "full", length, seed)[1][0].source.strip()


def examples(names: Iterable[str], length: int, seed: int) -> HTML:
    """Show one example of each task in all formats; the first is open, the others can be opened.

    Raises `InvalidValueError` for a length that a task does not have, or a bad seed.
    """
    blocks = []
    for place, name in enumerate(names):
        body, source = "", ""
        for form in formats_of(name):
            example = _drawn(name, form, length, seed)[1][0]
            source = example.source.strip()
            body += f"<p><strong>{escape(label(form))}</strong><br>{_lines(example.target)}</p>"
        head = f"<summary>{escape(name)}: <code>{escape(source)}</code></summary>"
        blocks.append(f"<details{'' if place else ' open'}>{head}{body}</details>")
    return HTML("".join(blocks))


def tokens(seed: int, names: Iterable[str] = TASKS) -> pd.DataFrame:
    """Return how many tokens a target has at length 8: a row a task, a column a format.

    Of the formats that leave one field out, the shortest and the longest.
    """
    rows = {}
    for name in names:
        sizes = {form: _tokens(name, form, seed) for form in formats_of(name)}
        whole = {label(form): f"{sizes.pop(form):.0f}" for form in (NONE, "minimal", "full")}
        least, most = min(sizes.values()), max(sizes.values())
        rows[name] = {**whole, "without one field": f"{least:.0f} to {most:.0f}"}
    return pd.DataFrame(rows).T


def _tokens(name: str, form: str, seed: int) -> float:
    """Return the mean tokens of a target at length 8."""
    task, found = _drawn(name, form, LONGEST, seed)
    encode = task.tokenizer().encode
    return sum(len(encode(each.target)) for each in found) / len(found)


def _drawn(name: str, form: str, length: int, seed: int) -> tuple[SteppedTask, list[Example]]:
    """Draw examples of one length; the prompts are the same in all formats."""
    check_whole("example_length", length, 1)
    task = tasks_.build(name, scratchpad=form)
    assert isinstance(task, SteppedTask)
    last = max(task.test_lengths[-1], length + 1)
    task = replace(
        task, shortest=length, longest=length, test_shortest=length + 1, test_longest=last
    )
    return task, task.examples("train", seed, DRAWN)


def _lines(target: str) -> str:
    """Return a target as HTML, one line a step."""
    if not target.startswith(OPENING):
        return f"<code>{escape(target)}</code>"
    body, _, ending = target.removeprefix(OPENING).partition(CLOSING)
    steps = [" ".join(step.split()) for step in body.split(BETWEEN)]
    lines = [OPENING, *(f"{step} {BETWEEN}" for step in steps[:-1]), steps[-1]]
    return "<br>".join(f"<code>{escape(line)}</code>" for line in [*lines, f"{CLOSING}{ending}"])
