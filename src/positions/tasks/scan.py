"""SCAN: commands in English, and the actions they ask for (Lake & Baroni 2018)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from positions.tasks.base import Bin, CountableTask, Group, Split
from positions.tasks.examples import Example, Sizes
from positions.tasks.scoring import same_text
from positions.tasks.symbols import SEPARATOR

ACTIONS = {"walk": "Walk", "look": "Look", "run": "Run", "jump": "Jump"}
TURNS = {"left": "Left", "right": "Right"}
"""The actions as Kazemnejad et al. 2023 name them; in SCAN they are `I_WALK`, `I_TURN_LEFT`, ..."""

COUNTS = {"": 1, " twice": 2, " thrice": 3}

Commands = dict[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class Scan(CountableTask):
    """All 20,910 commands, split by the number of actions, which is the length.

    `longest=25` (the default) is the split of Kazemnejad et al. 2023, 15,997 / 1,777 / 3,136;
    `longest=22` the one published with SCAN, 16,990 and 3,920. Lengths are used as far as they
    occur, each in proportion to its commands.
    """

    shortest: int = 1
    longest: int = 25
    test_longest: int | None = 48

    group: ClassVar[Group] = "classic"
    sizes: ClassVar[Sizes] = Sizes(train=15_997, test=3_136)
    matches = staticmethod(same_text)
    # `thrice` is inferred: with three pieces the longest training sequence is the published 45.
    paper_pieces: ClassVar[Mapping[str, int]] = {"Solve:": 3, f"##{SEPARATOR}": 4, "thrice": 3}

    def make(self, bin: Bin, number: int) -> Example:
        """Return command `number` of that many actions."""
        (length,) = bin
        command, actions = _by_length()[length][number]
        answer = " ".join(actions)
        return Example(f"Solve: {command}{SEPARATOR} ", answer, answer, length, str(length))

    def existing(self, bin: Bin) -> int:
        """Return the number of commands of that many actions."""
        return len(_by_length()[bin[0]])

    def lengths(self, split: Split) -> tuple[int, ...]:
        """Return the numbers of actions that occur."""
        return tuple(each for each in super().lengths(split) if each in _by_length())

    def weights(self, split: Split) -> list[int]:
        """Return the number of commands of each length."""
        return [self.existing(each) for each in self.bins(split)]

    def pool(self, train: int) -> int:
        """Return the size of training and validation: validation is a tenth of them."""
        return train + train // 9

    def texts(self) -> Iterable[str]:
        """Yield the words, the actions, and the separator after a word."""
        for command, actions in commands().items():
            yield f"Solve: {command}{SEPARATOR}"
            yield " ".join(actions)


@functools.cache
def commands() -> Commands:
    """Return every command of SCAN's grammar with its actions (Lake & Baroni 2018, appendix)."""
    verbs: Commands = {verb: (action,) for verb, action in ACTIONS.items()}
    directed: Commands = {}
    for direction, turn in TURNS.items():
        for verb, actions in {**verbs, "turn": ()}.items():
            once = (turn, *actions)
            directed[f"{verb} {direction}"] = once
            directed[f"{verb} opposite {direction}"] = (turn, *once)
            directed[f"{verb} around {direction}"] = once * 4
    single = {
        phrase + word: actions * count
        for phrase, actions in (verbs | directed).items()
        for word, count in COUNTS.items()
    }
    pairs: Commands = {}
    for first, one in single.items():
        for second, two in single.items():
            pairs[f"{first} and {second}"] = one + two
            pairs[f"{first} after {second}"] = two + one
    return single | pairs


@functools.cache
def _by_length() -> dict[int, list[tuple[str, tuple[str, ...]]]]:
    """Return the commands by their number of actions."""
    found: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    for command, actions in commands().items():
        found.setdefault(len(actions), []).append((command, actions))
    return dict(sorted(found.items()))
