"""Sorting by selection: the least of what is unsorted changes places with its first element."""

from __future__ import annotations

from collections.abc import Callable

from positions.tasks.scratchpad.format import Step
from positions.tasks.scratchpad.prompts import parts

COMPUTATION = "The minimum of the unsorted portion"
# What the steps hold and the prompt does not.
SORTING_SYMBOLS = Step("", COMPUTATION, "", None, "")


def selection(source: str, rank: Callable[[str], int]) -> list[Step]:
    """Take the least element of the unsorted rest, one a step; of equal ones the first.

    `rank` gives an element's place in the order.
    """
    (listed,) = parts(
        r"Sort the following list \[ (.+) \]\.", source, "Sort the following list [ b, a ]. "
    )
    rest = listed.split(", ")
    steps = []
    while rest:
        front, least = rest[0], min(rest, key=rank)
        rest[rest.index(least)] = front
        rest = rest[1:]
        steps.append(Step(front, COMPUTATION, least, remaining=f"[ {', '.join(rest)} ]"))
    return steps
