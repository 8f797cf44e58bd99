"""One run: train a decoder to write steps and answers, read what it writes for longer inputs."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from positions.experiments import _checkpoints
from positions.experiments._found import of_training
from positions.experiments.base import Outcome, key
from positions.experiments.length_generalization import measure, one_run
from positions.experiments.length_generalization.one_run import Setup
from positions.experiments.scratchpad import writing
from positions.experiments.scratchpad.config import NAME, VERSION, ScratchpadConfig
from positions.experiments.scratchpad.writing import Written
from positions.training import Fitted

FAILURES = 3
"""Texts with a wrong answer that a record keeps."""


def run(config: ScratchpadConfig) -> Outcome:
    """Train one decoder and return how many answers it finds, within its lengths and beyond.

    Kazemnejad et al. (2023), section 6. Metrics, within the training lengths (`iid`, on the half of
    the validation set that also chose the weights, as in the paper) and beyond (`ood`):

    - `iid_best`, `ood_best`: the share of right answers where the model writes freely, greedily,
      with the best weights: the paper's score. Wrong steps before a right answer cost nothing.
    - `iid_exact_best`, `ood_exact_best`, `..._last`: the share of texts that would be the expected
      ones word for word, steps included; by one forward pass over the expected text. It is never
      above the score, and chooses the best weights: the earliest with the highest `iid_exact`.
    - `iid_steps`, `ood_steps`: the mean share of right steps of a text, 0 where there are not as
      many as there should be or one cannot be read (best weights). None without a scratchpad.

    All are None where the training diverged. Series: `length` with `count`, `accuracy_best`,
    `exact_best`, `exact_last`, `steps_right`, validation lengths first; `category` likewise where
    examples are told apart more finely; `step_number` with how many texts reach a step, all before
    it right, and are wrong there (`reached_iid`, `wrong_iid`, `reached_ood`, `wrong_ood`); `fault`,
    what goes wrong first, with counts (`fault_iid`, `fault_ood`); a few wrong texts beyond the
    training lengths (`failure_length`, `..._prompt`, `..._text`, `..._reason`); and for each
    evaluation `step`, `training_loss`, `learning_rate` and `validation_exact`.

    A run that is interrupted goes on from its checkpoint when it is started again. Raises
    `InvalidValueError` for sizes that cannot be had, and as `training.fit`.
    """
    checkpoints = _checkpoints.of_run(NAME, key(NAME, VERSION, config.canonical()), config.steps)
    setup = one_run.set_up(config)
    outcome = _outcome(config, setup, one_run.train(config, setup, checkpoints))
    if checkpoints is not None:
        checkpoints.clear()
    return outcome


def _outcome(config: ScratchpadConfig, setup: Setup, fitted: Fitted) -> Outcome:
    """Test the last weights and the best ones, and gather what is recorded."""
    model, tests = setup.model, (setup.validation, setup.test)
    metrics: dict[str, float | None] = {
        **one_run.facts(setup, fitted),
        **dict.fromkeys(
            f"{part}_{name}"
            for name in ("best", "exact_best", "exact_last", "steps")
            for part in ("iid", "ood")
        ),
    }
    series: dict[str, list[Any]] = {
        name: fitted.series.get(name, []) for name in ("step", "training_loss", "learning_rate")
    }
    series["validation_exact"] = fitted.series.get("score", [])
    if fitted.status == "ok":
        best, last = one_run.solved(setup, fitted)
        task, limit = config.build_task(), config.token_limit
        written = [writing.write(model, each, task, setup.tokenizer, limit) for each in tests]
        for part, texts, exact, exact_last in zip(("iid", "ood"), written, best, last, strict=True):
            metrics[f"{part}_best"] = measure.share(_right(texts))
            metrics[f"{part}_exact_best"] = measure.share(exact)
            metrics[f"{part}_exact_last"] = measure.share(exact_last)
            metrics[f"{part}_steps"] = writing.steps_right(texts)
        series |= _by_label([*written[0], *written[1]], torch.cat(best), torch.cat(last))
        series |= _by_step(*written)
        series |= writing.failures(written[1], FAILURES)
    return of_training(fitted, metrics, series, {"examples": setup.sha256})


def _by_label(written: list[Written], best: Tensor, last: Tensor) -> dict[str, list[Any]]:
    """Return counts and shares by length, and by category where that says more."""
    lengths = [each.example.length for each in written]
    names, counts, accuracy = measure.shares(lengths, _right(written))
    found: dict[str, list[Any]] = {
        "length": names,
        "count": counts,
        "accuracy_best": accuracy,
        "exact_best": measure.shares(lengths, best)[2],
        "exact_last": measure.shares(lengths, last)[2],
        "steps_right": [
            writing.steps_right([each for each in written if each.example.length == length])
            for length in names
        ],
    }
    categories = [each.example.category for each in written]
    if len(set(categories)) > len(names):
        labels, label_counts, accuracy = measure.shares(categories, _right(written))
        found |= {
            "category": labels,
            "category_count": label_counts,
            "category_accuracy_best": accuracy,
            "category_exact_best": measure.shares(categories, best)[2],
        }
    return found


def _by_step(within: list[Written], beyond: list[Written]) -> dict[str, list[Any]]:
    """Return where texts go wrong first, and how."""
    longest = max(each.steps for each in (*within, *beyond))
    found: dict[str, list[Any]] = {"step_number": list(range(1, longest + 1))}
    counts = {"iid": writing.faults(within), "ood": writing.faults(beyond)}
    found["fault"] = sorted(counts["iid"] | counts["ood"])
    for part, written in (("iid", within), ("ood", beyond)):
        found[f"reached_{part}"], found[f"wrong_{part}"] = writing.first_wrong(written, longest)
        found[f"fault_{part}"] = [counts[part][name] for name in found["fault"]]
    return found


def _right(written: list[Written]) -> Tensor:
    return torch.tensor([each.right for each in written])
