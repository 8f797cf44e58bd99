"""Sorting symbols by their order, and numbers by their value (Kazemnejad et al. 2023)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from positions.checks import check_whole
from positions.tasks.base import Bin, Group, Task
from positions.tasks.draws import Draws
from positions.tasks.examples import Example
from positions.tasks.scoring import same_list
from positions.tasks.symbols import ALPHANUMERIC, DIGITS, spaced, symbols

LOWEST, HIGHEST = 10, 9999
"""The numbers to sort, by the code; the paper says 0 to 10000."""


@dataclass(frozen=True, kw_only=True)
class Sorting(Task):
    """A list put in order, equal elements included; the length is the number of elements."""

    shortest: int = 2
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    matches = staticmethod(same_list)

    @property
    @abstractmethod
    def elements(self) -> tuple[str, ...]:
        """What is sorted, written out, in ascending order."""

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw independent elements."""
        (length,) = bin
        elements = self.elements
        rows = draws.integers(0, len(elements), (count, length)).tolist()
        examples = []
        for row in rows:
            listed = ", ".join([elements[each] for each in row])
            answer = ", ".join([elements[each] for each in sorted(row)])
            source = f"Sort the following list [ {listed} ]. "
            target = f"The sorted list is [ {answer} ]."
            examples.append(Example(source, target, answer, length, str(length)))
        return examples

    def existing(self, bin: Bin) -> int:
        """Return the number of lists."""
        return int(len(self.elements) ** bin[0])

    def texts(self) -> Iterable[str]:
        """Yield the words and the symbols."""
        return ("Sort the following list [ ]. The sorted list is", *self._symbols())

    @abstractmethod
    def _symbols(self) -> Iterable[str]:
        """Yield texts that hold the symbols which elements are made of, and a comma after one."""


@dataclass(frozen=True, kw_only=True)
class SymbolSorting(Sorting):
    """Elements of one symbol each, whose order is to be learned: 0-9, a-z, A-Z, then made ones.

    `symbols` says how many there are.
    """

    symbols: int = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(f"{self.name}: symbols", self.symbols, 2)

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """The symbols, in the order to be learned."""
        return symbols(self.symbols, ALPHANUMERIC)

    def _symbols(self) -> Iterable[str]:
        return (", ".join(self.elements),)


@dataclass(frozen=True, kw_only=True)
class NumberSorting(Sorting):
    """Numbers of two to four digits, written digit by digit."""

    @property
    def elements(self) -> tuple[str, ...]:
        """The numbers, ascending."""
        return _NUMBERS

    def _symbols(self) -> Iterable[str]:
        return (", ".join(DIGITS),)


_NUMBERS = tuple(spaced(number) for number in range(LOWEST, HIGHEST + 1))
