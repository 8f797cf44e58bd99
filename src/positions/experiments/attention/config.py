"""Everything that decides one run: whose attention is looked at, and beside whose."""

from __future__ import annotations

from typing import Self

from pydantic import Field, PositiveInt, model_validator

from positions.experiments.length_generalization import LengthConfig
from positions.experiments.scratchpad import ScratchpadConfig
from positions.tasks import Task
from positions.tasks.scratchpad import NONE

NAME = "attention"
VERSION = 1

REFERENCE = "nope"
"""The encoding, if it is one, that every other is compared with."""

AGAINST = ("same_seed", "other_seed", "itself")
"""NoPE of the same seed, NoPE of another seed, the same encoding with another seed."""


class AttentionConfig(LengthConfig):
    """The attention of one model of `length_generalization` or `scratchpad`, with its settings.

    It is compared with NoPE of the same seed, as in the paper, and with two models of another seed,
    `other_seed` (None: the next one): NoPE, and its own encoding. The same seed means the same
    first weights, as far as the encodings allow, and the same order of examples, so that what two
    models of one encoding are apart must be held against models of different seeds. `examples` of
    each category are looked at (SCAN: a number of actions; addition: a pair of operand lengths).
    `scratchpad`: the format in which steps come before the answer, or "none".

    Raises as `LengthConfig`, and `InvalidValueError` for the same seed twice and a single head.
    """

    scratchpad: str = NONE
    other_seed: int | None = Field(default=None, ge=0)
    examples: PositiveInt = 10

    @model_validator(mode="after")
    def _can_be_compared(self) -> Self:
        if self.other_seed == self.seed:
            raise ValueError(
                f"other_seed = {self.other_seed} is the seed itself, and a model is at no distance "
                "from itself; choose another, or leave other_seed out for the next one"
            )
        if self.heads < 2:
            raise ValueError(
                f"heads = {self.heads} leaves no pair of heads as the paper's code forms them; "
                "choose two or more"
            )
        self.model_of()
        return self

    def build_task(self) -> Task:
        """Make the task at this run's lengths, in its format."""
        return self.model_of().build_task()

    def model_of(self) -> LengthConfig:
        """Return the model looked at, as a run of the experiment that it belongs to."""
        kind = LengthConfig if self.scratchpad == NONE else ScratchpadConfig
        return kind(**{name: getattr(self, name) for name in kind.model_fields})

    def twin(self) -> LengthConfig:
        """Return the model that differs in its seed alone."""
        seed = self.seed + 1 if self.other_seed is None else self.other_seed
        return self.model_of().changed(seed=seed)

    def beside(self) -> dict[str, LengthConfig]:
        """Return the models to compare with: see `AGAINST`. NoPE has none of the same seed."""
        plain = {"encoding": REFERENCE, "encoding_options": ""}
        found = {
            "same_seed": self.model_of().changed(**plain),
            "other_seed": self.twin().changed(**plain),
            "itself": self.twin(),
        }
        if self.encoding == REFERENCE:
            del found["same_seed"]
        return found
