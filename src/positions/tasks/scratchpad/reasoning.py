"""The parity of bits, bit by bit, and the values along a chain of signs, variable by variable."""

from __future__ import annotations

import re

from positions.errors import InvalidValueError
from positions.tasks.scratchpad.format import Step
from positions.tasks.scratchpad.prompts import parts

# What the steps hold and the prompt does not.
PARITY_SYMBOLS = Step("", "** par =", "", "par:", "")
LEGO_SYMBOLS = Step("", "", "", None, "")

_CLAUSE = re.compile(r"([a-z]) = ([+-]) ?(1|[a-z])")


def parity(source: str) -> list[Step]:
    """Compare each bit with the parity so far; `**` stands for exclusive or."""
    (listed,) = parts(
        r"Is the number of 1's even in the sequence \[ ([01](?:, [01])*) \] \?",
        source,
        "Is the number of 1's even in the sequence [ 1, 0 ] ? ",
    )
    bits = listed.split(", ")
    steps, ones = [], 0
    for place, bit in enumerate(bits):
        computation = f"{bit} ** par = {bit} ** {ones}"
        ones ^= int(bit)
        rest = ", ".join(bits[place + 1 :])
        steps.append(Step(bit, computation, str(ones), f"par: {ones}", f"[ {rest} ]"))
    return steps


def lego(source: str) -> list[Step]:
    """Resolve the variables in the order of the chain, up to the one that is asked for."""
    listed, asked = parts(
        r"If (.+)\. Then, what is the value of ([a-z])\?",
        source,
        "If q = -1, t = - q. Then, what is the value of t? ",
    )
    clauses = listed.split(", ")
    steps: list[Step] = []
    values: dict[str, str] = {}
    for place, clause in enumerate(clauses):
        found = _CLAUSE.fullmatch(clause)
        if found is None or not (found[3] == "1" or found[3] in values):
            raise InvalidValueError(
                f"{clause!r} (clause {place + 1} of {source!r}) gives no value, such as 'q = -1', "
                "and does not follow from an earlier one, as 't = - q' does. Give the clauses in "
                "the order of the chain."
            )
        name, sign, of = found.groups()
        known = values.get(of, "+1")
        values[name] = "+1" if known == f"{sign}1" else "-1"  # equal signs give +1
        computation = f"{sign} {of} = {sign} {known}" if of in values else ""
        rest = ", ".join(clauses[place + 1 :])
        steps.append(Step(name, computation, values[name], remaining=rest))
        if name == asked:
            return steps
    raise InvalidValueError(f"{source!r} asks for {asked}, which no clause gives a value.")
