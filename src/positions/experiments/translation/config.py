"""Everything that decides one run."""

from __future__ import annotations

from typing import Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from positions import tables
from positions.errors import unknown_name
from positions.experiments.base import Config
from positions.experiments.translation.start import MADE_HERE, SIDES, Preparation, Side, source
from positions.model import DropoutRates, TranslatorConfig, iwslt_translator
from positions.tasks import translations
from positions.training import TrainingPlan
from positions.training.plan import Precision, Schedule

NAME = "translation"
VERSION = 1
AN_EPOCH = 10_000
"""Batches that stand for an epoch while no text is read, to check a plan by."""


class TranslationConfig(Config):
    """One translator with a position table on either side, trained on one corpus with one seed.

    `encoder`, `decoder`: "random", "zeros" or a name that `positions.tables.load` knows, prepared
    as `start.table_of` says; `frozen`: whether training leaves both as they are. `smoothing`: the
    share of probability that the loss spreads over the vocabulary, 0 for plain cross-entropy.
    `seed` decides first weights, order of batches and dropout.

    The text: the first `pairs` of the training part (None: all), `validation_pairs` and
    `test_pairs`; `vocabulary` byte pairs a side; no sentence with more tokens than `rows`.

    Training: Adam with batches of at most `batch_tokens` places, so many `steps`, or `epochs` times
    over the text. Translation: `beams`, and scores divided by length^`length_penalty`. `examples`:
    how many translations the record keeps as text.

    Raises `UnknownNameError` for an unknown corpus or table, `InvalidValueError` for anything else
    that cannot be run.
    """

    corpus: str
    encoder: str
    decoder: str
    preparation: Preparation = "matched"
    frozen: bool = False
    smoothing: float = Field(default=0.1, ge=0, lt=1)
    seed: int = Field(ge=0)

    pairs: PositiveInt | None = None
    validation_pairs: PositiveInt | None = None
    test_pairs: PositiveInt | None = None
    vocabulary: PositiveInt
    rows: PositiveInt = 128

    width: PositiveInt
    heads: PositiveInt
    layers: PositiveInt
    hidden: PositiveInt
    dropout: float = Field(default=0.1, ge=0, lt=1)

    steps: PositiveInt | None = None
    epochs: PositiveInt | None = None
    batch_tokens: PositiveInt
    learning_rate: float = Field(gt=0)
    schedule: Schedule = "inverse-square-root"
    warmup: int | float
    weight_decay: float = Field(default=1e-4, ge=0)
    clip: float | None = Field(default=1.0, gt=0)
    precision: Precision = "float32"
    evaluate_every: PositiveInt

    beams: PositiveInt = 5
    length_penalty: float = 1.0
    decode_at_once: PositiveInt = 64
    examples: int = Field(default=10, ge=0)

    @field_validator("corpus")
    @classmethod
    def _known_corpus(cls, name: str) -> str:
        if name not in translations.names():
            raise unknown_name("parallel corpus", name, translations.names())
        return name

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        for side in SIDES:
            if self.table(side) not in MADE_HERE:
                tables.options(self.table(side))
        if (self.steps is None) == (self.epochs is None):
            raise ValueError("give steps, or epochs in their place, and not both")
        self.model(3, 3)
        self.plan(AN_EPOCH)
        return self

    def table(self, side: Side) -> str:
        """Return the name of the table of a side."""
        return self.encoder if side == "encoder" else self.decoder

    def model(self, source_vocabulary: int, target_vocabulary: int) -> TranslatorConfig:
        """Return the host's config for vocabularies of those sizes."""
        rate = self.dropout
        return iwslt_translator(
            source_vocabulary,
            target_vocabulary,
            max_length=self.rows,
            width=self.width,
            heads=self.heads,
            layers=self.layers,
            hidden=self.hidden,
            dropout=DropoutRates(embedding=rate, residual=rate),
        )

    def plan(self, batches: int) -> TrainingPlan:
        """Return the training plan for an epoch of that many batches."""
        return TrainingPlan(
            steps=self.steps or (self.epochs or 1) * batches,
            batch_size=self.batch_tokens,
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            warmup=self.warmup,
            betas=(0.9, 0.98),
            weight_decay=self.weight_decay,
            clip=self.clip,
            precision=self.precision,
            evaluate_every=self.evaluate_every,
            seed=self.seed,
        )


def requires(config: TranslationConfig) -> str | None:
    """Return why a config cannot run here: a table or its text. None where it can."""
    for side in SIDES:
        name = source(config.table(side))
        if name is not None and not tables.at_hand(name):
            return f"the table {name} is not at hand (`positions data` says how to get it)"
    return translations.missing(config.corpus)
