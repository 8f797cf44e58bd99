"""PCFG SET: nested edits of strings (Hupkes et al. 2020, as used by Kazemnejad et al. 2023)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from positions import data
from positions.checks import check_flag
from positions.errors import DamagedFileError, InvalidValueError
from positions.tasks.base import Bin, Group, Split, Task
from positions.tasks.draws import Draws, Whole
from positions.tasks.examples import Example, Sizes
from positions.tasks.pcfg_counts import ARGUMENT_LENGTHS, BY_FUNCTIONS, LONGEST_SOURCE
from positions.tasks.pcfg_language import ALPHABET, BINARY, UNARY, interpret
from positions.tasks.scoring import same_text
from positions.tasks.symbols import SEPARATOR

OFFICIAL = "pcfgset/productivity/test"
OFFICIAL_SHORTEST = 9


@dataclass(frozen=True, kw_only=True)
class Pcfg(Task):
    """Productivity: commands of few functions for training, of more for the test.

    The length is the number of functions. The official training commands are not used: these are
    generated, from the published grammar fitted to the published files. Whatever its parameters,
    that grammar gives all trees with so many functions of one and so many of two arguments the same
    probability. Hence: the two numbers are drawn as often as they were counted in the files, then
    one of the trees that have them, each as likely; the functions' names, equally; the strings'
    lengths, as often as counted; the letters, equally. Not fitted: in the files, trees of 3 to 6
    functions are slightly deeper (by up to 0.4 levels), and strings are shorter where there are
    many of them.

    `official_test` takes the official productivity test, a file to be found or downloaded.
    """

    shortest: int = 1
    longest: int = 8
    test_longest: int | None = max(BY_FUNCTIONS)
    official_test: bool = False

    group: ClassVar[Group] = "classic"
    sizes: ClassVar[Sizes] = Sizes(train=72_909, test=11_333)
    most: ClassVar[int] = max(BY_FUNCTIONS)
    matches = staticmethod(same_text)
    # As in the paper the letters are whole tokens; so are the functions here, which T5 cuts.
    paper_pieces: ClassVar[Mapping[str, int]] = {"Solve:": 3, f"##{SEPARATOR}": 4}

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag(f"{self.name}: official_test", self.official_test)
        if self.official_test and self.test_lengths[0] < OFFICIAL_SHORTEST:
            raise InvalidValueError(
                f"{self.name}: the official test has commands of {OFFICIAL_SHORTEST} and more "
                f"functions, and the test was to begin at {self.test_lengths[0]}. Choose "
                f"test_shortest={OFFICIAL_SHORTEST}, or leave official_test out."
            )

    def bins(self, split: Split) -> list[Bin]:
        """Return (functions, functions of two arguments), for the official test (functions,)."""
        if split == "test" and self.official_test:
            return super().bins(split)
        return [
            (functions, binary)
            for functions in self.lengths(split)
            for binary, commands in enumerate(BY_FUNCTIONS[functions])
            if commands
        ]

    def weights(self, split: Split) -> list[int]:
        """Return how many commands of each bin were counted in the files."""
        return [_counted(each) for each in self.bins(split)]

    def lengths(self, split: Split) -> tuple[int, ...]:
        """Return the numbers of functions that occur in the files."""
        return tuple(each for each in super().lengths(split) if each in BY_FUNCTIONS)

    def pool(self, train: int) -> int:
        """Return the size of training and validation: validation is a tenth of them."""
        return train + train // 9

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Generate commands, or draw from the official ones."""
        if len(bin) == 1:
            official = self._official[bin[0]]
            return [official[each] for each in draws.integers(0, len(official), count)]
        functions, binary = bin
        sources = _sources(functions, binary, count, draws)
        return [_example(source, interpret(source), functions) for source in sources]

    def fill(self, bin: Bin, quota: int, draws: Draws) -> list[Example]:
        """Generate commands, or draw from the official ones without replacement."""
        if len(bin) == 2:
            return self.draw(bin, quota, draws)
        official = self._official[bin[0]]
        if quota > len(official):
            raise InvalidValueError(
                f"{self.name}: {quota} official test commands of {bin[0]} functions were asked "
                f"for, and there are {len(official)}. Ask for a test size of {self.sizes.test} "
                "at most."
            )
        return [official[each] for each in draws.permutation(len(official))[:quota]]

    def existing(self, bin: Bin) -> int:
        """Return the number of trees, names and strings; the official test has what it has."""
        if len(bin) == 1:
            return _counted(bin)
        functions, binary = bin
        unary, strings = functions - binary, binary + 1
        nodes = functions + strings
        trees = math.comb(nodes, binary) * math.comb(nodes - binary, unary) // nodes
        letters = sum(len(ALPHABET) ** length for length in ARGUMENT_LENGTHS["train"])
        return int(trees * len(UNARY) ** unary * len(BINARY) ** binary * letters**strings)

    def texts(self) -> Iterable[str]:
        """Yield the functions, the letters, and the separator after a word."""
        return (f"Solve: copy{SEPARATOR} ,", " ".join([*UNARY, *BINARY, *ALPHABET]))

    @cached_property
    def _official(self) -> dict[int, list[Example]]:
        """The official productivity test, by number of functions."""
        sources, targets = (
            data.read(data.resource(f"{OFFICIAL}.{side}")).decode().splitlines()
            for side in ("src", "tgt")
        )
        if len(sources) != len(targets):
            raise DamagedFileError(
                f"{OFFICIAL}.src has {len(sources)} lines and {OFFICIAL}.tgt has {len(targets)}. "
                "Get both files anew."
            )
        found: dict[int, list[Example]] = {}
        for source, target in zip(sources, targets, strict=True):
            functions = sum(token in UNARY or token in BINARY for token in source.split())
            example = _example(source, target.split(), functions)
            found.setdefault(functions, []).append(example)
        return found


