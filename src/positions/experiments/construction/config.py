"""What defines the run of a construction."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from positions.analysis.theory.absolute import Queries
from positions.analysis.theory.decoder import Norm, Precision
from positions.analysis.theory.hinges import Facing
from positions.experiments.base import Config


class ConstructionConfig(Config):
    """One construction, built anew for each N from `shortest` to `longest`.

    `theorem`: "absolute" (theorem 1) or "relative" (theorem 2, as ALiBi). `norm` and its constant
    `large`, `queries` (of theorem 1's counting head) and `facing` as in
    `positions.analysis.theory`; `precision` of weights and states. The seed draws all that is free:
    the other weights and the texts.
    """

    theorem: Literal["absolute", "relative"]
    shortest: int = Field(default=1, ge=1)
    longest: int = Field(ge=1)
    precision: Precision = "float64"
    norm: Norm = "none"
    large: float = Field(default=1e4, gt=0)
    queries: Queries = "content"
    facing: Facing = "rising"
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(
                f"shortest = {self.shortest} is above longest = {self.longest}; "
                "lengths are counted upwards"
            )
        return self

    @property
    def lengths(self) -> range:
        """Return every N that is built."""
        return range(self.shortest, self.longest + 1)
