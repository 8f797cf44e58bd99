"""Adding two numbers digit by digit, and digits one by one."""

from __future__ import annotations

from positions.tasks.scratchpad.format import Step
from positions.tasks.scratchpad.prompts import parts
from positions.tasks.symbols import spaced

# What the steps hold and the prompt does not: the sums of two digits and a carry among it.
ADDITION_SYMBOLS = Step("0,", f"carry = {' '.join(map(str, range(20)))}", "", "carry:", "")
SUMMATION_SYMBOLS = Step("", "sum =", "", "sum: =", "")


def addition(source: str) -> list[Step]:
    """Add column by column from the last one; a carry that is left gets a step of its own.

    The shorter number is filled up with zeros, which what remains to be added does not show.
    """
    first, second = (
        digits.replace(" ", "")
        for digits in parts(
            r"Compute (\d(?: \d)*) \+ (\d(?: \d)*) \?", source, "Compute 9 5 + 8 ? "
        )
    )
    length = max(len(first), len(second))
    first, second = first.zfill(length), second.zfill(length)
    steps, carry = [], 0
    for place in reversed(range(length)):
        remaining = f"{_number(first[:place])} + {_number(second[:place])}"
        steps.append(_column(int(first[place]), int(second[place]), carry, remaining))
        carry = (int(first[place]) + int(second[place]) + carry) // 10
    return [*steps, _column(0, 0, carry, " + ")] if carry else steps


def _column(a: int, b: int, carry: int, remaining: str) -> Step:
    total = a + b + carry
    return Step(
        input=f"{a}, {b}",
        computation=f"{a} + {b} + carry = {a + b} + {carry} = {total}",
        output=str(total % 10),
        variable=f"carry: {total // 10}",
        remaining=remaining,
    )


def _number(digits: str) -> str:
    """Write what is left of a number, zeros in front left out; nothing once it is used up."""
    return spaced(int(digits)) if digits else ""


def summation(source: str) -> list[Step]:
    """Add one digit after the other to a sum modulo 10."""
    (listed,) = parts(r"Compute: (\d(?: \+ \d)*) \.\[SEP\]", source, "Compute: 7 + 9 .[SEP] ")
    digits = listed.split(" + ")
    steps, total = [], 0
    for place, digit in enumerate(digits):
        output = spaced(int(digit) + total)
        computation = f"{digit} + sum = {digit} + {total} ="
        total = (int(digit) + total) % 10
        rest = " + ".join(digits[place + 1 :])
        steps.append(Step(digit, computation, output, f"sum: {output} = {total}", rest))
    return steps
