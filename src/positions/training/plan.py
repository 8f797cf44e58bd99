"""What a training run is to do: every number that decides it, in one frozen plan."""

from __future__ import annotations

import math
import re
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from positions.settings import Settings

Schedule = Literal["linear", "inverse-square-root", "cosine", "constant"]
Precision = Literal["float32", "bfloat16"]


class TrainingPlan(Settings):
    """Every number of one training run. Any bad field raises one `InvalidValueError`.

    `steps`: updates. `batch_size`: sequences per update, which `gradient_accumulation` equal parts
    are computed one after the other to save memory. `learning_rate` is the peak; `warmup` leads up
    to it, in steps (a whole number) or as a fraction of `steps` (below 1); `final_learning_rate`
    is where "linear" and "cosine" end. `weight_decay` spares the parameters whose names contain
    one of `decay_exempt`. `clip` bounds the norm of the gradient (None: no bound).
    `evaluate_every`: steps between evaluations (None: only at the end, where there always is one).
    `device`: "auto" (a GPU where there is one), "cpu", "cuda" or "cuda:1". `compile`: whether the
    model goes through `torch.compile`, which pays where runs are long.
    """

    steps: int = Field(ge=1)
    batch_size: int = Field(ge=1)
    learning_rate: float = Field(gt=0)
    schedule: Schedule = "linear"
    warmup: int | float = 0
    final_learning_rate: float = Field(default=0.0, ge=0)
    weight_decay: float = Field(default=0.0, ge=0)
    decay_exempt: tuple[str, ...] = ("bias", "norm")
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = Field(default=1e-8, gt=0)
    clip: float | None = Field(default=1.0, gt=0)
    label_smoothing: float = Field(default=0.0, ge=0, lt=1)
    gradient_accumulation: int = Field(default=1, ge=1)
    precision: Precision = "float32"
    evaluate_every: int | None = Field(default=None, ge=1)
    seed: int = Field(default=0, ge=0)
    device: str = "auto"
    compile: bool = False

    @property
    def warmup_steps(self) -> int:
        """Return the steps of warm-up; a fraction of `steps` is rounded up."""
        if isinstance(self.warmup, float):
            return math.ceil(self.warmup * self.steps)
        return self.warmup

    @field_validator("betas", "decay_exempt", mode="before")
    @classmethod
    def _tuple_from_json(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("betas")
    @classmethod
    def _betas_below_one(cls, betas: tuple[float, float]) -> tuple[float, float]:
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError("both must be at least 0 and below 1")
        return betas

    @field_validator("device")
    @classmethod
    def _known_device(cls, device: str) -> str:
        if not re.fullmatch(r"auto|cpu|cuda(:\d+)?", device):
            raise ValueError('must be "auto", "cpu", "cuda" or "cuda:<number of the card>"')
        return device

    @model_validator(mode="after")
    def _fields_fit_together(self) -> TrainingPlan:
        fraction = isinstance(self.warmup, float)
        if self.warmup < 0 or (fraction and self.warmup >= 1) or self.warmup > self.steps:
            raise ValueError(
                f"warmup = {self.warmup!r} must be a whole number of steps from 0 to steps = "
                f"{self.steps}, or a fraction of them below 1, such as 0.06"
            )
        if self.schedule == "inverse-square-root" and self.warmup == 0:
            raise ValueError('schedule "inverse-square-root" needs a warmup of at least 1 step')
        if self.final_learning_rate and self.schedule not in ("linear", "cosine"):
            raise ValueError(
                f"final_learning_rate = {self.final_learning_rate!r} has no meaning in schedule "
                f'"{self.schedule}"; only "linear" and "cosine" end on one'
            )
        if self.final_learning_rate > self.learning_rate:
            raise ValueError(
                f"final_learning_rate = {self.final_learning_rate!r} is above learning_rate = "
                f"{self.learning_rate!r}, which is the peak"
            )
        if self.gradient_accumulation > self.batch_size:
            raise ValueError(
                f"gradient_accumulation = {self.gradient_accumulation} parts cannot be cut from "
                f"batch_size = {self.batch_size}"
            )
        return self
