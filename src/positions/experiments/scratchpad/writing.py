"""What a model writes when it is left to itself, and what is right about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from positions.experiments.length_generalization.measure import TestSet
from positions.model import LanguageModel, generate
from positions.tasks import Example, Tokenizer
from positions.tasks.scratchpad import Checked, SteppedTask
from positions.training.sequences import Sequences

TOKENS_AT_ONCE = 2**16
"""Tokens, prompts included, that are written side by side at most."""

NO_CONCLUSION, WRONG_ANSWER = "no conclusion", "answer"
"""What may be wrong where all steps are right."""


@dataclass(frozen=True)
class Written:
    """A text, whether its answer is right, and its steps; None without a scratchpad."""

    example: Example
    text: str
    right: bool
    checked: Checked | None

    @property
    def steps(self) -> int:
        """How many steps there should be."""
        return 0 if self.checked is None else self.checked.expected

    @property
    def first_wrong(self) -> int | None:
        """The number of the first wrong step, counted from 1; None where all are right."""
        return None if self.checked is None else self.checked.first_wrong

    @property
    def fault(self) -> str | None:
        """What goes wrong first: part of a step, or the answer; None where nothing does."""
        if self.checked is not None:
            if self.checked.fault is not None:
                return self.checked.fault
            if self.checked.conclusion is None:
                return NO_CONCLUSION
        return None if self.right else WRONG_ANSWER

    @property
    def message(self) -> str:
        """What goes wrong first, in a sentence."""
        if self.fault == WRONG_ANSWER:
            steps = "" if self.checked is None else "All steps are right, but the answer is not: "
            return f"{steps}it should be {self.example.answer!r}."
        return "Nothing." if self.checked is None else self.checked.message


def write(
    model: LanguageModel, tests: TestSet, task: SteppedTask, tokenizer: Tokenizer, limit: int
) -> list[Written]:
    """Let the model continue each prompt, greedily, and judge what it writes.

    Kazemnejad et al. (2023), section 6 and appendix D: the answer alone is scored. A text ends with
    the end-of-text token or at `limit` tokens, prompt included. Where the right text would be
    longer than that, nothing is written.
    """
    texts = [""] * len(tests.examples)
    places = tests.short.tolist()
    prompts = Sequences(
        (tokenizer.encode(tests.examples[place].source) for place in places), len(tokenizer)
    )
    device = next(model.parameters()).device
    order = torch.argsort(tests.data.lengths, stable=True)  # so that a batch ends together
    for rows in order.split(max(1, TOKENS_AT_ONCE // limit)):
        tokens, mask = prompts.padded(rows, "left", tokenizer.pad_id)
        found = generate(
            model,
            tokens.to(device),
            mask.to(device),
            end=tokenizer.end_id,
            max_length=limit,
        )
        for row, ids in zip(rows.tolist(), found.rows(), strict=True):
            # a model may have more rows of embeddings than there are symbols
            known = [each for each in ids if each < len(tokenizer)]
            texts[places[row]] = tokenizer.decode(known)
    return [judge(task, *pair) for pair in zip(tests.examples, texts, strict=True)]


def judge(task: SteppedTask, example: Example, text: str) -> Written:
    """Say what is right about a text that was written for an example."""
    checked = None if task.form is None else task.check(text, example)
    return Written(example, text, task.score(text, example), checked)


def steps_right(written: Sequence[Written]) -> float | None:
    """Return the mean share of right steps, by the paper's rule; None without a scratchpad."""
    shares = [each.checked.share for each in written if each.checked is not None]
    return sum(shares) / len(shares) if shares else None


def first_wrong(written: Sequence[Written], longest: int) -> tuple[list[int], list[int]]:
    """Return for each step, 1 to `longest`, how many texts reach it, and in how many it is wrong.

    A text reaches a step if all before it are right and there should be such a step.
    """
    reached, wrong = [0] * longest, [0] * longest
    for each in written:
        first = each.first_wrong or each.steps + 1
        for number in range(1, min(first, each.steps) + 1):
            reached[number - 1] += 1
        if first <= each.steps:
            wrong[first - 1] += 1
    return reached, wrong


def faults(written: Sequence[Written]) -> Counter[str]:
    """Count what goes wrong first."""
    return Counter(each.fault for each in written if each.fault is not None)


def failures(written: Sequence[Written], count: int) -> dict[str, list[Any]]:
    """Return a few texts with a wrong answer, one a length, the shortest first."""
    chosen: dict[int, Written] = {}
    for each in written:
        if not each.right:
            chosen.setdefault(each.example.length, each)
    few = [chosen[length] for length in sorted(chosen)[:count]]
    return {
        "failure_length": [each.example.length for each in few],
        "failure_prompt": [each.example.source for each in few],
        "failure_text": [each.text for each in few],
        "failure_reason": [each.message for each in few],
    }
