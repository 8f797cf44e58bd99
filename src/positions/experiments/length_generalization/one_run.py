"""One run: train a decoder on short inputs, count what it solves of short and of long ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from positions.errors import InvalidValueError
from positions.experiments import _checkpoints
from positions.experiments._found import of_training
from positions.experiments.base import Outcome, key
from positions.experiments.length_generalization import measure
from positions.experiments.length_generalization.config import NAME, VERSION, LengthConfig
from positions.experiments.length_generalization.measure import TestSet
from positions.model import LanguageModel
from positions.tasks import Dataset, Example, Sizes, Task, Tokenizer
from positions.training import (
    CausalDataset,
    Checkpoints,
    Fitted,
    ShuffledBatches,
    TokenBatch,
    causal_loss,
    fit,
    seeded,
)


@dataclass(frozen=True)
class Setup:
    """What a config stands for, before training; `sha256` is the digest of all examples."""

    task: Task
    tokenizer: Tokenizer
    train: CausalDataset
    validation: TestSet
    test: TestSet
    model: LanguageModel
    sha256: str


def run(config: LengthConfig) -> Outcome:
    """Train one decoder and return how much it solves, within its training lengths and beyond.

    Kazemnejad et al. (2023), sections 3 and 4. Metrics: exact match within the training lengths
    (`iid`, on the half of the validation set that also chose the weights, as in the paper) and
    beyond them (`ood`), for the best weights (the earliest with the highest exact match on that
    half) and for the last. All are None where the training diverged. Every metric but
    `steps_per_second` is the same in each run of the same config on the same device.

    Series: `length` with `count`, `accuracy_best` and `accuracy_last`, validation lengths first;
    `category` likewise where examples are told apart more finely (addition, LEGO); and for each
    evaluation `step`, `training_loss`, `learning_rate` and `validation_accuracy`.

    A run that is interrupted goes on from its checkpoint when it is started again. Raises
    `InvalidValueError` for sizes that cannot be had, and as `training.fit`.
    """
    checkpoints = _checkpoints.of_run(NAME, key(NAME, VERSION, config.canonical()), config.steps)
    setup = set_up(config)
    outcome = _outcome(setup, train(config, setup, checkpoints))
    if checkpoints is not None:
        checkpoints.clear()
    return outcome


def set_up(config: LengthConfig) -> Setup:
    """Draw the examples and the model's first weights; raises `InvalidValueError`."""
    task = config.build_task()
    sets = task.dataset(sizes=Sizes(config.train, config.test), distinct=config.distinct)
    tokenizer = task.tokenizer(config.paper_lengths)
    short = measure.as_tokens(sets.train, tokenizer)
    validation, test = (
        measure.test_set(examples, tokenizer, config.token_limit)
        for examples in (_validation(sets, config), sets.test)
    )
    longest = max(int(each.lengths.max()) for each in (short, validation.data, test.data))
    with seeded(config.seed, "first weights"):
        model = LanguageModel(config.model(len(tokenizer), longest), config.spec())
    return Setup(task, tokenizer, short, validation, test, model, sets.sha256)


def train(config: LengthConfig, setup: Setup, checkpoints: Checkpoints | None = None) -> Fitted:
    """Train the model in place, evaluated by exact match on the half of the validation set."""
    minimised = causal_loss()

    def loss(model: nn.Module, batch: TokenBatch) -> Tensor:
        return minimised(setup.model, batch)

    def evaluate(model: nn.Module, step: int) -> dict[str, float]:
        return {"score": measure.share(measure.solved(setup.model, setup.validation))}

    return fit(
        setup.model,
        ShuffledBatches(setup.train, config.batch_size, config.seed, pool=config.pool),
        loss,
        config.plan(),
        evaluate=evaluate,
        checkpoints=checkpoints,
    )


def facts(setup: Setup, fitted: Fitted) -> dict[str, float | None]:
    """Return the metrics that say how the training went."""
    weights = [each for each in setup.model.parameters() if each.requires_grad]
    return {
        "chance": setup.task.chance,
        "parameters": sum(each.numel() for each in weights),
        "steps_done": fitted.step,
        "steps_per_second": fitted.steps_per_second,
        "best_step": fitted.best_step,
    }


def solved(setup: Setup, fitted: Fitted) -> tuple[list[Tensor], list[Tensor]]:
    """Return which examples the best weights solve and which the last, within and beyond.

    The model keeps the best weights.
    """
    model, tests = setup.model, (setup.validation, setup.test)
    last = [measure.solved(model, each) for each in tests]
    if fitted.best_state is None or fitted.best_step == fitted.step:
        return last, last
    model.load_state_dict(fitted.best_state)
    return [measure.solved(model, each) for each in tests], last


def _validation(sets: Dataset, config: LengthConfig) -> list[Example]:
    half = sets.validation_half(config.seed)
    if not half:
        raise InvalidValueError(
            f"train = {config.train} leaves {len(sets.validation)} examples for validation, of "
            "which half is to be kept for choosing the weights. Choose a larger train."
        )
    return half


def _outcome(setup: Setup, fitted: Fitted) -> Outcome:
    """Test the last weights and the best ones, and gather what is recorded."""
    tests = (setup.validation, setup.test)
    metrics: dict[str, float | None] = {
        **facts(setup, fitted),
        **dict.fromkeys(("iid_best", "ood_best", "iid_last", "ood_last")),
    }
    series: dict[str, list[Any]] = {
        name: fitted.series.get(name, []) for name in ("step", "training_loss", "learning_rate")
    }
    series["validation_accuracy"] = fitted.series.get("score", [])
    if fitted.status == "ok":
        best, last = solved(setup, fitted)
        for name, (within, beyond) in (("best", best), ("last", last)):
            metrics[f"iid_{name}"] = measure.share(within)
            metrics[f"ood_{name}"] = measure.share(beyond)
        examples = [example for each in tests for example in each.examples]
        series |= _by_label(examples, torch.cat(best), torch.cat(last))
    return of_training(fitted, metrics, series, {"examples": setup.sha256})


def _by_label(examples: list[Example], best: Tensor, last: Tensor) -> dict[str, list[Any]]:
    """Return counts and accuracies by length, and by category where that says more."""
    lengths = [example.length for example in examples]
    names, counts, accuracy = measure.shares(lengths, best)
    found: dict[str, list[Any]] = {
        "length": names,
        "count": counts,
        "accuracy_best": accuracy,
        "accuracy_last": measure.shares(lengths, last)[2],
    }
    categories = [example.category for example in examples]
    if len(set(categories)) > len(names):
        labels, counts, accuracy = measure.shares(categories, best)
        found |= {
            "category": labels,
            "category_count": counts,
            "category_accuracy_best": accuracy,
            "category_accuracy_last": measure.shares(categories, last)[2],
        }
    return found
