"""A training small enough to watch, and what its model writes: right, and where it fails."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from IPython.display import HTML

from positions.book.pictures.length.names import capital, encoding, listed, many
from positions.book.pictures.scratchpad import failures
from positions.errors import InvalidValueError
from positions.experiments.length_generalization import one_run
from positions.experiments.length_generalization.readings import variant
from positions.experiments.scratchpad import ScratchpadConfig, writing
from positions.experiments.scratchpad.presets import ENCODINGS
from positions.experiments.scratchpad.readings import label
from positions.experiments.scratchpad.writing import Written
from positions.runs import engines
from positions.tasks.scratchpad import NONE, SteppedTask, formats

LONGEST = 4
SHOWN = 2


@dataclass(frozen=True)
class Live:
    """A model trained on the page: what it wrote within and beyond, and its processor time."""

    variant: str
    task: SteppedTask
    within: Sequence[Written]
    beyond: Sequence[Written]
    seconds: float


def config(name: str, steps: int, form: str = "full", seed: int = 0) -> ScratchpadConfig:
    """Return the settings of a small decoder that writes down the parity of up to four bits.

    Raises `UnknownNameError` for an unknown encoding or format, `InvalidValueError` for no
    scratchpad and for steps below 1.
    """
    if form == NONE:
        raise InvalidValueError(
            "The model on this page is to write steps, and there is no scratchpad. Choose "
            f"live_format among {', '.join(formats())}."
        )
    return ScratchpadConfig(
        task="parity",
        scratchpad=form,
        encoding=name,
        encoding_options=dict(ENCODINGS).get(name, ""),
        seed=seed,
        shortest=1,
        longest=LONGEST,
        test_longest=2 * LONGEST,
        train=600,
        test=96,
        token_limit=320,
        width=48,
        heads=4,
        layers=2,
        hidden=96,
        dropout=0.0,
        steps=steps,
        batch_size=16,
        pool=8,
        learning_rate=3e-3,
        evaluate_every=steps,
    )


def train(name: str, steps: int, form: str = "full", seed: int = 0) -> Live:
    """Train one small decoder on this machine, and let it write."""
    engines.one_thread()  # models this small only wait for a second thread
    settings = config(name, steps, form, seed)
    started = time.process_time()
    setup = one_run.set_up(settings)
    one_run.train(settings, setup)
    task = settings.build_task()
    within, beyond = (
        writing.write(setup.model, tests, task, setup.tokenizer, settings.token_limit)
        for tests in (setup.validation, setup.test)
    )
    seconds = time.process_time() - started
    return Live(variant(name, settings.encoding_options), task, within, beyond, seconds)


def said(live: Live) -> str:
    """Say what was learned, what is right beyond, and what it cost."""
    within, beyond = (_share(written) for written in (live.within, live.beyond))
    steps = _share([each for each in live.beyond if each.fault is None], len(live.beyond))
    return (
        f"{capital(encoding(live.variant))}, in the format {label(live.task.scratchpad)}: "
        f"{within:.0%} of the answers are right for up to {live.task.longest} bits and "
        f"{beyond:.0%} beyond, where {steps:.0%} of the texts are right in every step, too. It "
        f"took {live.seconds:.0f} seconds of processor time. Guessing gets {live.task.chance:.0%}."
    )


def by_length(live: Live) -> pd.DataFrame:
    """Return one row a length: texts, right answers, right in all steps, first faults."""
    rows = {}
    every = [*live.within, *live.beyond]
    for length in sorted({each.example.length for each in every}):
        part = [each for each in every if each.example.length == length]
        faults = writing.faults(part).most_common(2)
        whole = [each for each in part if not each.fault]
        trained = "" if length <= live.task.longest else ", longer"
        rows[f"{many(length, 'bit')}{trained}"] = {
            "texts": str(len(part)),
            "right answers": f"{_share(part):.0%}",
            "all steps right": f"{_share(whole, len(part)):.0%}",
            "goes wrong first": ", ".join(name for name, _ in faults) or "nothing",
        }
    return pd.DataFrame(rows).T


def shown(live: Live) -> HTML:
    """Show a text that is right and the shortest ones that are not, step by step."""
    every = [*live.within, *live.beyond]
    right = [each for each in every if each.fault is None]
    wrong = sorted(
        (each for each in live.beyond if each.fault), key=lambda each: each.example.length
    )
    blocks = []
    for title, part in (("Right", right[-1:]), ("Wrong", _one_a_length(wrong)[:SHOWN])):
        for each in part:
            said = each.message if each.fault else "All steps are right."
            head = f"<p><strong>{title}</strong>, {many(each.example.length, 'bit')}. {said}</p>"
            blocks.append(head + failures.text(live.task, each.example.source, each.text))
    return HTML("".join(blocks))


def faults(live: Live) -> str:
    """Say what goes wrong first beyond the training lengths."""
    counts = writing.faults(live.beyond)
    if not counts:
        return "Nothing goes wrong beyond the training lengths."
    each = listed(f"{name} ({count})" for name, count in counts.most_common())
    late = [each for each in live.beyond if (each.first_wrong or 0) > live.task.longest]
    said = (
        f"What goes wrong first in {many(len(live.beyond), 'text')} beyond the training lengths: "
        f"{each}."
    )
    form = live.task.form
    if form is not None and form.input:  # else what is read stands in the computation
        said += f" That is {failures.kinds(pd.Series(counts, dtype=float))}."
    return (
        f"{said} In {len(late)} of them it is a step that no training text has: number "
        f"{live.task.longest + 1} or later."
    )


def _share(written: Sequence[Written], of: int | None = None) -> float:
    """Return the share of right answers, or of these texts among `of`."""
    if of is not None:
        return len(written) / of
    return sum(each.right for each in written) / len(written)


def _one_a_length(written: Sequence[Written]) -> list[Written]:
    found = {each.example.length: each for each in reversed(written)}
    return [found[length] for length in sorted(found)]
