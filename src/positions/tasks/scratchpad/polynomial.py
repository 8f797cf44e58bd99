"""Evaluating a polynomial modulo 10, term by term."""

from __future__ import annotations

from positions.tasks.scratchpad.format import Step
from positions.tasks.scratchpad.prompts import parts
from positions.tasks.symbols import spaced

# What the steps hold and the prompt does not.
POLYNOMIAL_SYMBOLS = Step("", "", "", "sum:", "")


def polynomial(source: str) -> list[Step]:
    """Evaluate each term, and add it to a sum modulo 10."""
    point, listed = parts(
        r"Evaluate at x = ((?:- )?\d) in (.+) \?",
        source,
        "Evaluate at x = - 2 in 3 * x ** 2 ? ",
    )
    terms = listed.split(" + ")
    x = _number(point)
    steps, total = [], 0
    for place, term in enumerate(terms):
        coefficient, degree = parts(r"((?:- )?\d) \* x \*\* (\d)", term, "3 * x ** 2")
        power = x ** int(degree)
        value = _number(coefficient) * power
        now = (total + value) % 10
        steps.append(
            Step(
                input=term,
                computation=f"{term.replace('x', point)} = {coefficient} * {spaced(power)}",
                output=spaced(value),
                variable=f"sum: {total} + {spaced(value)} = {now}",
                remaining=" + ".join(terms[place + 1 :]),
            )
        )
        total = now
    return steps


def _number(text: str) -> int:
    return int(text.replace(" ", ""))
