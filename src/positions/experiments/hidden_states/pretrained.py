"""The same probe on a model of the Hugging Face Hub, or in a folder: encoder or decoder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from positions.analysis.probes import hidden
from positions.errors import InvalidValueError, NotAtHandError

AT_ONCE = 16
"""Texts in one forward pass."""


@dataclass(frozen=True)
class Layer:
    """One version of the probe's input: what it is called, and what the probe makes of it."""

    name: str
    reading: hidden.HiddenReading


def probe(model: str, texts: Iterable[str], length: int, seed: int, at_most: int) -> list[Layer]:
    """Read position from the layers of a pretrained model.

    `texts` are cut into stretches of `length` tokens of the model's own tokenizer, `at_most` in
    all, each read from its first position and without special tokens. The first layer is word
    plus position; where an encoder norms that sum, as BERT does, it is read before and after.

    Raises `NotAtHandError` where the model is neither a folder nor to be had from the Hub,
    `InvalidValueError` for texts that are too short and a length that the model does not take.
    """
    network, tokenizer = _load(model)
    limit = getattr(network.config, "max_position_embeddings", None)
    if limit is not None and length > limit:
        raise InvalidValueError(
            f"{model} has {limit:,} positions; stretches of {length:,} tokens do not fit. Lower "
            "length."
        )
    tokens = _stretches(tokenizer, texts, length, at_most, model)
    parts = hidden.split(tokens, seed)
    return [Layer(name, hidden.read(states, parts)) for name, states in _states(network, tokens)]


def _load(model: str) -> tuple[Any, Any]:
    """Return a model, ready to be read, and its tokenizer."""
    from transformers import AutoModel, AutoTokenizer  # seconds to import

    try:
        network = AutoModel.from_pretrained(model)
        tokenizer = AutoTokenizer.from_pretrained(model)
    except (OSError, ValueError, ImportError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise NotAtHandError(
            f"The model {model!r} cannot be loaded ({reason}). Give the name of a model of the "
            "Hugging Face Hub, with a network, or a folder with its config, weights and tokenizer."
        ) from None
    return network.eval(), tokenizer


def _stretches(
    tokenizer: Any, texts: Iterable[str], length: int, at_most: int, model: str
) -> NDArray[np.int64]:
    """Return ids (stretches, length); no stretch goes over the end of a text."""
    rows: list[list[int]] = []
    longest = 0
    for text in texts:
        ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        longest = max(longest, len(ids))
        rows += [ids[start : start + length] for start in range(0, len(ids) - length + 1, length)]
        if len(rows) >= at_most:
            break
    if len(rows) < 2:
        raise InvalidValueError(
            f"Two stretches of {length:,} tokens of {model} are needed, and the texts give "
            f"{len(rows)}; the longest has {longest:,} tokens. Lower length or give longer texts."
        )
    return np.array(rows[:at_most], dtype=np.int64)


@torch.no_grad()
def _states(network: Any, tokens: NDArray[np.int64]) -> list[tuple[str, NDArray[np.float32]]]:
    """Return each layer's name and states (stretches, length, width)."""
    norm = getattr(getattr(network, "embeddings", None), "LayerNorm", None)
    sums: list[NDArray[np.float32]] = []
    hook = norm and norm.register_forward_pre_hook(lambda _, x: sums.append(x[0].float().numpy()))
    passes: list[list[NDArray[np.float32]]] = []
    try:
        for rows in torch.from_numpy(tokens).split(AT_ONCE):
            found = network(input_ids=rows, output_hidden_states=True).hidden_states
            passes.append([state.float().numpy() for state in found])
    finally:
        if hook:
            hook.remove()
    layers = [np.concatenate(each) for each in zip(*passes, strict=True)]
    first = [("word + position", layers[0])]
    if sums:
        first = [("word + position", np.concatenate(sums)), ("the same, normed", layers[0])]
    return [*first, *((f"layer {n}", each) for n, each in enumerate(layers[1:], start=1))]
