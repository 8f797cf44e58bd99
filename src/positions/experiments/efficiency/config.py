"""What one measurement is of: a model, a length, and the encodings that take turns in it."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveInt, field_validator, model_validator

from positions import encodings
from positions.errors import InvalidValueError
from positions.experiments.base import Config
from positions.experiments.length_generalization.config import one_spelling, read_options
from positions.model import EncodingSpec, ModelConfig, lengen_decoder
from positions.training import seeded
from positions.training.device import describe, pick_device

NONE = "nope"
"""The encoding that does nothing: all others are compared with it."""

Phase = Literal["forward", "training", "generation"]
Attention = Literal["fastest", "written"]


class EfficiencyConfig(Config):
    """Encodings that take turns in one model, on inputs of one length.

    `phase`: a forward pass without gradients, a training step (forward, backward, AdamW), or
    greedy generation of `length` tokens after one, with a key-value cache. `encodings`: names,
    each with its options behind it ("rotary fraction=0.25"); NoPE must be among them.
    `attention`: "written" is matmul, softmax, matmul, as in the paper's code; "fastest" is what
    this library chooses. `rounds` turns of each encoding are timed after `warmups` that are not.

    `device`: "cpu" (one thread, where a sweep measures), "cuda" or "cuda:1". `machine`: what the
    maker calls it, as it decides the result; a run can be made there alone.

    Raises `UnknownNameError` for an unknown encoding or option, `InvalidValueError` for anything
    else that cannot be measured.
    """

    phase: Phase
    length: PositiveInt
    encodings: tuple[str, ...]
    attention: Attention = "fastest"
    batch: PositiveInt = 1

    vocabulary: PositiveInt
    width: PositiveInt
    heads: PositiveInt
    layers: PositiveInt
    hidden: PositiveInt
    dropout: float = Field(default=0.0, ge=0, lt=1)

    warmups: NonNegativeInt
    rounds: PositiveInt
    device: str = "cpu"
    machine: str

    @field_validator("encodings")
    @classmethod
    def _one_spelling(cls, specs: tuple[str, ...]) -> tuple[str, ...]:
        spelt = tuple(_spell(text) for text in specs)
        twice = sorted({each for each in spelt if spelt.count(each) > 1})
        if twice:
            raise InvalidValueError(f"{', '.join(twice)} stands twice; name each encoding once")
        if NONE not in spelt:
            raise InvalidValueError(f"{NONE!r} is missing, with which the others are compared")
        return spelt

    @field_validator("device")
    @classmethod
    def _known_device(cls, device: str) -> str:
        if not re.fullmatch(r"cpu|cuda(:\d+)?", device):
            raise InvalidValueError('must be "cpu", "cuda" or "cuda:<number of the card>"')
        return device

    @model_validator(mode="after")
    def _can_be_built(self) -> EfficiencyConfig:
        sizes = self.model()
        with seeded(0):  # some encodings draw their first numbers
            for text in self.encodings:
                name, options = read_spec(text)
                encodings.build(name, width=sizes.width, heads=sizes.heads, max_length=1, **options)
        return self

    def model(self) -> ModelConfig:
        """Return the config of the paper's decoder at these sizes."""
        return lengen_decoder(
            "small",
            vocabulary=self.vocabulary,
            max_length=self.length,
            width=self.width,
            heads=self.heads,
            layers=self.layers,
            hidden=self.hidden,
            dropout=self.dropout,
        )

    def specs(self) -> dict[str, EncodingSpec]:
        """Return the encodings as a model takes them, by their text."""
        return {text: read_spec(text) for text in self.encodings}


def read_spec(text: str) -> tuple[str, dict[str, object]]:
    """Read "rotary fraction=0.25" as a name and options; raises `InvalidValueError`."""
    name, _, options = text.strip().partition(" ")
    return name, read_options(options)


def machine(device: str) -> str:
    """Return what the maker calls a device, empty where it is not there."""
    try:
        return describe(pick_device(device)).name
    except InvalidValueError:
        return ""


def requires(config: EfficiencyConfig) -> str | None:
    """Return why a config cannot be measured here: no such device, or another machine's."""
    try:
        here = describe(pick_device(config.device)).name
    except InvalidValueError as error:
        return str(error)
    if here != config.machine:
        return (
            f"it is to be measured on {config.machine or 'a machine that it does not name'}, and "
            f"this is {here}"
        )
    return None


def _spell(text: str) -> str:
    name, _, options = text.strip().partition(" ")
    return f"{name} {one_spelling(name, options)}".strip()
