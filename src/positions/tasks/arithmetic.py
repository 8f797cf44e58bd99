"""Addition of two numbers, and summation of digits modulo 10 (Kazemnejad et al. 2023)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from positions.tasks.base import Bin, Group, Split
from positions.tasks.draws import Draws, Whole
from positions.tasks.examples import Example
from positions.tasks.scoring import same_number
from positions.tasks.scratchpad import Step, SteppedTask, arithmetic
from positions.tasks.symbols import DIGITS, SEPARATOR


@dataclass(frozen=True, kw_only=True)
class Addition(SteppedTask):
    """The sum of two numbers of given digits; the length is the longer operand's.

    A bin is a pair of operand lengths: all pairs of training lengths, and for the test all pairs
    with the longer operand at a test length.
    """

    shortest: int = 1
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    matches = staticmethod(same_number)
    most: ClassVar[int] = 256  # bins are pairs of lengths, and each gives an example at least
    step_symbols = arithmetic.ADDITION_SYMBOLS
    # Inferred: only so do the published counts of addition and summation fit together. T5's
    # tokenizer has no piece for 0 after a blank, and joins the last digit and the full stop.
    # With the full scratchpad the published counts (49 to 397, and up to 854) fit if one piece more
    # comes once a text, not once a step; which word it belongs to is not known, and the first one
    # stands for it.
    paper_pieces: ClassVar[Mapping[str, int]] = {
        "Compute": 2,
        "?": 2,
        "0": 2,
        "0.": 2,
        "##.": 0,
        "Thinking": 2,
        "step:": 2,
        "carry:": 2,
        ".": 2,
    }
    counted: ClassVar[tuple[str, ...]] = ("none", "full")

    def bins(self, split: Split) -> list[Bin]:
        """Return the pairs of operand lengths, (digits, digits)."""
        lengths = self.lengths(split)
        every = range(self.shortest, lengths[-1] + 1)
        return [(a, b) for a in every for b in every if max(a, b) >= lengths[0]]

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw each operand from all numbers of that many digits."""
        columns = [_numbers(digits, count, draws) for digits in bin]
        category = "{}-by-{}".format(*bin)
        length = max(bin)
        examples = []
        for a, b in zip(*columns, strict=True):
            total = str(int(a) + int(b))
            source = f"Compute {' '.join(a)} + {' '.join(b)} ? "
            target = f"The answer is {' '.join(total)}."
            examples.append(self.example(source, target, total, length, category))
        return examples

    def steps(self, source: str) -> list[Step]:
        """Add digit by digit."""
        return arithmetic.addition(source)

    def existing(self, bin: Bin) -> int:
        """Return the number of ordered pairs."""
        a, b = (10 if digits == 1 else 9 * 10 ** (digits - 1) for digits in bin)
        return a * b

    def texts(self) -> Iterable[str]:
        """Yield the words and the digits, each with a full stop as well."""
        endings = " ".join(f"{digit}." for digit in DIGITS)
        return ("Compute + ? The answer is", " ".join(DIGITS), endings, *super().texts())


@dataclass(frozen=True, kw_only=True)
class Summation(SteppedTask):
    """The sum of digits from 1 to 9, modulo 10; the length is how many there are."""

    shortest: int = 2
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    matches = staticmethod(same_number)
    step_symbols = arithmetic.SUMMATION_SYMBOLS
    paper_pieces: ClassVar[Mapping[str, int]] = {
        "Compute:": 3,
        ".": 2,
        "0": 2,
        f"##{SEPARATOR}": 4,
    }

    @property
    def chance(self) -> float:
        """Any answer is right once in ten times; at two digits 0 slightly more often."""
        return 0.1

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw independent digits."""
        (length,) = bin
        rows = draws.integers(1, 10, (count, length))
        answers = (rows.sum(1) % 10).tolist()
        return [
            self.example(
                f"Compute: {' + '.join(digits)} .{SEPARATOR} ",
                f"The answer is {answer} .",
                str(answer),
                length,
                str(length),
            )
            for digits, answer in zip(_strings(rows), answers, strict=True)
        ]

    def steps(self, source: str) -> list[Step]:
        """Add one digit after the other."""
        return arithmetic.summation(source)

    def existing(self, bin: Bin) -> int:
        """Return the number of lists of digits."""
        return int(9 ** bin[0])

    def texts(self) -> Iterable[str]:
        """Yield the words and the digits."""
        words = f"Compute: + .{SEPARATOR} The answer is"
        return (words, " ".join(DIGITS), *super().texts())


def _numbers(digits: int, count: int, draws: Draws) -> list[str]:
    """Draw numbers of that many digits, without leading zeros; 0 to 9 for one digit."""
    first = draws.integers(0 if digits == 1 else 1, 10, (count, 1))
    rest = draws.integers(0, 10, (count, digits - 1))
    return _strings(np.concatenate([first, rest], axis=1))


def _strings(digits: Whole) -> list[str]:
    """Write rows of digits, (rows, digits), as text."""
    text = (digits + ord("0")).astype(np.uint8).tobytes().decode()
    width = digits.shape[1]
    return [text[start : start + width] for start in range(0, len(text), width)]
