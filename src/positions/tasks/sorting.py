"""Sorting symbols by their order, and numbers by their value (Kazemnejad et al. 2023)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from positions.checks import check_whole
from positions.errors import InvalidValueError
from positions.tasks.base import Bin, Group
from positions.tasks.draws import Draws
from positions.tasks.examples import Example
from positions.tasks.scoring import same_list
from positions.tasks.scratchpad import Step, SteppedTask, sorting
from positions.tasks.symbols import ALPHANUMERIC, DIGITS, MOST_SYMBOLS, spaced, symbols

LOWEST, HIGHEST = 10, 9999
"""The numbers to sort, by the code; the paper says 0 to 10000."""


@dataclass(frozen=True, kw_only=True)
class Sorting(SteppedTask):
    """A list put in order, equal elements included; the length is the number of elements."""

    shortest: int = 2
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    matches = staticmethod(same_list)
    step_symbols = sorting.SORTING_SYMBOLS

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
            examples.append(self.example(source, target, answer, length, str(length)))
        return examples

    def steps(self, source: str) -> list[Step]:
        """Select the least element again and again."""
        return sorting.selection(source, self._rank)

    def existing(self, bin: Bin) -> int:
        """Return the number of lists."""
        return int(len(self.elements) ** bin[0])

    def texts(self) -> Iterable[str]:
        """Yield the words and the symbols."""
        words = "Sort the following list [ ]. The sorted list is"
        return (words, *self._symbols(), *super().texts())

    @abstractmethod
    def _rank(self, element: str) -> int:
        """Return an element's place in the order; raise `InvalidValueError` for another text."""

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
        check_whole(f"{self.name}: symbols", self.symbols, 2, MOST_SYMBOLS)

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """The symbols, in the order to be learned."""
        return symbols(self.symbols, ALPHANUMERIC)

    def _symbols(self) -> Iterable[str]:
        return (", ".join(self.elements),)

    def _rank(self, element: str) -> int:
        if element not in self.elements:
            raise InvalidValueError(
                f"{element!r} is none of the {self.symbols} symbols that {self.name} puts in "
                f"order: {' '.join(self.elements)}."
            )
        return self.elements.index(element)


@dataclass(frozen=True, kw_only=True)
class NumberSorting(Sorting):
    """Numbers of two to four digits, written digit by digit."""

    @property
    def elements(self) -> tuple[str, ...]:
        """The numbers, ascending."""
        return _NUMBERS

    def _symbols(self) -> Iterable[str]:
        return (", ".join(DIGITS),)

    def _rank(self, element: str) -> int:
        digits = element.replace(" ", "")
        if not digits.isdecimal():
            raise InvalidValueError(f"{element!r} is no number, so {self.name} cannot place it.")
        return int(digits)


_NUMBERS = tuple(spaced(number) for number in range(LOWEST, HIGHEST + 1))
