"""One run: train a language model with one position table, then test it with many of its rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from positions.experiments import _checkpoints
from positions.experiments._found import of_training, short
from positions.experiments.base import Outcome, key
from positions.experiments.classification.measure import correlation
from positions.experiments.language_modelling import measure
from positions.experiments.language_modelling.config import NAME, VERSION, LanguageConfig
from positions.experiments.language_modelling.placed import Placed, placed_in
from positions.experiments.language_modelling.start import table_of
from positions.experiments.language_modelling.text import Blocks, ask, training_batches
from positions.experiments.language_modelling.tokens import Tokens, tokens_of
from positions.model import LanguageModel
from positions.tasks import corpora
from positions.training import Checkpoints, Fitted, TokenBatch, fit, seeded


@dataclass(frozen=True)
class Setup:
    """What a config stands for, before training.

    `validation` and `test` ask the same of every run of an objective, whatever its seed.
    """

    tokens: Tokens
    train: Blocks
    validation: TokenBatch
    test: TokenBatch
    model: LanguageModel
    digests: dict[str, str]


def run(config: LanguageConfig) -> Outcome:
    """Train one language model and return how well it predicts the test text.

    Wang & Chen (2020), section 5.2. Unlike there, the validation text chooses the weights (the
    earliest that are best), the test text is read once, and which of its tokens are hidden from a
    masked model is always the same. Metrics:

    - `loss` and `perplexity`: on the test blocks, with the rows used in training, in nats a token
      asked for. Those of a masked and of a causal model do not compare.
    - `validation_loss`: of the weights chosen, at `best_step`.
    - `kept`: the correlation of the rows used before and after training; None for a table that is
      frozen or zero.

    `loss`, `perplexity` and `validation_loss` are None where the training diverged. Series: for
    each selection of rows `first`, `stride` and `loss`, that of training first; and for each
    evaluation `step`, `training_loss` and `validation_loss`.

    A run that is interrupted goes on from its checkpoint when it is started again. Raises
    `InvalidValueError` for a text too short and a table that does not fit; `NotAtHandError`,
    `DamagedFileError`; and as `training.fit`.
    """
    setup = set_up(config)
    plan = config.plan(batches_in(config, setup))
    name = key(NAME, VERSION, config.canonical())
    checkpoints = _checkpoints.of_run(NAME, name, plan.steps)
    before = _table(setup.model)
    fitted = train(config, setup, checkpoints)
    outcome = measured(config, setup, fitted, before)
    if checkpoints is not None:
        checkpoints.clear()
    return outcome


def set_up(config: LanguageConfig) -> Setup:
    """Cut the text into blocks and draw the model's first weights; raises as `run`."""
    text = corpora.load(config.corpus).shortened(config.documents)
    tokens = tokens_of(text, config.tokenizer, config.vocabulary)
    vocabulary = tokens.vocabulary
    settings = config.length, config.objective, vocabulary
    train = Blocks(tokens.train, *settings, "training")
    chosen = (
        Blocks(tokens.validation, *settings, "validation", config.validation_blocks),
        Blocks(tokens.test, *settings, "test", config.test_blocks),
    )
    validation, test = (
        ask(config.objective, blocks.tokens, vocabulary, "hidden", part)
        for blocks, part in zip(chosen, ("validation", "test"), strict=True)
    )
    rows, digests = table_of(
        config.table, config.used, config.length, config.rows, config.width, config.seed
    )
    with seeded(config.seed, "first weights"):
        encoding = Placed(
            config.width,
            config.heads,
            config.length,
            rows=config.used,
            table=rows,
            frozen=config.frozen,
        )
        model = LanguageModel(config.model(vocabulary.size), encoding)
    digests |= {"text": text.sha256, "tokenizer": tokens.digest}
    return Setup(tokens, train, validation, test, model, digests)


def batches_in(config: LanguageConfig, setup: Setup) -> int:
    """Return the number of batches in an epoch."""
    return -(-len(setup.train) // config.batch_size)


def train(config: LanguageConfig, setup: Setup, checkpoints: Checkpoints | None = None) -> Fitted:
    """Train the model in place; the validation loss chooses its weights."""

    def loss(model: nn.Module, batch: TokenBatch) -> Tensor:
        return measure.loss_of(config.objective, setup.model, batch)

    def evaluate(model: nn.Module, step: int) -> dict[str, float]:
        found = measure.loss_on(config.objective, setup.model, setup.validation)
        return {"score": -found, "validation_loss": found}

    return fit(
        setup.model,
        training_batches(
            config.objective, setup.train, setup.tokens.vocabulary, config.batch_size, config.seed
        ),
        loss,
        config.plan(batches_in(config, setup)),
        evaluate=evaluate,
        checkpoints=checkpoints,
    )


def measured(config: LanguageConfig, setup: Setup, fitted: Fitted, before: Tensor) -> Outcome:
    """Test the best weights, and gather what is recorded; `before`: the table's first state."""
    metrics = _facts(config, setup, fitted)
    names = ("step", "training_loss", "validation_loss")
    series: dict[str, list[Any]] = {
        name: [short(value) for value in fitted.series.get(name, [])] for name in names
    }
    if fitted.status == "ok":
        if fitted.best_state is not None:
            setup.model.load_state_dict(fitted.best_state)
        selections = config.selections()
        losses = measure.by_rows(config.objective, setup.model, setup.test, selections)
        series["first"] = [rows.first for rows in selections]
        series["stride"] = [rows.stride for rows in selections]
        series["loss"] = [short(loss) for loss in losses]
        metrics |= {
            "loss": losses[0],
            "perplexity": math.exp(losses[0]),
            "validation_loss": fitted.best_metrics["validation_loss"],
        }
        if not config.frozen:
            used = slice(config.first, config.used.last(config.length) + 1, config.stride)
            metrics["kept"] = correlation(before[used], _table(setup.model)[used])
    return of_training(fitted, metrics, series, setup.digests)


def _table(model: LanguageModel) -> Tensor:
    encoding: Placed = placed_in(model)
    return encoding.table.detach().to("cpu", copy=True)


def _facts(config: LanguageConfig, setup: Setup, fitted: Fitted) -> dict[str, float | None]:
    """Return the metrics that say what was trained on what, and None for all others."""
    weights = [each for each in setup.model.parameters() if each.requires_grad]
    return {
        **dict.fromkeys(("loss", "perplexity", "validation_loss", "kept")),
        "parameters": sum(each.numel() for each in weights),
        "steps_done": fitted.step,
        "steps_per_second": fitted.steps_per_second,
        "best_step": fitted.best_step,
        "passes": fitted.step * config.batch_size / len(setup.train),
        "tokens": setup.tokens.vocabulary.size,
        "bytes_per_token": setup.tokens.bytes_per_token,
        "training_blocks": len(setup.train),
        "scored_blocks": len(setup.test),
        "scored_tokens": setup.test.weight,
    }
