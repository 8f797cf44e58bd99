"""Everything that decides one run."""

from __future__ import annotations

from typing import Self

import torch
from pydantic import Field, PositiveInt, ValidationInfo, field_validator, model_validator

from positions import encodings
from positions.errors import InvalidValueError, unknown_name
from positions.experiments.base import Config
from positions.experiments.length_generalization.config import one_spelling, read_options
from positions.model import EncodingSpec, ModelConfig, lengen_decoder
from positions.tasks import corpora
from positions.training import TrainingPlan, seeded
from positions.training.plan import Precision

NAME = "context"
VERSION = 1


class ContextConfig(Config):
    """One language model with one encoding, trained on one corpus with one seed.

    The text: `corpus`, of whose training part the first `documents` are used (None: all), cut into
    a `vocabulary` of byte pairs learned from them. The model is trained on windows of `context`
    tokens, none of which goes over the end of a document.

    The measure: the last `scored` tokens of stretches of text, each predicted from the same tokens
    and more and more of those before them, so that the model is given `contexts` tokens in all.
    Every test document that is long enough for the longest gives stretches of that length, from
    its end backwards, `stretches` at most.

    `encoding_options`: the encoding's own, such as "fraction=0.25"; several are separated by
    blanks. `seed` decides the first weights, the order of the windows and what dropout drops.
    Training: see `TrainingPlan`.

    Raises `UnknownNameError` for an unknown corpus, encoding or option, `InvalidValueError` for
    anything else that cannot be run: contexts that do not go with each other, with `scored` or
    with an encoding that has no positions for the longest.
    """

    corpus: str
    encoding: str
    encoding_options: str = ""
    seed: int = Field(ge=0)

    documents: PositiveInt | None = None
    vocabulary: PositiveInt
    context: PositiveInt
    contexts: tuple[PositiveInt, ...]
    scored: PositiveInt
    stretches: PositiveInt

    width: PositiveInt
    heads: PositiveInt
    head_width: PositiveInt | None = None
    layers: PositiveInt
    hidden: PositiveInt
    dropout: float = Field(default=0.0, ge=0, lt=1)

    steps: PositiveInt
    batch_size: PositiveInt
    learning_rate: float = Field(gt=0)
    warmup: float = Field(default=0.02, ge=0, lt=1)
    weight_decay: float = Field(default=0.1, ge=0)
    clip: float = Field(default=1.0, gt=0)
    precision: Precision = "float32"
    evaluate_every: PositiveInt

    @field_validator("corpus")
    @classmethod
    def _known_corpus(cls, name: str) -> str:
        if name not in corpora.names():
            raise unknown_name("corpus", name, corpora.names())
        return name

    @field_validator("encoding_options")
    @classmethod
    def _one_spelling(cls, text: str, info: ValidationInfo) -> str:
        return one_spelling(info.data.get("encoding", ""), text)

    @field_validator("contexts")
    @classmethod
    def _in_order(cls, contexts: tuple[int, ...]) -> tuple[int, ...]:
        if len(contexts) < 2 or list(contexts) != sorted(set(contexts)):
            raise ValueError("give two contexts or more, from the shortest to the longest")
        return contexts

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        if self.context not in self.contexts:
            raise ValueError(
                f"contexts = {self.contexts} lack context = {self.context}, with which all others "
                "are compared; add it"
            )
        if self.scored > self.contexts[0]:
            raise ValueError(
                f"scored = {self.scored} tokens do not fit into the shortest of contexts, "
                f"{self.contexts[0]}; lower scored or leave that context out"
            )
        self.plan()
        self.model(vocabulary=1)
        self._check_reach()
        return self

    def _check_reach(self) -> None:
        """Refuse, before anything is trained, contexts that the encoding has no positions for."""
        with seeded(0):  # some encodings draw their first numbers
            encoding = encodings.build(
                self.encoding,
                width=self.width,
                heads=self.heads,
                max_length=self.context,
                **read_options(self.encoding_options),
            )
        last = torch.tensor([[self.contexts[-1] - 1]])
        try:
            encoding.embed(torch.zeros(1, 1, self.width), last)
        except InvalidValueError as error:
            raise ValueError(
                f"contexts go up to {self.contexts[-1]:,}, and {self.encoding} trained with "
                f"context = {self.context} does not. {error} Here: choose another encoding, or "
                f"contexts up to {self.context}"
            ) from None

    def spec(self) -> EncodingSpec:
        """Return the encoding as a model takes it."""
        return self.encoding, read_options(self.encoding_options)

    def model(self, vocabulary: int) -> ModelConfig:
        """Return the decoder's config for a vocabulary of that many tokens."""
        return lengen_decoder(
            "small",
            vocabulary=vocabulary,
            max_length=self.context,
            width=self.width,
            heads=self.heads,
            head_width=self.head_width,
            layers=self.layers,
            hidden=self.hidden,
            dropout=self.dropout,
        )

    def plan(self) -> TrainingPlan:
        """Return the training plan: AdamW, a short warm-up and a cosine, as in appendix F."""
        return TrainingPlan(
            steps=self.steps,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            schedule="cosine",
            warmup=self.warmup,
            weight_decay=self.weight_decay,
            decay_exempt=("bias",),
            betas=(0.9, 0.95),
            clip=self.clip,
            precision=self.precision,
            evaluate_every=self.evaluate_every,
            seed=self.seed,
        )


def requires(config: ContextConfig) -> str | None:
    """Return why a config cannot run here: its corpus is not to be had. None where it can."""
    return corpora.missing(config.corpus)
