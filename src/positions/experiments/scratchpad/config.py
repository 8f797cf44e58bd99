"""Everything that decides one run."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field, PositiveInt, ValidationInfo, field_validator

from positions import tasks
from positions.errors import InvalidValueError
from positions.experiments.length_generalization import LengthConfig
from positions.model import ModelConfig
from positions.tasks.scratchpad import NONE, SteppedTask

NAME = "scratchpad"
VERSION = 1

TASKS = tuple(name for name in tasks.names() if "scratchpad" in tasks.options(name))
"""The tasks that have steps, in the paper's order."""


class ScratchpadConfig(LengthConfig):
    """As `LengthConfig`, for a task whose steps are written before the answer.

    `scratchpad`: the format's name, or "none" for the answer alone. Writing stops at `token_limit`
    tokens, prompt included. Raises as `LengthConfig`, for a task without steps and for an unknown
    format as well.
    """

    scratchpad: str = Field(default=NONE, validate_default=True)
    token_limit: PositiveInt = 1500

    @field_validator("scratchpad", mode="before")
    @classmethod
    def _format_of_the_task(cls, scratchpad: object, info: ValidationInfo) -> object:
        task = info.data.get("task")
        if task is None:  # what is wrong with it is told anyway
            return scratchpad
        if "scratchpad" not in tasks.options(task):
            raise InvalidValueError(f"{task} has no steps to write; {', '.join(TASKS)} have")
        return tasks.build(task, scratchpad=scratchpad).scratchpad  # type: ignore[attr-defined]

    def build_task(self) -> SteppedTask:
        """Make the task at this run's lengths, in its format."""
        task = super().build_task()
        assert isinstance(task, SteppedTask)  # no other has the option
        return replace(task, scratchpad=self.scratchpad)

    def model(self, vocabulary: int, longest: int) -> ModelConfig:
        """Return the decoder's config; it can also write what is longer than it should be."""
        return super().model(vocabulary, max(longest, self.token_limit))
