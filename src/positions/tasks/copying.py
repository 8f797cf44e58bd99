"""Copying: one symbol many times, a symbol replaced, a list of symbols (Kazemnejad et al. 2023)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from positions.checks import check_whole
from positions.tasks.base import Bin, CountableTask, Group, Task
from positions.tasks.draws import Draws
from positions.tasks.examples import Example
from positions.tasks.scoring import same_text
from positions.tasks.symbols import MOST_SYMBOLS, NEXT, SEPARATOR, symbols

# T5's pieces are `▁[ S EP ]`, and one more for NEXT; `Copy:` is cut before its colon.
PIECES = {SEPARATOR: 4, NEXT: 5, "Copy:": 2, "Reverse:": 3}


@dataclass(frozen=True, kw_only=True)
class SymbolTask(Task):
    """A task on lists of symbols; the length is the number of items in the prompt's list.

    `symbols` says how many different symbols there are.
    """

    shortest: int = 2
    longest: int = 20
    symbols: int = 100

    group: ClassVar[Group] = "primitive"
    paper_pieces: ClassVar[Mapping[str, int]] = PIECES
    matches = staticmethod(same_text)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(f"{self.name}: symbols", self.symbols, 2, MOST_SYMBOLS)

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols, in their order."""
        return symbols(self.symbols)

    def example(self, source: str, target: str, length: int) -> Example:
        """Put an example together; all of its target is scored."""
        return Example(f"{source} {SEPARATOR} ", target, target, length, str(length))


@dataclass(frozen=True, kw_only=True)
class RepeatedCopy(SymbolTask, CountableTask):
    """Copy v1: one symbol again and again, `times` as often as in the prompt.

    Training and test hold the same symbols; only the counts are new.
    """

    symbols: int = 6052
    times: int

    def make(self, bin: Bin, number: int) -> Example:
        """Return the example of symbol `number`."""
        (length,) = bin
        symbol = self.alphabet[number]
        source = "Copy: " + " ".join([symbol] * length)
        return self.example(source, " ".join([symbol] * (length * self.times)), length)

    def existing(self, bin: Bin) -> int:
        """Return the number of symbols."""
        return self.symbols

    def texts(self) -> Iterable[str]:
        """Yield the prompt's words and the symbols."""
        return (f"Copy: {SEPARATOR}", " ".join(self.alphabet))


@dataclass(frozen=True, kw_only=True)
class Replacement(SymbolTask, CountableTask):
    """Copy v2: a symbol again and again, replaced by another one; all ordered pairs."""

    symbols: int = 78

    def make(self, bin: Bin, number: int) -> Example:
        """Return the example of the ordered pair `number`."""
        (length,) = bin
        first, second = divmod(number, self.symbols - 1)
        old, new = self.alphabet[first], self.alphabet[second + (second >= first)]
        source = f"Replace {old} with {new} in " + " ".join([old] * length)
        return self.example(source, " ".join([new] * length), length)

    def existing(self, bin: Bin) -> int:
        """Return the number of ordered pairs of different symbols."""
        return self.symbols * (self.symbols - 1)

    def texts(self) -> Iterable[str]:
        """Yield the prompt's words and the symbols."""
        return (f"Replace with in {SEPARATOR}", " ".join(self.alphabet))


@dataclass(frozen=True, kw_only=True)
class ListTask(SymbolTask):
    """A list of independent symbols, and what is made of it.

    `parts` says what follows, with `[NEXT]` between: the list "as it is" or "reversed".
    """

    parts: tuple[str, ...]

    word: ClassVar[str]

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw lists; a symbol may come more than once in one."""
        (length,) = bin
        rows = draws.integers(0, self.symbols, (count, length)).tolist()
        return [self._example([self.alphabet[each] for each in row]) for row in rows]

    def existing(self, bin: Bin) -> int:
        """Return the number of lists."""
        return int(self.symbols ** bin[0])

    def texts(self) -> Iterable[str]:
        """Yield the prompt's words, `[NEXT]` where it is used, and the symbols."""
        between = [NEXT] * (len(self.parts) > 1)
        return (" ".join([self.word, SEPARATOR, *between]), " ".join(self.alphabet))

    def _example(self, items: list[str]) -> Example:
        made = {"as it is": " ".join(items), "reversed": " ".join(reversed(items))}
        target = f" {NEXT} ".join(made[part] for part in self.parts)
        return self.example(f"{self.word} {made['as it is']}", target, len(items))


@dataclass(frozen=True, kw_only=True)
class ListCopy(ListTask):
    """Copy v3: the list, once or twice."""

    word: ClassVar[str] = "Copy:"
