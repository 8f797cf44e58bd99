"""One run: probe each layer of a model as it is drawn, train it, and probe it again."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from positions.analysis.probes import hidden
from positions.experiments import _checkpoints
from positions.experiments._found import of_training, short
from positions.experiments.base import Outcome, key
from positions.experiments.context import ContextConfig
from positions.experiments.context.run import Setup, set_up, train
from positions.model import LanguageModel, Trace
from positions.training import Checkpoints, Fitted

NAME = "hidden_states"
VERSION = 1
AT_ONCE = 32
"""Texts in one forward pass."""
Found: TypeAlias = dict[str, list[hidden.HiddenReading]]
"""The reading of each layer, by state: "untrained" and "trained"."""


def run(config: ContextConfig) -> Outcome:
    """Train one language model and say how well position is read from its layers, before and after.

    The texts are test stretches of the corpus, `<bos>` before each and left out of the probe. The
    probe learns on one half of texts and words and is tested on the other (`probes.hidden`); the
    seed draws both halves.

    Metrics: `guess`, the error of knowing nothing; `trained` and `untrained`, the errors of the
    layer that is read best; `validation_loss` in nats a token; what was read. Series: `layer` (0:
    the embedded tokens) with `error` and `rank` (Spearman) of both, and `position` with
    `predicted` and `spread` of both in their best layers. What was trained is None where the
    training diverged. A run that is interrupted goes on from its checkpoint. Raises as `context`.
    """
    checkpoints = _checkpoints.of_run(NAME, key(NAME, VERSION, config.canonical()), config.steps)
    setup = set_up(config)
    found, parts, fitted = before_and_after(config, setup, checkpoints)
    if checkpoints is not None:
        checkpoints.clear()
    losses = fitted.series.get("validation_loss", [])
    return of_training(
        fitted,
        metrics={
            "guess": short(found["untrained"][0].guess),
            "untrained": None,
            "trained": None,
            **{when: short(best(layers).error) for when, layers in found.items()},
            "validation_loss": losses[-1] if losses else None,
            "parameters": sum(each.numel() for each in setup.model.parameters()),
            "steps_done": fitted.step,
            "texts": len(parts.train),
            "train_places": int(parts.train.sum()),
            "test_places": int(parts.test.sum()),
        },
        series=_series(found),
        data={"text": setup.text.sha256, "tokenizer": setup.tokens.tokenizer.sha256},
    )


def before_and_after(
    config: ContextConfig, setup: Setup, checkpoints: Checkpoints | None = None
) -> tuple[Found, hidden.Split, Fitted]:
    """Probe the model, train it in place and probe it again, unless it diverged.

    Returns the readings by state and layer, what the probe learned and was tested on, and the
    training.
    """
    texts = stretches(setup)
    parts = hidden.split(texts[:, 1:].numpy(), config.seed)
    found = {"untrained": readings(setup.model, texts, parts)}
    fitted = train(config, setup, checkpoints)
    if fitted.status == "ok":
        found["trained"] = readings(setup.model, texts, parts)
    return found, parts, fitted


def stretches(setup: Setup) -> Tensor:
    """Return the texts that are read, `<bos>` and all but the last token of each stretch."""
    begin = torch.full_like(setup.test.tokens[:, :1], setup.tokens.tokenizer.begin_id)
    return torch.cat([begin, setup.test.tokens[:, :-1]], dim=1)


def readings(
    model: LanguageModel, texts: Tensor, parts: hidden.Split
) -> list[hidden.HiddenReading]:
    """Probe the embedded tokens and every layer; `<bos>` stands first and is left out."""
    return [hidden.read(layer[:, 1:], parts) for layer in states(model, texts)]


@torch.no_grad()
def states(model: LanguageModel, texts: Tensor) -> list[NDArray[np.float32]]:
    """Return layers + 1 arrays (texts, positions, width): embedded tokens, and after each layer."""
    device = next(model.parameters()).device
    model.eval()
    passes = []
    for rows in texts.split(AT_ONCE):
        trace = Trace()
        model.transformer(rows.to(device), trace=trace)
        passes.append([state.float().cpu().numpy() for state in trace.states])
    return [np.concatenate(layer) for layer in zip(*passes, strict=True)]


def best(layers: list[hidden.HiddenReading]) -> hidden.HiddenReading:
    """Return the reading of least error."""
    return min(layers, key=lambda each: each.error)


def _series(found: Found) -> dict[str, list[Any]]:
    first = found["untrained"]
    series: dict[str, list[Any]] = {"layer": list(range(len(first)))}
    series["position"] = (first[0].position + 1).tolist()  # `<bos>` has the position 0
    for when, layers in found.items():
        series[f"error_{when}"] = [short(each.error) for each in layers]
        series[f"rank_{when}"] = [short(each.spearman) for each in layers]
        series[f"predicted_{when}"] = [short(value + 1) for value in best(layers).predicted]
        series[f"spread_{when}"] = [short(value) for value in best(layers).spread]
    return series
