"""How steps are written down: up to five fields each, between an opening and a closing phrase.

The unified scratchpad of Kazemnejad et al. (2023), section 6, with the marks of their code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from positions.errors import InvalidValueError, unknown_name

OPENING, BETWEEN, CLOSING = "Thinking step by step:", "#", ". Thus,"
MARKS = {"input": "in", "computation": "comp", "output": "out", "variable": "[", "remaining": "re"}
"""What a field begins with, in the order of the fields."""
VARIABLE_END = "]"

NONE = "none"
_FLAGS = re.compile("_".join(f"{letter}([01])" for letter in "icovr"))


class Step(NamedTuple):
    """What one step reads, computes, gives out, remembers and has yet to read.

    None stands for a field that is not written, or that the task does not have.
    """

    input: str | None = None
    computation: str | None = None
    output: str | None = None
    variable: str | None = None
    remaining: str | None = None


@dataclass(frozen=True)
class Format:
    """Which of the five fields are written."""

    input: bool = True
    computation: bool = True
    output: bool = True
    variable: bool = True
    remaining: bool = True

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that are written, in order."""
        return tuple(name for name in MARKS if getattr(self, name))


def formats(variable: bool = True) -> dict[str, Format]:
    """Return the paper's formats by name: minimal, full, and full without one field each.

    `variable`: whether the task has one to remember; sorting and LEGO have none.
    """
    full = Format(variable=variable)
    without = {f"full-{name[0].upper()}": replace(full, **{name: False}) for name in full.fields}
    return {"minimal": Format(input=False, variable=False, remaining=False), "full": full} | without


def choose(name: str, variable: bool, task: str) -> tuple[str, Format | None]:
    """Return the one spelling of a format's name, and the format; None for no scratchpad.

    Besides the named ones, the authors' spelling of any five flags is valid: `i1_c0_o1_v0_r1`.
    Raises `UnknownNameError` for another name, and `InvalidValueError` for the field V of a task
    that has no variable; both list what `task` can have.
    """
    if name == NONE:
        return NONE, None
    known = formats(variable)
    flags = None
    if isinstance(name, str):
        if name in known:
            return name, known[name]
        flags = _FLAGS.fullmatch(name)
    valid = [NONE, *known, f"i?_c?_o?_v{'?' if variable else '0'}_r? with 0 or 1 for each ?"]
    if not variable and (name == "full-V" or (flags and flags[4] == "1")):
        raise InvalidValueError(
            f"scratchpad is {name!r}, and {task} has no variable V to remember, to be written or "
            f"left out. Valid: {', '.join(valid)}."
        )
    if flags is None:
        raise unknown_name(f"scratchpad of {task}:", name, valid)
    form = Format(*(flag == "1" for flag in flags.groups()))
    return next((each for each, other in known.items() if other == form), name), form


def write(steps: Sequence[Step], conclusion: str, form: Format) -> str:
    """Return the target: the steps, written down, and then the sentence with the answer.

    To the blank as in the authors' code: one after every field, and one on either side of what
    stands between steps.
    """
    written = f" {BETWEEN} ".join(write_step(step, form) for step in steps)
    return f"{OPENING}  {written} {CLOSING}  {conclusion}"


def write_step(step: Step, form: Format) -> str:
    """Return one step as it is written, with a blank after every field."""
    parts = []
    for name in form.fields:
        end = f" {VARIABLE_END}" if name == "variable" else ""
        parts.append(f"{MARKS[name]} {getattr(step, name)}{end} ")
    return "".join(parts)


assert tuple(MARKS) == Step._fields == tuple(each.name for each in fields(Format))
