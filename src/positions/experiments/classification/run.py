"""One run: train a classifier from a position table, and see what it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from positions.errors import InvalidValueError
from positions.experiments import _checkpoints
from positions.experiments._found import of_training, short
from positions.experiments.base import Outcome, key
from positions.experiments.classification import measure
from positions.experiments.classification.bits import pack
from positions.experiments.classification.config import NAME, VERSION, ClassificationConfig
from positions.experiments.classification.start import check_reach, rows_of
from positions.model import Classifier
from positions.tasks import sentences
from positions.tasks.sentences import Split, Text, Vocabulary
from positions.training import (
    Checkpoints,
    Fitted,
    LabelledBatch,
    LabelledDataset,
    ShuffledBatches,
    TrainingPlan,
    fit,
    label_loss,
    seeded,
)

DIGITS = 5


@dataclass(frozen=True)
class Setup:
    """What a config stands for, before training.

    `watched`: the texts set aside that are looked at in training, those that choose the weights
    first, `choosing` of them. Where the set has no test part of its own these are all that were
    set aside, as in the paper. `test`: the texts that are scored, the shortest first.
    """

    split: Split
    vocabulary: Vocabulary
    train: LabelledDataset
    watched: LabelledDataset
    choosing: int
    texts: Sequence[Text]
    test: LabelledDataset
    model: Classifier
    digests: dict[str, str]


def run(config: ClassificationConfig) -> Outcome:
    """Train one classifier and return what share of the texts it classifies rightly.

    Wang & Chen (2020), section 5.1. Metrics, of the best weights (the earliest that are best on
    the texts that choose) where not said otherwise:

    - `accuracy`: on the test texts, which had no say in anything. `last`: the same, last weights.
    - `reported`: what the paper reports. Where the set has a test part, `accuracy`; where it has
      none, the best share at any evaluation of all texts set aside.
    - `majority`: on the test texts, by the most frequent class of training.
    - `unstable`: the share of test texts whose answer changes when they are dealt out to other
      batches (None for read-outs that do not depend on the batch).
    - `shuffled`: on the test texts with their words in random order. `shifted`: with positions
      moved on by `shift`, and `unshifted`: without, both on the texts that the table can so hold.
    - `kept`: correlation of the position table before and after training, on the rows that half
      of the training texts reach; `changed`: how far it moved, over its own size. None for a table
      that is frozen or, being zero, has neither.

    All but `majority` and sizes are None where the training diverged. Series: the test texts in the
    order of their length, `length` with `count`, and which of them are right, `right`, as one text
    (see `bits`); and for each evaluation `step`, `training_loss`, `chosen_by` (share of the texts
    that choose) and `watched` (of all that are looked at).

    A run that is interrupted goes on from its checkpoint when it is started again. Raises
    `InvalidValueError` for a text longer than the table, a table that does not fit and too few
    texts; `NotAtHandError`; and as `training.fit`.
    """
    setup = set_up(config)
    batches = _batches(config, setup)
    plan = config.plan(len(batches))
    name = key(NAME, VERSION, config.canonical())
    checkpoints = _checkpoints.of_run(NAME, name, plan.steps)
    start = measure.table_of(setup.model)
    fitted = train(config, setup, batches, plan, checkpoints)
    outcome = _outcome(config, setup, fitted, start)
    if checkpoints is not None:
        checkpoints.clear()
    return outcome


def set_up(config: ClassificationConfig) -> Setup:
    """Deal out the texts and draw the model's first weights; raises as `run`."""
    corpus = sentences.load(config.task)
    split = _limited(sentences.split(corpus, config.seed), config)
    texts = sorted(split.test, key=lambda text: len(text.words))
    check_reach(max(len(text.words) for text in corpus.texts), config.rows, config.task)
    vocabulary = Vocabulary(text.words for text in split.train)
    watched = split.choose if split.given else (*split.choose, *split.test)
    train, looked_at, test = (
        measure.as_dataset(part, vocabulary, corpus.classes)
        for part in (split.train, watched, texts)
    )
    rows, digests = rows_of(
        config.table, config.preparation, config.rows, config.width, config.seed
    )
    with seeded(config.seed, "first weights"):
        model = Classifier(
            config.model(len(vocabulary)),
            ("learned", {"table": rows, "frozen": config.frozen}),
            corpus.classes,
            config.readout,
        )
    return Setup(
        split,
        vocabulary,
        train,
        looked_at,
        len(split.choose),
        texts,
        test,
        model,
        corpus.digests | digests,
    )


