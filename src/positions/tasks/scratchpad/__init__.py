"""The scratchpad: a task's steps, written down before its answer.

Kazemnejad et al. (2023), section 6, to the letter of their code.
`tasks.build("addition", scratchpad="full")` makes a task that has one.
"""

from positions.tasks.scratchpad.format import NONE, Format, Step, formats, write
from positions.tasks.scratchpad.reading import (
    EXTRA,
    MISSING,
    UNREADABLE,
    Checked,
    CheckedStep,
    Reading,
    Unreadable,
    check,
    conclusion,
    read,
)
from positions.tasks.scratchpad.task import SteppedTask

__all__ = [
    "EXTRA",
    "MISSING",
    "NONE",
    "UNREADABLE",
    "Checked",
    "CheckedStep",
    "Format",
    "Reading",
    "Step",
    "SteppedTask",
    "Unreadable",
    "check",
    "conclusion",
    "formats",
    "read",
    "write",
]
