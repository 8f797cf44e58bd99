"""One run: train a translator with two position tables, translate the test and score it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor, nn

from positions.analysis.bleu import TOKENISED, WRITTEN, Counts, bleu, counts, signature
from positions.encodings.learned import Learned
from positions.experiments import _checkpoints
from positions.experiments._found import of_training, short
from positions.experiments.base import Outcome, key
from positions.experiments.classification.measure import correlation
from positions.experiments.translation import measure
from positions.experiments.translation.config import NAME, VERSION, TranslationConfig
from positions.experiments.translation.start import SIDES, Side, table_of
from positions.experiments.translation.text import (
    Dictionaries,
    check_lengths,
    detokenised,
    dictionaries,
)
from positions.model import Translator
from positions.tasks import translations
from positions.tasks.translations import ParallelCorpus
from positions.training import (
    Checkpoints,
    Fitted,
    PairBatch,
    PairDataset,
    TokenBudgetBatches,
    fit,
    seeded,
    translation_loss,
)

COLUMNS = ("match_1", "match_2", "match_3", "match_4", "length", "reference_length")
SCORES = ("bleu", "bleu_written", "validation_loss", "length_ratio", "kept_encoder", "kept_decoder")


@dataclass(frozen=True)
class Setup:
    """What a config stands for, before training."""

    corpus: ParallelCorpus
    words: Dictionaries
    train: PairDataset
    validation: PairDataset
    test: PairDataset
    batches: TokenBudgetBatches[PairBatch]
    model: Translator
    digests: dict[str, str]


def run(config: TranslationConfig) -> Outcome:
    """Train one translator and return what it writes of the test.

    Wang & Chen (2020), section 5.3. The weights with the lowest validation loss (plain
    cross-entropy for every run, the earliest that are best) translate the test once. Metrics:

    - `bleu`: of lower-cased tokens, as in the paper; `bleu_written`: of the text put together
      again beside the references as written, letter case left out.
    - `validation_loss`: of the weights chosen, at `best_step`.
    - `length_ratio`: tokens written over tokens of the references.
    - `kept_encoder`, `kept_decoder`: the correlation of a table before and after training; None for
      one that is frozen or zero.

    These are None where the training diverged. Series, one value a test sentence: `COLUMNS`, the
    counts of `analysis.bleu`, and `source_length` in words; `example_source`, `_written` and
    `_reference`, some translations from short sources to long; `signature` and
    `signature_written`, sacrebleu's; and by evaluation `step`, `training_loss`, `validation_loss`.

    A run that is interrupted goes on from its checkpoint when it is started again. Raises
    `InvalidValueError` for sentences longer than the tables and a table that does not fit;
    `NotAtHandError`, `DamagedFileError`; and as `training.fit`.
    """
    setup = set_up(config)
    plan = config.plan(len(setup.batches))
    name = key(NAME, VERSION, config.canonical())
    checkpoints = _checkpoints.of_run(NAME, name, plan.steps)
    before = {side: _table(setup.model, side) for side in SIDES}
    fitted = train(config, setup, checkpoints)
    outcome = measured(config, setup, fitted, before)
    if checkpoints is not None:
        checkpoints.clear()
    return outcome


def set_up(config: TranslationConfig) -> Setup:
    """Cut the text into byte pairs and draw the model's first weights; raises as `run`."""
    corpus = translations.load(config.corpus).shortened(
        config.pairs, config.validation_pairs, config.test_pairs
    )
    words = dictionaries(corpus, config.vocabulary)
    parts = {part: words.dataset(getattr(corpus, part)) for part in ("train", "validation", "test")}
    for part, data in parts.items():
        check_lengths(data, config.rows, part)
    encodings, digests = {}, {"text": corpus.sha256}
    for side in SIDES:
        rows, origin = table_of(
            config.table(side), config.preparation, side, config.rows, config.width, config.seed
        )
        encodings[side] = Learned(
            config.width, config.heads, config.rows, table=rows, frozen=config.frozen
        )
        digests |= origin
    with seeded(config.seed, "first weights"):
        model = Translator(
            config.model(len(words.source), len(words.target)),
            encodings["encoder"],
            encodings["decoder"],
        )
    digests |= {
        "byte pairs, source": words.source.sha256,
        "byte pairs, target": words.target.sha256,
    }
    batches = TokenBudgetBatches(parts["train"], config.batch_tokens, config.seed)
    return Setup(corpus, words, **parts, batches=batches, model=model, digests=digests)


