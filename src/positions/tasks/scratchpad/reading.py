"""Reading a scratchpad that a model wrote: its steps, which of them is wrong first, its answer.

Blanks count as one, as after any tokenizer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from positions.tasks.scratchpad.format import (
    BETWEEN,
    CLOSING,
    MARKS,
    OPENING,
    VARIABLE_END,
    Format,
    Step,
    write_step,
)

UNREADABLE, MISSING, EXTRA = "unreadable", "missing", "extra"
"""What may be wrong with a step beside one of its fields."""


SHOWN = 60
"""Characters of a field that a message shows."""


class Unreadable(NamedTuple):
    """What stands where a step should, and why it is none."""

    text: str
    reason: str


class Reading(NamedTuple):
    """The steps of a text, and what follows the closing phrase; None where it does not come."""

    steps: tuple[Step | Unreadable, ...]
    conclusion: str | None


@dataclass(frozen=True)
class CheckedStep:
    """One step as it was written beside what it should be; None where there is none.

    `fault`: the first field that is wrong, or `UNREADABLE`, `MISSING`, `EXTRA`; None for right.
    `wrong`: all fields that are wrong; none of a step that is missing, extra or cannot be read.
    """

    written: str | None
    expected: str | None
    fault: str | None
    reason: str | None
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """A scratchpad, judged step by step. `conclusion` is the sentence with the answer, or None."""

    steps: tuple[CheckedStep, ...]
    conclusion: str | None

    @property
    def expected(self) -> int:
        """How many steps there should be."""
        return sum(step.expected is not None for step in self.steps)

    @property
    def first_wrong(self) -> int | None:
        """The number of the first wrong step, counted from 1; None where all are right."""
        wrong = (number for number, step in enumerate(self.steps, 1) if step.fault)
        return next(wrong, None)

    @property
    def fault(self) -> str | None:
        """What is wrong with the first wrong step: a field's name or one of the other faults."""
        return None if self.first_wrong is None else self.steps[self.first_wrong - 1].fault

    @property
    def message(self) -> str:
        """What went wrong first, in one sentence."""
        if self.first_wrong is not None:
            return f"Step {self.first_wrong} {self.steps[self.first_wrong - 1].reason}."
        if self.conclusion is None:
            return f"All steps are right, but {CLOSING!r} and an answer do not follow."
        return "All steps are right."

    @property
    def share(self) -> float:
        """The share of steps that are right, as in the paper's code.

        0 where the steps are not as many as they should be, or one cannot be read.
        """
        faults = [step.fault for step in self.steps]
        if {UNREADABLE, MISSING, EXTRA} & set(faults):
            return 0.0
        return faults.count(None) / len(faults)


def conclusion(text: str) -> str | None:
    """Return what follows the closing phrase, the only part that is scored; None without it.

    The paper's code looks through the whole text where the phrase is missing; an answer that is
    not drawn from steps then counts, which it does not here.
    """
    return _cut(text)[2]


def read(text: str, form: Format) -> Reading:
    """Split a text, with its prompt before it or not, into steps and conclusion.

    Never fails: what is not a step of that format comes back as `Unreadable`, with the reason. In a
    text without the opening phrase there are no steps.
    """
    opened, body, found = _cut(text)
    if not opened:
        return Reading((), found)
    pieces = _pieces(body.split(), BETWEEN)
    steps = [_read_step(piece, form) for piece in pieces]
    last = steps[-1]
    if found is None and isinstance(last, Unreadable):
        steps[-1] = Unreadable(last.text, f"{last.reason}: the text ends within it")
    return Reading(tuple(steps), found)


def check(text: str, expected: Sequence[Step], form: Format) -> Checked:
    """Compare each step of a text with the one that should stand there."""
    steps, found = read(text, form)
    missing = "the text ends before it" if found is None else "the answer comes before it"
    if not steps:
        missing = f"the text does not begin with {OPENING!r}"
    pairs = zip_longest(steps, expected)
    return Checked(
        tuple(_check_step(written, right, form, missing) for written, right in pairs), found
    )


def _check_step(
    written: Step | Unreadable | None, right: Step | None, form: Format, missing: str
) -> CheckedStep:
    shown = None if right is None else _one_blank(write_step(right, form))
    if written is None:
        return CheckedStep(None, shown, MISSING, f"is missing: {missing}")
    if isinstance(written, Unreadable):
        reason = f"cannot be read: {written.reason}"
        return CheckedStep(written.text, shown, UNREADABLE, reason)
    text = _one_blank(write_step(written, form))
    if right is None:
        return CheckedStep(text, None, EXTRA, "is one too many")
    pairs = {
        name: (getattr(written, name), _one_blank(getattr(right, name))) for name in form.fields
    }
    wrong = tuple(name for name, (found, wanted) in pairs.items() if found != wanted)
    if not wrong:
        return CheckedStep(text, shown, None, None)
    found, wanted = pairs[wrong[0]]
    reason = f"is wrong: its {wrong[0]} is {_short(found)} and should be {_short(wanted)}"
    return CheckedStep(text, shown, wrong[0], reason, wrong)


def _cut(text: str) -> tuple[bool, str, str | None]:
    """Return whether the text is opened, what lies up to the closing, and what follows it."""
    before, opened, body = _one_blank(text).partition(OPENING)
    body, closed, rest = (body if opened else before).partition(CLOSING)
    return bool(opened), body, rest.partition(CLOSING)[0].strip() if closed else None


def _pieces(words: list[str], separator: str) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for word in words:
        if word == separator:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return pieces


def _read_step(words: list[str], form: Format) -> Step | Unreadable:
    """Read a step: each field reaches from its mark to the next field's."""
    text = " ".join(words)
    names = form.fields
    if not names:
        return Unreadable(text, "nothing should stand in it") if words else Step()
    found: dict[str, str] = {}
    for name, following in zip_longest(names, names[1:]):
        if not words or words[0] != MARKS[name]:
            return Unreadable(text, f"it has no {name}, which begins with {MARKS[name]!r}")
        end = len(words)
        if following is not None and MARKS[following] in words[1:]:
            end = words.index(MARKS[following], 1)
        content, words = words[1:end], words[end:]
        if name == "variable":
            if not content or content[-1] != VARIABLE_END:
                return Unreadable(text, f"its variable does not end with {VARIABLE_END!r}")
            content = content[:-1]
        found[name] = " ".join(content)
    return Step(**found)


def _short(text: str) -> str:
    """Quote a text, cut where it is long: a model that repeats itself may go on for pages."""
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def _one_blank(text: str) -> str:
    return " ".join(text.split())
