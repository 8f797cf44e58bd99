"""Evaluating a polynomial modulo 10 (Kazemnejad et al. 2023)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from positions.tasks.base import Bin, Group
from positions.tasks.draws import Draws
from positions.tasks.examples import Example
from positions.tasks.scoring import same_number
from positions.tasks.scratchpad import Step, SteppedTask, polynomial
from positions.tasks.symbols import DIGITS, spaced

POINTS = range(-2, 3)
COEFFICIENTS = range(-3, 4)
DEGREES = range(4)


@dataclass(frozen=True, kw_only=True)
class Polynomial(SteppedTask):
    """The value of a polynomial at a point, modulo 10; the length is the number of terms.

    Coefficients may be 0 and degrees may repeat, in any order. The prompt does not mention the
    modulus. A negative term after the first is written `+ - 3 * x ** 2`, as in the paper's code.
    """

    shortest: int = 1
    longest: int = 8

    group: ClassVar[Group] = "mathematical"
    matches = staticmethod(same_number)
    step_symbols = polynomial.POLYNOMIAL_SYMBOLS

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw point, coefficients and degrees, all independent."""
        (length,) = bin
        points = draws.integers(POINTS.start, POINTS.stop, count).tolist()
        coefficients = draws.integers(COEFFICIENTS.start, COEFFICIENTS.stop, (count, length))
        degrees = draws.integers(DEGREES.start, DEGREES.stop, (count, length))
        rows = zip(points, coefficients.tolist(), degrees.tolist(), strict=True)
        return [self._write(*row) for row in rows]

    def steps(self, source: str) -> list[Step]:
        """Evaluate term by term."""
        return polynomial.polynomial(source)

    def existing(self, bin: Bin) -> int:
        """Return the number of points and lists of terms."""
        return int(len(POINTS) * (len(COEFFICIENTS) * len(DEGREES)) ** bin[0])

    def texts(self) -> Iterable[str]:
        """Yield the words and the digits."""
        words = "Evaluate at x = - in + * ** ? The answer is 0."
        return (words, " ".join(DIGITS), *super().texts())

    @cached_property
    def chance(self) -> float:
        """How often the most frequent answer is right, on average over the test lengths.

        Exact: the answers are far from uniform, since x = 0 and zero coefficients are frequent.
        """
        shares = np.mean([_answers(length) for length in self.test_lengths], axis=0)
        return float(shares.max())

    def _write(self, x: int, coefficients: list[int], degrees: list[int]) -> Example:
        terms = list(zip(coefficients, degrees, strict=True))
        answer = sum(c * x**d for c, d in terms) % 10
        source = f"Evaluate at x = {spaced(x)} in {' + '.join([_TERM[term] for term in terms])} ? "
        target = f"The answer is {answer}."
        return self.example(source, target, str(answer), len(terms), str(len(terms)))


_TERM = {(c, d): f"{spaced(c)} * x ** {d}" for c in COEFFICIENTS for d in DEGREES}


def _answers(length: int) -> np.ndarray:
    """Return the probability of each answer 0 to 9 for polynomials of that many terms."""
    total = np.zeros(10)
    for x in POINTS:
        values = Counter(c * x**d % 10 for c in COEFFICIENTS for d in DEGREES)
        term = np.array([values[value] for value in range(10)]) / sum(values.values())
        # Adding values modulo 10 multiplies their transforms over the cycle of ten.
        total += np.fft.ifft(np.fft.fft(term) ** length).real / len(POINTS)
    return total
