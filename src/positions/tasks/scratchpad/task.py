"""A task that can be worked out step by step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from positions.errors import InvalidValueError
from positions.tasks.base import Task
from positions.tasks.examples import Example
from positions.tasks.scratchpad import reading
from positions.tasks.scratchpad.format import NONE, Format, Step, choose, write
from positions.tasks.tokenizer import Tokenizer


@dataclass(frozen=True, kw_only=True)
class SteppedTask(Task):
    """A task whose targets may hold the steps to the answer before it: a scratchpad.

    `scratchpad` is the format's name, "none" for the answer alone; see
    `positions.tasks.scratchpad.formats`. Prompt and answer are the same in all formats.
    """

    scratchpad: str = NONE

    step_symbols: ClassVar[Step]
    """A step that holds every symbol which steps add to those of prompt and answer."""
    counted: ClassVar[tuple[str, ...]] = (NONE,)
    """The formats whose token counts the paper's records give, where `paper_pieces` are known."""

    def __post_init__(self) -> None:
        super().__post_init__()
        name, _ = self._chosen
        object.__setattr__(self, "scratchpad", name)  # one spelling, so that equals are equal

    @abstractmethod
    def steps(self, source: str) -> list[Step]:
        """Work a prompt out, step by step.

        Raises `InvalidValueError` for a text that is none of the task's prompts.
        """

    @property
    def form(self) -> Format | None:
        """Which fields of a step are written; None without a scratchpad."""
        return self._chosen[1]

    def example(
        self, source: str, conclusion: str, answer: str, length: int, category: str
    ) -> Example:
        """Put an example together: with a scratchpad, the steps come before the conclusion."""
        target = conclusion
        if self.form is not None:
            target = write(self.steps(source), conclusion, self.form)
        return Example(source, target, answer, length, category)

    def score(self, prediction: str, example: Example) -> bool:
        """Say whether a text that a model produced gives the example's answer.

        With a scratchpad, only what follows `. Thus,` is looked at: right steps win nothing, and
        wrong ones cost nothing, as in the paper.
        """
        if self.form is None or not isinstance(prediction, str):
            return super().score(prediction, example)
        conclusion = reading.conclusion(prediction)
        return conclusion is not None and super().score(conclusion, example)

    def check(self, prediction: str, example: Example) -> reading.Checked:
        """Judge a text that a model produced step by step; raises without a scratchpad."""
        if self.form is None:
            raise InvalidValueError(
                f"This {self.name} has no steps to check. Build it with scratchpad='full', or "
                "another format."
            )
        return reading.check(prediction, self.steps(example.source), self.form)

    def texts(self) -> Iterable[str]:
        """Yield what a scratchpad adds to the vocabulary; a task yields its own symbols first."""
        return () if self.form is None else (write([self.step_symbols] * 2, "", self.form),)

    def tokenizer(self, paper_lengths: bool = False) -> Tokenizer:
        """Return the task's own tokenizer: one symbol, one token. As `Task.tokenizer`."""
        if paper_lengths and self.paper_pieces is not None and self.scratchpad not in self.counted:
            raise InvalidValueError(
                f"The paper's token counts for {self.name} with scratchpad={self.scratchpad!r} are "
                f"not known; they are for {' and '.join(self.counted)}. Leave paper_lengths out."
            )
        return super().tokenizer(paper_lengths)

    @cached_property
    def _chosen(self) -> tuple[str, Format | None]:
        return choose(self.scratchpad, self.step_symbols.variable is not None, self.name)
