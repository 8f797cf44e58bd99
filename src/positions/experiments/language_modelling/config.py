"""Everything that decides one run."""

from __future__ import annotations

from typing import Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from positions import tables
from positions.errors import unknown_name
from positions.experiments.base import Config
from positions.experiments.language_modelling.placed import Rows
from positions.experiments.language_modelling.start import MADE_HERE, source
from positions.experiments.language_modelling.text import MASKED, Objective
from positions.experiments.language_modelling.tokens import (
    OWN,
    check_tokenizer,
    missing,
)
from positions.model import DropoutRates, ModelConfig, bert_like, gpt2_like
from positions.tasks import corpora
from positions.training import TrainingPlan
from positions.training.plan import Precision, Schedule

NAME = "language_modelling"
VERSION = 1


class LanguageConfig(Config):
    """One language model with one position table, trained on one corpus with one seed.

    `objective`: "masked" (a small BERT) or "causal" (a small GPT-2). `table`: "random", "zeros", or
    a name that `positions.tables.load` knows; see `start.table_of`. `frozen`: whether training
    leaves it as it is, which is the paper's. `first` and `stride`: which of its rows serve the
    tokens in training, 0 and 1 for the first ones, 0 and 4 for the paper's skipped positions.
    `seed` decides the first weights, the order of the blocks, which tokens are hidden in training
    and what dropout drops.

    The text: `corpus`, of whose training part the first `documents` are used (None: all), by a
    `tokenizer` that is learned from it ("own", `vocabulary` byte pairs) or ready made, cut into
    blocks of `length` tokens.

    The measure: the weights that are best on `validation_blocks` are given `test_blocks` (None:
    all), with every one of `strides` from row 0 and from every one of `offsets` on. The table has
    `rows` for that.

    Training: AdamW with a linear schedule, so many `steps`, or `epochs` times over the text.

    Raises `UnknownNameError` for an unknown corpus, tokenizer or table, `InvalidValueError` for
    anything else that cannot be run, such as positions past the table.
    """

    corpus: str
    objective: Objective
    table: str
    frozen: bool = True
    first: int = Field(default=0, ge=0)
    stride: PositiveInt = 1
    seed: int = Field(ge=0)

    documents: PositiveInt | None = None
    tokenizer: str = OWN
    vocabulary: PositiveInt | None = None
    length: int = Field(default=128, ge=4)
    rows: PositiveInt = 512
    strides: tuple[PositiveInt, ...] = (1, 2, 4)
    offsets: tuple[int, ...] = (1, 4, 16, 64, 128, 256, 384)
    validation_blocks: PositiveInt | None = None
    test_blocks: PositiveInt | None = None

    width: PositiveInt
    heads: PositiveInt
    layers: PositiveInt
    hidden: PositiveInt
    dropout: float = Field(default=0.1, ge=0, lt=1)

    steps: PositiveInt | None = None
    epochs: PositiveInt | None = None
    batch_size: PositiveInt
    gradient_accumulation: PositiveInt = 1
    learning_rate: float = Field(gt=0)
    schedule: Schedule = "linear"
    warmup: int | float = 0
    precision: Precision = "float32"
    evaluate_every: PositiveInt

    @field_validator("corpus")
    @classmethod
    def _known_corpus(cls, name: str) -> str:
        if name not in corpora.names():
            raise unknown_name("corpus", name, corpora.names())
        return name

    @field_validator("offsets")
    @classmethod
    def _not_negative(cls, offsets: tuple[int, ...]) -> tuple[int, ...]:
        if any(offset < 0 for offset in offsets):
            raise ValueError("an offset is a row of the table, 0 or more")
        return offsets

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        if self.table not in MADE_HERE:
            tables.options(self.table)
        check_tokenizer(self.tokenizer, self.objective, self.vocabulary)
        if (self.steps is None) == (self.epochs is None):
            raise ValueError("give steps, or epochs in their place, and not both")
        for rows in self.selections():
            if rows.last(self.length) >= self.rows:
                raise ValueError(
                    f"blocks of length = {self.length} from row {rows.first} on, every "
                    f"{rows.stride}., reach row {rows.last(self.length)}, past the table of rows = "
                    f"{self.rows}. Lower length, first, stride, strides or offsets, or take a "
                    "longer table with more rows"
                )
        self.model(vocabulary=3)
        self.plan(1)
        return self

    @property
    def used(self) -> Rows:
        """The rows that serve the tokens in training."""
        return Rows(self.first, self.stride)

    def selections(self) -> list[Rows]:
        """Return the rows that are measured, those of training first, none twice."""
        strides = [Rows(0, stride) for stride in self.strides]
        offsets = [Rows(offset, 1) for offset in self.offsets]
        return list(dict.fromkeys([self.used, *strides, *offsets]))

    def model(self, vocabulary: int) -> ModelConfig:
        """Return the host's config for a vocabulary of that many tokens."""
        host = bert_like if self.objective == MASKED else gpt2_like
        rate = self.dropout
        return host(
            vocabulary=vocabulary,
            max_length=self.length,
            width=self.width,
            heads=self.heads,
            layers=self.layers,
            hidden=self.hidden,
            dropout=DropoutRates(embedding=rate, attention=rate, residual=rate),
        )

    def plan(self, batches: int) -> TrainingPlan:
        """Return the training plan for an epoch of that many batches."""
        return TrainingPlan(
            steps=self.steps or (self.epochs or 1) * batches,
            batch_size=self.batch_size,
            gradient_accumulation=self.gradient_accumulation,
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            warmup=self.warmup,
            precision=self.precision,
            evaluate_every=self.evaluate_every,
            seed=self.seed,
        )


def requires(config: LanguageConfig) -> str | None:
    """Return why a config cannot run here: its table, tokenizer or text. None where it can."""
    name = source(config.table)
    if name is not None and not tables.at_hand(name):
        return f"the table {name} is not at hand (`positions data` says how to get it)"
    return missing(config.tokenizer) or corpora.missing(config.corpus)