def _counted(bin: Bin) -> int:
    counts = BY_FUNCTIONS[bin[0]]
    return sum(counts) if len(bin) == 1 else counts[bin[1]]


def _example(source: str, letters: list[str], functions: int) -> Example:
    answer = " ".join(letters)
    return Example(f"Solve: {source}{SEPARATOR} ", answer, answer, functions, str(functions))


def _sources(functions: int, binary: int, count: int, draws: Draws) -> Iterator[str]:
    """Write commands of that many functions, among them that many of two arguments."""
    arguments = _trees(functions - binary, binary, count, draws)
    one = draws.integers(0, len(UNARY), arguments.shape).tolist()
    two = draws.integers(0, len(BINARY), arguments.shape).tolist()
    lengths = _string_lengths(functions, binary, count, draws)
    letters = iter(draws.integers(0, len(ALPHABET), int(lengths.sum())).tolist())
    unary, pairs = tuple(UNARY), tuple(BINARY)
    for tree, ones, twos, sizes in zip(arguments.tolist(), one, two, lengths.tolist(), strict=True):
        # From the right, so that what a function works on is written before it.
        written: list[str] = []
        for node in reversed(range(len(tree))):
            if tree[node] == 0:
                string = [ALPHABET[next(letters)] for _ in range(sizes.pop())]
                written.append(" ".join(string))
            elif tree[node] == 1:
                written.append(f"{unary[ones[node]]} {written.pop()}")
            else:
                written.append(f"{pairs[twos[node]]} {written.pop()} , {written.pop()}")
        yield written.pop()


def _trees(unary: int, binary: int, count: int, draws: Draws) -> Whole:
    """Draw trees, each as likely, as the numbers of arguments of their nodes in prefix order.

    By the cycle lemma, of all rotations of an order of the nodes exactly one is a tree: the one
    that begins after the running sum of (arguments - 1) is lowest for the first time.
    """
    nodes = np.repeat([0, 1, 2], [binary + 1, unary, binary])
    orders = nodes[draws.permutations(count, len(nodes))]
    start = np.argmin(np.cumsum(orders - 1, axis=1), axis=1)[:, None] + 1
    rotated = (start + np.arange(len(nodes))) % len(nodes)
    return np.take_along_axis(orders, rotated, axis=1)


def _string_lengths(functions: int, binary: int, count: int, draws: Draws) -> Whole:
    """Draw the lengths of the strings; no command is longer than the longest in the files."""
    counted = ARGUMENT_LENGTHS["test" if functions >= OFFICIAL_SHORTEST else "train"]
    values, weights = np.array(list(counted)), list(counted.values())
    lengths = values[draws.weighted(weights, (count, binary + 1))]
    while True:
        # Besides the letters there are the functions, and a comma for each of two arguments.
        long = functions + binary + lengths.sum(1) > LONGEST_SOURCE
        if not long.any():
            return lengths
        lengths[long] = values[draws.weighted(weights, (int(long.sum()), binary + 1))]
