"""One run: train a language model on short windows, then let it read longer and longer ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from positions.experiments import _checkpoints
from positions.experiments._found import of_training, short
from positions.experiments.base import Outcome, key
from positions.experiments.context import measure
from positions.experiments.context.config import NAME, VERSION, ContextConfig
from positions.experiments.context.text import Stretches, Tokens, Windows, stretches, tokenised
from positions.model import LanguageModel
from positions.tasks import corpora
from positions.tasks.corpora import Corpus
from positions.training import (
    Checkpoints,
    Fitted,
    ShuffledBatches,
    TokenBatch,
    causal_loss,
    fit,
    seeded,
)

WATCHED = 64
"""Windows of validation text that are looked at while it trains."""


@dataclass(frozen=True)
class Setup:
    """What a config stands for, before training."""

    text: Corpus
    tokens: Tokens
    train: Windows
    validation: Windows
    test: Stretches
    model: LanguageModel


def run(config: ContextConfig) -> Outcome:
    """Train one language model and return its perplexity within its context and beyond.

    Kazemnejad et al. (2023), appendix F; `<bos>` stands before every text. The last weights are
    measured. Metrics: `loss` (nats a token) and `perplexity` are those at the training context;
    `scored_tokens` in `long_documents`, of `test_documents`, are what they rest on. All
    that is measured is None where the training diverged. Every metric but `steps_per_second` is
    the same in each run of the same config on the same device, with the same text.

    Series: `context` with `loss`, `perplexity`, `standard_error` (of the loss, over documents) and
    `count` (tokens); and for each evaluation `step`, `training_loss`, `learning_rate` and
    `validation_loss`.

    A run that is interrupted goes on from its checkpoint when it is started again. Raises
    `NotAtHandError` and `DamagedFileError` for the corpus, `InvalidValueError` where its documents
    are too short, and as `training.fit`.
    """
    checkpoints = _checkpoints.of_run(NAME, key(NAME, VERSION, config.canonical()), config.steps)
    setup = set_up(config)
    outcome = measured(config, setup, train(config, setup, checkpoints))
    if checkpoints is not None:
        checkpoints.clear()
    return outcome


def set_up(config: ContextConfig) -> Setup:
    """Read and cut the text, and draw the model's first weights; raises as `run`."""
    text = corpora.load(config.corpus).shortened(config.documents)
    tokens = tokenised(text, config.vocabulary)
    begin = tokens.tokenizer.begin_id
    with seeded(config.seed, "first weights"):
        model = LanguageModel(config.model(len(tokens.tokenizer)), config.spec())
    return Setup(
        text,
        tokens,
        train=Windows(tokens.train, config.context, begin),
        validation=Windows(tokens.validation, config.context, begin, most=WATCHED),
        test=stretches(tokens.test, config.contexts[-1], config.stretches, text.name),
        model=model,
    )


def train(config: ContextConfig, setup: Setup, checkpoints: Checkpoints | None = None) -> Fitted:
    """Train the model in place; the validation loss is watched and chooses nothing."""
    minimised = causal_loss()

    def loss(model: nn.Module, batch: TokenBatch) -> Tensor:
        return minimised(setup.model, batch)

    def evaluate(model: nn.Module, step: int) -> dict[str, float]:
        found = measure.loss_on(setup.model, setup.validation, config.batch_size)
        return {"score": -found, "validation_loss": found}

    return fit(
        setup.model,
        ShuffledBatches(setup.train, config.batch_size, config.seed),
        loss,
        config.plan(),
        evaluate=evaluate,
        checkpoints=checkpoints,
    )


def measured(config: ContextConfig, setup: Setup, fitted: Fitted) -> Outcome:
    """Measure the model as it is, and gather what is recorded."""
    metrics = _facts(config, setup, fitted)
    names = ("step", "training_loss", "learning_rate", "validation_loss")
    series: dict[str, list[Any]] = {name: fitted.series.get(name, []) for name in names}
    if fitted.status == "ok":
        found = _curve(config, setup)
        at = config.contexts.index(config.context)
        metrics |= {name: found[name][at] for name in ("loss", "perplexity")}
        series |= found
    return of_training(
        fitted,
        metrics,
        series,
        {"text": setup.text.sha256, "tokenizer": setup.tokens.tokenizer.sha256},
    )


def _facts(config: ContextConfig, setup: Setup, fitted: Fitted) -> dict[str, float | None]:
    """Return the metrics that say what was trained on what."""
    weights = [each for each in setup.model.parameters() if each.requires_grad]
    return {
        "loss": None,
        "perplexity": None,
        "parameters": sum(each.numel() for each in weights),
        "steps_done": fitted.step,
        "steps_per_second": fitted.steps_per_second,
        "epochs": fitted.step * config.batch_size / len(setup.train),
        "tokens": len(setup.tokens.tokenizer),
        "bytes_per_token": setup.tokens.bytes_per_token,
        "train_documents": len(setup.text.train),
        "train_tokens": sum(map(len, setup.tokens.train)),
        "test_documents": setup.test.documents,
        "long_documents": len(setup.test.document.unique()),
        "scored_tokens": config.scored * len(setup.test.tokens),
    }


def _curve(config: ContextConfig, setup: Setup) -> dict[str, list[Any]]:
    """Return the loss by context, with its error and perplexity."""
    each = measure.losses(
        setup.model,
        setup.test.tokens,
        config.contexts,
        config.scored,
        setup.tokens.tokenizer.begin_id,
    )
    mean, error = measure.over_documents(each, setup.test)
    return {
        "context": list(config.contexts),
        "loss": [short(value) for value in mean.tolist()],
        "perplexity": [short(value) for value in mean.exp().tolist()],
        "standard_error": [short(value) for value in error.tolist()],
        "count": [config.scored * len(each)] * len(config.contexts),
    }
