"""The paper's 17 task variants by name."""

from __future__ import annotations

import dataclasses

from positions.errors import unknown_name
from positions.tasks.arithmetic import Addition, Summation
from positions.tasks.base import Task
from positions.tasks.copying import ListCopy, RepeatedCopy, Replacement
from positions.tasks.pcfg import Pcfg
from positions.tasks.polynomial import Polynomial
from positions.tasks.reasoning import Lego, Parity
from positions.tasks.reversing import Reversal
from positions.tasks.scan import Scan
from positions.tasks.sorting import NumberSorting, SymbolSorting

# What makes a variant is set here; the class's other fields are its options.
VARIANTS: dict[str, tuple[type[Task], dict[str, object]]] = {
    "copy_v1_repeat": (RepeatedCopy, {"times": 1}),
    "copy_v1_repeat_2x": (RepeatedCopy, {"times": 2}),
    "copy_v2_replace": (Replacement, {}),
    "copy_v3_multi": (ListCopy, {"parts": ("as it is",)}),
    "copy_v3_multi_2x": (ListCopy, {"parts": ("as it is", "as it is")}),
    "reverse_v1": (Reversal, {"parts": ("reversed",)}),
    "reverse_v1_2x": (Reversal, {"parts": ("reversed", "reversed")}),
    "reverse_v2_revcopy": (Reversal, {"parts": ("reversed", "as it is")}),
    "addition": (Addition, {}),
    "summation": (Summation, {}),
    "parity": (Parity, {}),
    "sort_single": (SymbolSorting, {}),
    "sort_multi": (NumberSorting, {}),
    "polynomial": (Polynomial, {}),
    "lego": (Lego, {}),
    "scan": (Scan, {}),
    "pcfg": (Pcfg, {}),
}


def names() -> list[str]:
    """Return the names of all tasks, group by group, in the paper's order."""
    return list(VARIANTS)


def options(name: str) -> dict[str, object]:
    """Return the options that a task takes, each with its default; None means: as usual.

    Raises `UnknownNameError`, listing all names.
    """
    cls, fixed = _variant(name)
    taken = {"name", *fixed}
    return {each.name: each.default for each in dataclasses.fields(cls) if each.name not in taken}


def build(name: str, **options: object) -> Task:
    """Make the task `name` with options of its own, those of the paper by default.

    Raises `UnknownNameError` for an unknown name or option and `InvalidValueError` for an option
    of the wrong type or range.
    """
    cls, fixed = _variant(name)
    _check(name, options)
    return cls(name=name, **fixed, **options)  # type: ignore[arg-type]


def _variant(name: str) -> tuple[type[Task], dict[str, object]]:
    if not isinstance(name, str) or name not in VARIANTS:
        raise unknown_name("task", name, VARIANTS)
    return VARIANTS[name]


def _check(name: str, given: dict[str, object]) -> None:
    """Name the first option that the task does not have."""
    valid = options(name)
    for option in given:
        if option not in valid:
            raise unknown_name(f"option of {name}:", option, valid)