def train(
    config: ClassificationConfig,
    setup: Setup,
    batches: ShuffledBatches[LabelledBatch] | None = None,
    plan: TrainingPlan | None = None,
    checkpoints: Checkpoints | None = None,
) -> Fitted:
    """Train the model in place, evaluated on the texts set aside."""
    batches = batches or _batches(config, setup)
    minimised = label_loss()

    def loss(model: nn.Module, batch: LabelledBatch) -> Tensor:
        return minimised(setup.model, batch)

    def evaluate(model: nn.Module, step: int) -> dict[str, float]:
        found = measure.right(
            setup.model, setup.watched, config.batch_size, config.seed, "watched", step
        )
        return {
            "score": measure.share(found[: setup.choosing]),
            "watched": measure.share(found),
        }

    return fit(
        setup.model,
        batches,
        loss,
        plan or config.plan(len(batches)),
        evaluate=evaluate,
        checkpoints=checkpoints,
    )


def _batches(config: ClassificationConfig, setup: Setup) -> ShuffledBatches[LabelledBatch]:
    return ShuffledBatches(setup.train, config.batch_size, config.seed)


def _limited(split: Split, config: ClassificationConfig) -> Split:
    """Keep so many texts of each part as the config says."""
    count = config.limit
    train, choose, test = (part[:count] for part in (split.train, split.choose, split.test))
    if not (train and choose and test):
        raise InvalidValueError(
            f"The set {config.task} has too few texts: {len(train)} to train on, {len(choose)} to "
            f"choose the weights, {len(test)} to score."
        )
    return Split(train, choose, test, split.given)


def _outcome(config: ClassificationConfig, setup: Setup, fitted: Fitted, start: Tensor) -> Outcome:
    """Score the last weights and the best ones, and gather what is recorded."""
    metrics = _facts(setup, fitted)
    series: dict[str, list[Any]] = {
        name: [short(value, DIGITS) for value in fitted.series.get(source, [])]
        for name, source in (
            ("step", "step"),
            ("training_loss", "training_loss"),
            ("chosen_by", "score"),
            ("watched", "watched"),
        )
    }
    if fitted.status == "ok":
        found, more = _scores(config, setup, fitted, start)
        metrics |= more
        lengths = Counter(len(text.words) for text in setup.texts)
        series |= {"length": list(lengths), "count": list(lengths.values())}
        series |= {"right": [pack(found.tolist())]}
    return of_training(fitted, metrics, series, setup.digests)


_SCORES = (
    *("accuracy", "last", "reported", "unstable"),
    *("shuffled", "shifted", "unshifted", "kept", "changed"),
)


def _facts(setup: Setup, fitted: Fitted) -> dict[str, float | None]:
    """Return the metrics that do not need the trained model, and None for all others."""
    most, _ = Counter(text.label for text in setup.split.train).most_common(1)[0]
    weights = [each for each in setup.model.parameters() if each.requires_grad]
    return {
        **dict.fromkeys(_SCORES),
        "majority": measure.share(setup.test.labels == most),
        "vocabulary": len(setup.vocabulary),
        "parameters": sum(each.numel() for each in weights),
        "training_texts": len(setup.train),
        "test_texts": len(setup.test),
        "steps_done": fitted.step,
        "steps_per_second": fitted.steps_per_second,
        "best_step": fitted.best_step,
    }


def _scores(
    config: ClassificationConfig, setup: Setup, fitted: Fitted, start: Tensor
) -> tuple[Tensor, dict[str, float | None]]:
    """Say which test texts the best weights get right, and return the metrics."""
    model, size, seed = setup.model, config.batch_size, config.seed

    def share(data: LabelledDataset) -> float:
        return measure.share(measure.right(model, data, size, seed, "test"))

    last = share(setup.test)
    if fitted.best_state is not None:
        model.load_state_dict(fitted.best_state)
    given = measure.answers(model, setup.test, size, seed, "test")
    found = given == setup.test.labels
    accuracy = measure.share(found)
    looks = [value for value in fitted.series["watched"] if value is not None]
    metrics: dict[str, float | None] = {
        "accuracy": accuracy,
        "last": last,
        "reported": accuracy if setup.split.given else max(looks),
        "shuffled": share(_again(config, setup, measure.shuffled(setup.texts, seed))),
    }
    if config.readout == "last_padded":
        again = measure.answers(model, setup.test, size, seed, "test, dealt out again")
        metrics["unstable"] = measure.share(again != given)
    short = [text for text in setup.texts if len(text.words) <= config.rows - config.shift]
    if short:
        data = _again(config, setup, short)
        metrics["unshifted"] = share(data)
        with measure.moved_on(model, config.shift):
            metrics["shifted"] = share(data)
    if not config.frozen:
        reached = int(setup.train.lengths.median())
        before, after = start[:reached], measure.table_of(model)[:reached]
        metrics["kept"] = measure.correlation(before, after)
        size_before = before.norm().item()
        if size_before > 0:
            metrics["changed"] = (after - before).norm().item() / size_before
    return found, metrics


def _again(config: ClassificationConfig, setup: Setup, texts: Sequence[Text]) -> LabelledDataset:
    return measure.as_dataset(texts, setup.vocabulary, setup.model.classes)
