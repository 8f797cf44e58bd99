"""Everything that decides one run."""

from __future__ import annotations

from typing import Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from positions import tables
from positions.errors import unknown_name
from positions.experiments.base import Config
from positions.experiments.classification.start import MADE_HERE, Preparation, source
from positions.model import DropoutRates, ModelConfig, study_classifier
from positions.model.classifier import Readout
from positions.tasks import sentences
from positions.training import TrainingPlan
from positions.training.plan import Precision

NAME = "classification"
VERSION = 1


class ClassificationConfig(Config):
    """One classifier with one position table, trained on one set of sentences with one seed.

    `task`: a set of `positions.tasks.sentences`; `limit` keeps so many of its texts for each part,
    None all. `table`: where the position table starts: "random" (N(0, 1), drawn from the seed),
    "zeros", or a name that `positions.tables.load` knows. `preparation`: how it is fitted to the
    model, see `start.rows_of`; "paper" is theirs. `frozen`: whether training leaves it as it is.
    `readout`: which vector is classified, see `positions.model.Classifier`; "last_padded" is the
    paper's. `seed` decides the first weights, which texts are set aside, the order of the examples
    and what dropout drops.

    `rows` of the table serve texts of up to so many words. Training: Adam at a constant
    `learning_rate`, `epochs` times over the training texts in random batches; every
    `evaluate_every` steps the texts set aside are looked at. With the best weights all texts are
    also read with their positions moved on by `shift`.

    Raises `UnknownNameError` for an unknown task or table, `InvalidValueError` for anything else
    that cannot be run.
    """

    task: str
    table: str
    preparation: Preparation = "paper"
    frozen: bool = False
    readout: Readout = "last_padded"
    seed: int = Field(ge=0)

    limit: PositiveInt | None = None
    rows: PositiveInt = 128
    width: PositiveInt
    heads: PositiveInt
    hidden: PositiveInt
    layers: PositiveInt = 1
    dropout: float = Field(default=0.1, ge=0, lt=1)

    epochs: PositiveInt
    batch_size: PositiveInt = 32
    learning_rate: float = Field(gt=0)
    evaluate_every: PositiveInt
    precision: Precision = "float32"
    shift: PositiveInt = 32

    @field_validator("task")
    @classmethod
    def _known_task(cls, name: str) -> str:
        if name not in sentences.names():
            raise unknown_name("set of sentences", name, sentences.names())
        return name

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        if self.table not in MADE_HERE:
            tables.options(self.table)
        elif self.preparation != "paper":
            raise ValueError(
                f"the table {self.table!r} is made at the model's size, so that there is nothing "
                f'to prepare; choose preparation = "paper"'
            )
        if self.shift >= self.rows:
            raise ValueError(
                f"shift = {self.shift} moves the first word past the table of {self.rows} rows; "
                "choose a smaller one"
            )
        self.model(vocabulary=3)
        self.plan(1)
        return self

    def model(self, vocabulary: int) -> ModelConfig:
        """Return the classifier's config for that many words."""
        rate = self.dropout
        return study_classifier(
            vocabulary,
            width=self.width,
            heads=self.heads,
            layers=self.layers,
            hidden=self.hidden,
            max_length=self.rows,
            dropout=DropoutRates(embedding=rate, attention=rate, hidden=rate, residual=rate),
        )

    def plan(self, batches: int) -> TrainingPlan:
        """Return the training plan for an epoch of that many batches."""
        return TrainingPlan(
            steps=self.epochs * batches,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            schedule="constant",
            clip=None,
            precision=self.precision,
            evaluate_every=self.evaluate_every,
            seed=self.seed,
        )


def requires(config: ClassificationConfig) -> str | None:
    """Return why a config can't run here: its sentences or its table can't be had. None if it can.

    Sentences that are not at hand are downloaded where that is possible.
    """
    name = source(config.table)
    if name is not None and not tables.at_hand(name):
        return f"the table {name} is not at hand (`positions data` says how to get it)"
    if sentences.at_hand(config.task) or sentences.missing(config.task) is None:
        return None
    title = sentences.get(config.task).title
    return f"the sentences of {title} are not at hand (`positions data` says how to get them)"