def train(
    config: TranslationConfig, setup: Setup, checkpoints: Checkpoints | None = None
) -> Fitted:
    """Train the model in place; the validation loss chooses its weights."""
    minimised = translation_loss(config.smoothing)

    def loss(model: nn.Module, batch: PairBatch) -> Tensor:
        return minimised(setup.model, batch)

    def evaluate(model: nn.Module, step: int) -> dict[str, float]:
        found = measure.loss_on(setup.model, setup.validation)
        return {"score": -found, "validation_loss": found}

    return fit(
        setup.model,
        setup.batches,
        loss,
        config.plan(len(setup.batches)),
        evaluate=evaluate,
        checkpoints=checkpoints,
    )


def measured(
    config: TranslationConfig, setup: Setup, fitted: Fitted, before: dict[Side, Tensor]
) -> Outcome:
    """Translate with the best weights and gather what is recorded; `before`: the first tables."""
    metrics = dict.fromkeys(SCORES) | _facts(config, setup, fitted)
    names = ("step", "training_loss", "validation_loss")
    series: dict[str, list[Any]] = {
        name: [short(value) for value in fitted.series.get(name, [])] for name in names
    }
    if fitted.status == "ok":
        if fitted.best_state is not None:
            setup.model.load_state_dict(fitted.best_state)
        texts = translated(config, setup)
        found = counts(texts, [target for _, target in setup.corpus.test], TOKENISED)
        metrics |= _scores(setup, texts, found)
        metrics["validation_loss"] = fitted.best_metrics["validation_loss"]
        if not config.frozen:
            for side in SIDES:
                after = _table(setup.model, side)
                metrics[f"kept_{side}"] = correlation(before[side], after)
        series |= _by_sentence(setup, found) | _examples(setup, texts, config.examples)
        series |= {
            "signature": [signature(TOKENISED)],
            "signature_written": [signature(WRITTEN)],
        }
    return of_training(fitted, metrics, series, setup.digests)


def translated(config: TranslationConfig, setup: Setup) -> list[str]:
    """Return what the model writes for each source of the test, in tokens."""
    return measure.written(
        setup.model,
        setup.words,
        setup.test,
        config.rows,
        config.beams,
        config.length_penalty,
        config.decode_at_once,
    )


def _scores(setup: Setup, texts: Sequence[str], found: Counts) -> dict[str, float]:
    joined = counts([detokenised(text) for text in texts], setup.corpus.written, WRITTEN)
    tokens, of_reference = found.sum(axis=0)[-2:]
    return {
        "bleu": bleu(found),
        "bleu_written": bleu(joined),
        "length_ratio": float(tokens / of_reference),
    }


def _by_sentence(setup: Setup, found: Counts) -> dict[str, list[Any]]:
    lengths = [len(source.split()) for source, _ in setup.corpus.test]
    return {name: found[:, i].tolist() for i, name in enumerate(COLUMNS)} | {
        "source_length": lengths
    }


def _examples(setup: Setup, texts: Sequence[str], count: int) -> dict[str, list[Any]]:
    """Keep translations of the same sentences for every run, evenly spread over length."""
    pairs = setup.corpus.test
    order = sorted(range(len(pairs)), key=lambda number: len(pairs[number][0].split()))
    places = np.linspace(0, len(order) - 1, min(count, len(order))).round().astype(int)
    chosen = [order[place] for place in places]
    return {
        "example_source": [pairs[number][0] for number in chosen],
        "example_written": [texts[number] for number in chosen],
        "example_reference": [pairs[number][1] for number in chosen],
    }


def _table(model: Translator, side: Side) -> Tensor:
    """Return the table of a side as it is now, (rows, width), on the CPU."""
    (encoding,) = getattr(model, side).placement.distinct()
    assert isinstance(encoding, Learned)
    return encoding.table.detach().to("cpu", copy=True)


def _facts(config: TranslationConfig, setup: Setup, fitted: Fitted) -> dict[str, float | None]:
    """Return the metrics that say what was trained on what."""
    weights = [each for each in setup.model.parameters() if each.requires_grad]
    return {
        "parameters": sum(each.numel() for each in weights),
        "steps_done": fitted.step,
        "steps_per_second": fitted.steps_per_second,
        "best_step": fitted.best_step,
        "epochs_done": fitted.step / len(setup.batches),
        "source_tokens": len(setup.words.source),
        "target_tokens": len(setup.words.target),
        "train_pairs": len(setup.train),
        "test_pairs": len(setup.test),
    }
