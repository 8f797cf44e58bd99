"""Everything that decides one run."""

from __future__ import annotations

import json
from typing import Self

from pydantic import Field, PositiveInt, ValidationInfo, field_validator, model_validator

from positions import encodings, tasks
from positions.errors import InvalidValueError
from positions.experiments.base import Config
from positions.model import EncodingSpec, ModelConfig, lengen_decoder
from positions.training import TrainingPlan, seeded
from positions.training.plan import Precision

NAME = "length_generalization"
VERSION = 1

Options = dict[str, object]


class LengthConfig(Config):
    """One decoder with one encoding, trained on one task with one seed.

    The task: trained on lengths from `shortest` (None: the paper's) to `longest`, tested from
    there to `test_longest`, with `symbols` different symbols where it has that option (None:
    the paper's number); `train` and `test` examples, no prompt twice if `distinct`. Half of the
    validation set, which is 15 % of `train`, chooses the best weights. `encoding_options`: the
    encoding's own, such as "fraction=0.25"; several are separated by blanks. `seed` decides the
    first weights, the order of the examples, what dropout drops and which half of the
    validation set is used; the examples are the same for all seeds.

    The model: `vocabulary` rows of token embeddings (None: as many as the task has symbols).
    `paper_lengths` spreads a token over several where the paper's tokenizer did. Test inputs of
    more than `token_limit` tokens, answer and end included, count as not solved.

    Training: see `TrainingPlan`. Batches are drawn at random; with `pool` above 1, examples of
    similar length are put together among that many batches drawn at random, to save padding.

    Raises `UnknownNameError` for an unknown task, encoding or option, `InvalidValueError` for
    anything else that cannot be run.
    """

    task: str
    encoding: str
    encoding_options: str = ""
    seed: int = Field(ge=0)

    shortest: PositiveInt | None = None
    longest: PositiveInt
    test_longest: PositiveInt
    symbols: PositiveInt | None = None
    train: PositiveInt
    test: PositiveInt
    distinct: bool = False
    paper_lengths: bool = False
    token_limit: PositiveInt = 256

    vocabulary: PositiveInt | None = None
    width: PositiveInt
    heads: PositiveInt
    layers: PositiveInt
    hidden: PositiveInt
    dropout: float = Field(ge=0, lt=1)

    steps: PositiveInt
    batch_size: PositiveInt
    pool: PositiveInt = 1
    learning_rate: float = Field(gt=0)
    warmup: float = Field(default=0.06, ge=0, lt=1)
    final_learning_rate: float = 1e-7
    weight_decay: float = Field(default=0.05, ge=0)
    clip: float = Field(default=1.0, gt=0)
    precision: Precision = "float32"
    evaluate_every: PositiveInt

    @field_validator("encoding_options")
    @classmethod
    def _one_spelling(cls, text: str, info: ValidationInfo) -> str:
        return one_spelling(info.data.get("encoding", ""), text)

    @model_validator(mode="after")
    def _can_be_run(self) -> Self:
        self.build_task()
        self.plan()
        self.model(vocabulary=1, longest=1)
        given = read_options(self.encoding_options)
        encodings.check_options(self.encoding, given)
        with seeded(0):  # some encodings draw their first numbers
            encodings.build(
                self.encoding,
                width=self.width,
                heads=self.heads,
                max_length=1,
                **given,
            )
        return self

    def build_task(self) -> tasks.Task:
        """Make the task at this run's lengths."""
        given = {
            name: getattr(self, name)
            for name in ("shortest", "longest", "test_longest", "symbols")
            if getattr(self, name) is not None
        }
        return tasks.build(self.task, **given)

    def spec(self) -> EncodingSpec:
        """Return the encoding as a model takes it."""
        return self.encoding, read_options(self.encoding_options)

    def model(self, vocabulary: int, longest: int) -> ModelConfig:
        """Return the decoder's config for a task of that many symbols and tokens at most."""
        rows = vocabulary if self.vocabulary is None else self.vocabulary
        if rows < vocabulary:
            raise InvalidValueError(
                f"vocabulary = {rows} is too small: {self.task} has {vocabulary} symbols. Choose "
                "that or more, or leave vocabulary out."
            )
        return lengen_decoder(
            "small",
            vocabulary=rows,
            max_length=longest,
            width=self.width,
            heads=self.heads,
            layers=self.layers,
            hidden=self.hidden,
            dropout=self.dropout,
        )

    def plan(self) -> TrainingPlan:
        """Return the training plan: AdamW, linear warm-up and decay, as in section 4 of the paper.

        As in their code, weight decay spares what has "bias" in its name, and not the norms.
        """
        return TrainingPlan(
            steps=self.steps,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            schedule="linear",
            warmup=self.warmup,
            final_learning_rate=self.final_learning_rate,
            weight_decay=self.weight_decay,
            decay_exempt=("bias",),
            clip=self.clip,
            precision=self.precision,
            evaluate_every=self.evaluate_every,
            seed=self.seed,
        )


def read_options(text: str) -> Options:
    """Read "fraction=0.25 layout=half" as options; raises `InvalidValueError`."""
    options: Options = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not (name and equals and value) or name in options:
            raise InvalidValueError(
                "options are written name=value, each once, with blanks between them: "
                '"fraction=0.25 layout=half"'
            )
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


def one_spelling(encoding: str, text: str) -> str:
    """Write the options of an encoding in one way, so that equal options give equal keys."""
    options = read_options(text)
    if encoding in encodings.names():  # if not, it is refused later, with the valid ones
        options = encodings.in_their_type(encoding, options)
    return spell_options(options)


def spell_options(options: Options) -> str:
    """Write options as text, sorted by name."""
    return " ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in sorted(options.items())
    )
