"""What a model writes where it goes wrong, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import altair as alt
import pandas as pd
from IPython.display import HTML

from positions.book.pictures.length.glance import ENOUGH, SLANTED
from positions.book.pictures.length.names import encoding
from positions.book.pictures.note import Note
from positions.book.pictures.scratchpad.study import Study
from positions.book.pictures.sliders import Picture, menu
from positions.experiments.scratchpad import ScratchpadConfig
from positions.experiments.scratchpad.readings import label, order
from positions.experiments.scratchpad.writing import NO_CONCLUSION, WRONG_ANSWER
from positions.runs import Record
from positions.tasks.scratchpad import (
    EXTRA,
    MISSING,
    NONE,
    UNREADABLE,
    Checked,
    CheckedStep,
    Format,
    SteppedTask,
    check,
    read,
)
from positions.tasks.scratchpad.format import MARKS, VARIABLE_END

RIGHT = "nothing"
FAULTS = (RIGHT, *MARKS, MISSING, EXTRA, UNREADABLE, NO_CONCLUSION, WRONG_ANSWER)
"""What may go wrong first, in the order of the text."""
KINDS = {
    "the place": ("input", "remaining", MISSING, EXTRA),
    "the reckoning": ("computation", "output", "variable", WRONG_ANSWER),
    "the form": (UNREADABLE, NO_CONCLUSION),
}
"""What a first fault in the full format says, where a step begins with what it reads."""
NOTHING = "No scratchpad of a model that has learned its training lengths is recorded yet."
SHORT = 160
"""Characters of a step that are shown: a model that repeats itself may go on for pages."""


def table(study: Study) -> pd.DataFrame:
    """Return task, format, variant, fault, share: of texts beyond the training lengths.

    What goes wrong first, pooled over the seeds that have learned their training lengths;
    "nothing" where steps and answer are right.
    """
    counts = [
        {**_identity(study, record), "fault": fault, "count": count}
        for record in _records(study)
        for fault, count in _faults(record).items()
    ]
    by = ["task", "format", "variant"]
    found = pd.DataFrame(counts, columns=[*by, "fault", "count"])
    pooled = found.groupby([*by, "fault"], sort=False)["count"].sum().reset_index()
    whole = pooled.groupby(by, sort=False)["count"].transform("sum")
    return pooled.assign(share=pooled["count"] / whole).drop(columns="count")


def chart(study: Study) -> Picture | Note:
    """Draw what goes wrong first, a row a fault and a column an encoding."""
    frame = table(study)
    if not len(frame):
        return Note(NOTHING)
    frame["percent"] = (100 * frame["share"]).round(1)
    shown = frame[frame["percent"] > 0].drop(columns="share")
    shown["format"] = shown["format"].map(label)
    forms = [label(name) for name in order(frame["format"])]
    first = ["full", *forms] if "full" in forms else forms
    here = list(dict.fromkeys(shown["task"]))
    controls = (
        menu("faults_task", {name: name for name in here}, "task"),
        menu("faults_format", {name: name for name in dict.fromkeys(first)}, "format"),
    )
    rows = [name for name in FAULTS if name in set(shown["fault"])]
    base = (
        alt.Chart(shown)
        .transform_filter("datum.task == faults_task && datum.format == faults_format")
        .encode(
            alt.X("variant:N").sort(list(study.variants)).title(None).axis(**SLANTED),
            alt.Y("fault:N").sort(rows).title(None).axis(domain=False, ticks=False),
            tooltip=["fault:N", "variant:N", "percent:Q"],
        )
    )
    opacity = alt.Opacity("percent:Q").scale(domain=[0, 100], range=[0.04, 0.6]).legend(None)
    cells = base.mark_rect(cornerRadius=2).encode(opacity, color=alt.value(ENOUGH))
    texts = base.mark_text(fontSize=12).encode(alt.Text("percent:Q", format=".0f"))
    wide = frame.pivot_table(
        index=["task", "format", "fault"], columns="variant", values="percent", sort=False
    )
    columns = [name for name in study.variants if name in wide]
    return Picture(
        alt.layer(cells, texts)
        .add_params(*controls)
        .properties(width=60 * len(study.variants), height=alt.Step(24)),
        "What goes wrong first in the texts that models write beyond their training lengths, in "
        "percent of the texts: a row a fault, a column an encoding. Menus choose task and format.",
        wide[columns].reset_index().rename_axis(columns=None),
    )


def first(study: Study, form: str = "full") -> pd.DataFrame | HTML:
    """Return one row a task: of the texts that fail, what is wrong first, and how often it is late.

    A step is late whose number no training text reaches.
    """
    found = table(study)
    found = found[(found["format"] == form) & (found["fault"] != RIGHT)]
    rows: dict[str, dict[str, str]] = {}
    for task in study.recorded():
        part = found[found["task"] == task]
        shares = part.groupby("fault")["share"].sum()
        if shares.sum() > 0:
            each = {
                kind: f"{shares.reindex(list(names)).sum() / shares.sum():.0%}"
                for kind, names in KINDS.items()
            }
            rows[task] = {**each, "at a late step": _late(study, task, form)}
    if not rows:
        return HTML(f"<p>No failure in the format {label(form)} is recorded yet.</p>")
    return pd.DataFrame(rows).T


def kinds(shares: pd.Series) -> str:
    """Return "the place 80%, the reckoning 20%" from counts or shares by fault."""
    whole = shares.sum()
    found = {kind: shares.reindex(list(names)).sum() / whole for kind, names in KINDS.items()}
    return ", ".join(f"{kind} {share:.0%}" for kind, share in found.items() if share > 0)


def recorded(study: Study, form: str = "full", count: int = 2) -> HTML:
    """Show recorded failures step by step, one or two of each task, of the first encoding."""
    blocks = []
    for task in study.recorded():
        found = [
            record
            for record in _records(study)
            if (record.config["task"], record.config["scratchpad"]) == (task, form)
            and record.series.get("failure_text")
        ]
        if found:
            found.sort(key=lambda record: study.variants.index(_identity(study, record)["variant"]))
            blocks.append(_block(study, found[0], count))
    return HTML("".join(blocks) or f"<p>{NOTHING}</p>")


def steps(checked: Checked, form: Format) -> str:
    """Return the steps of a text as an HTML table, what is wrong marked and put right."""
    rows = "".join(
        f"<tr><td>{number}</td><td>{_written(step, form)}</td></tr>"
        for number, step in enumerate(checked.steps, 1)
    )
    return (
        '<table class="dataframe"><thead><tr><th scope="col">step</th>'
        f'<th scope="col">written</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def text(task: SteppedTask, prompt: str, written: str) -> str:
    """Return a prompt and what a model wrote for it as HTML, judged step by step."""
    form = task.form
    assert form is not None
    checked = check(written, task.steps(prompt), form)
    ending = "no answer" if checked.conclusion is None else checked.conclusion
    return (
        f"<p><code>{escape(prompt.strip())}</code></p>{steps(checked, form)}"
        f"<p><code>{escape(_cut(ending))}</code></p>"
    )


def _written(step: CheckedStep, form: Format) -> str:
    """Return one step, its wrong fields marked, and below it what should stand there."""
    if step.written is None:
        said = "<em>missing</em>"
    elif step.wrong:
        said = _marked(step, form)
    else:
        said = f"<code>{escape(_cut(step.written))}</code>"
        said = f"<mark>{said}</mark>" if step.fault else said
    if step.fault is None:
        return said
    right = f"<code>{escape(step.expected)}</code>" if step.expected else "nothing"
    return f"{said}<br><small>should be: {right}</small>"


def _marked(step: CheckedStep, form: Format) -> str:
    """Return the fields of a step that can be read, those that are wrong marked."""
    (found,) = read(f"Thinking step by step: {step.written}", form).steps
    parts = []
    for name in form.fields:
        end = f" {VARIABLE_END}" if name == "variable" else ""
        code = f"<code>{escape(_cut(f'{MARKS[name]} {getattr(found, name)}{end}'))}</code>"
        parts.append(f"<mark>{code}</mark>" if name in step.wrong else code)
    return " ".join(parts)


def _cut(written: str) -> str:
    return written if len(written) <= SHORT else f"{written[:SHORT]} ..."


def _block(study: Study, record: Record, count: int) -> str:
    """Return the failures of one run as a part of the page that can be opened."""
    task = ScratchpadConfig(**record.config).build_task()
    series = record.series
    pairs = list(zip(series["failure_prompt"], series["failure_text"], strict=True))[:count]
    shown = "".join(text(task, prompt, written) for prompt, written in pairs)
    who = encoding(str(_identity(study, record)["variant"]))
    title = f"{task.name}, {label(task.scratchpad)}, {who}, seed {record.config['seed']}"
    return f"<details><summary>{escape(title)}</summary>{shown}</details>"


def _records(study: Study) -> list[Record]:
    """Return the runs with a scratchpad that have learned their training lengths."""
    chosen = study.runs[study.runs["learned"] & (study.runs["format"] != NONE)]
    return [record for record in study.records if record.key in set(chosen.index)]


def _identity(study: Study, record: Record) -> dict[str, str]:
    row = study.runs.loc[record.key]
    return {name: str(row[name]) for name in ("task", "format", "variant")}


def _faults(record: Record) -> dict[str, int]:
    """Count what goes wrong first beyond the training lengths, and the texts that are right."""
    series, longest = record.series, record.config["longest"]
    lengths: Sequence[int] = series["length"]
    texts = sum(n for length, n in zip(lengths, series["count"], strict=True) if length > longest)
    counts = dict(zip(series["fault"], series["fault_ood"], strict=True))
    return {RIGHT: texts - sum(counts.values()), **counts}


def _late(study: Study, task: str, form: str) -> str:
    """Return the share of first wrong steps whose number no training text reaches."""
    late = every = 0
    for record in _records(study):
        if (record.config["task"], record.config["scratchpad"]) != (task, form):
            continue
        trained = sum(count > 0 for count in record.series["reached_iid"])
        every += sum(record.series["wrong_ood"])
        late += sum(record.series["wrong_ood"][trained:])
    return f"{late / every:.0%}" if every else "none"
