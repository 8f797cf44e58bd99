"""Parity of bits, and LEGO: following a chain of signs (Kazemnejad et al. 2023)."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from positions.tasks.base import Bin, Group
from positions.tasks.draws import Draws
from positions.tasks.examples import Example
from positions.tasks.scoring import same_word
from positions.tasks.scratchpad import Step, SteppedTask, reasoning


@dataclass(frozen=True, kw_only=True)
class Parity(SteppedTask):
    """Whether the number of ones among fair bits is even; the length is the number of bits."""

    shortest: int = 4
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    matches = staticmethod(same_word)
    step_symbols = reasoning.PARITY_SYMBOLS

    @property
    def chance(self) -> float:
        """Both answers are as likely."""
        return 0.5

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw independent bits."""
        (length,) = bin
        examples = []
        for bits in draws.integers(0, 2, (count, length)).tolist():
            listed = ", ".join(map(str, bits))
            answer = "No" if sum(bits) % 2 else "Yes"
            source = f"Is the number of 1's even in the sequence [ {listed} ] ? "
            target = f"The answer is {answer}."
            examples.append(self.example(source, target, answer, length, str(length)))
        return examples

    def steps(self, source: str) -> list[Step]:
        """Go through the bits."""
        return reasoning.parity(source)

    def existing(self, bin: Bin) -> int:
        """Return the number of bit strings."""
        return int(2 ** bin[0])

    def texts(self) -> Iterable[str]:
        """Yield the words and the bits."""
        return (
            "Is the number of 1's even in the sequence [ 0, 1 ] ?",
            "The answer is Yes. No.",
            *super().texts(),
        )


@dataclass(frozen=True, kw_only=True)
class Lego(SteppedTask):
    """The value of a variable at the end of a chain of signs; the length is that of the chain.

    The clauses stand in the order of the chain, as in the published results. Every variable of the
    chain's second half is asked for: in fixed sets, the same chain once for each of them.
    """

    shortest: int = 4
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    least: ClassVar[int] = 2
    most: ClassVar[int] = len(string.ascii_lowercase)
    matches = staticmethod(same_word)
    step_symbols = reasoning.LEGO_SYMBOLS

    @property
    def chance(self) -> float:
        """Both answers are as likely."""
        return 0.5

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw chains, and which variable of each is asked for."""
        (length,) = bin
        chains = _chains(length, count, draws)
        asked = draws.integers(math.ceil(length / 2), length, count).tolist()
        return [self._ask(*chain, query) for chain, query in zip(chains, asked, strict=True)]

    def fill(self, bin: Bin, quota: int, draws: Draws) -> list[Example]:
        """Draw chains, and ask for each variable of their second halves."""
        (length,) = bin
        queries = range(math.ceil(length / 2), length)
        chains = _chains(length, max(1, quota // len(queries)), draws)
        return [self._ask(*chain, query) for chain in chains for query in queries]

    def steps(self, source: str) -> list[Step]:
        """Follow the chain to the variable that is asked for."""
        return reasoning.lego(source)

    def existing(self, bin: Bin) -> int:
        """Return the number of names, values and questions."""
        (length,) = bin
        return math.perm(len(string.ascii_lowercase), length) * 2**length * (length // 2)

    def texts(self) -> Iterable[str]:
        """Yield the words, the values and the variables."""
        return (
            "If = -1, + - +1. Then, what is the value of The answer is",
            " ".join(f"{name}?" for name in string.ascii_lowercase),
            *super().texts(),
        )

    def _ask(self, names: list[str], values: list[str], query: int) -> Example:
        """Write a chain, given by names and signs, with a question for variable `query`."""
        clauses = [f"{names[0]} = {values[0]}1"]
        for i in range(1, len(names)):
            sign = "+" if values[i] == values[i - 1] else "-"
            clauses.append(f"{names[i]} = {sign} {names[i - 1]}")
        source = f"If {', '.join(clauses)}. Then, what is the value of {names[query]}? "
        answer = f"{values[query]}1"
        length = len(names)
        target = f"The answer is {answer}."
        return self.example(source, target, answer, length, f"[{length}, {query}]")


def _chains(length: int, count: int, draws: Draws) -> list[tuple[list[str], list[str]]]:
    """Draw the names and the values of the variables of each chain."""
    orders = draws.permutations(count, len(string.ascii_lowercase))[:, :length].tolist()
    names = [[string.ascii_lowercase[each] for each in order] for order in orders]
    signs = draws.integers(0, 2, (count, length)).tolist()
    values = [["+" if sign else "-" for sign in row] for row in signs]
    return list(zip(names, values, strict=True))
