"""One run: one model's attention, beside NoPE's and beside that of its twin with another seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from positions.analysis.attention import distance
from positions.errors import InvalidValueError
from positions.experiments.attention.config import AGAINST, AttentionConfig
from positions.experiments.attention.measure import (
    FORMS,
    Distances,
    Means,
    apart,
    attention,
    first_of_each,
    queries,
)
from positions.experiments.attention.weights import Trained, trained
from positions.experiments.base import Outcome
from positions.tasks import Dataset, Sizes, Tokenizer

DIGITS = 5


class Text(NamedTuple):
    """One example's tokens, its length as the task counts it, and where its answer stands."""

    length: int
    tokens: list[int]
    answer: range


def run(config: AttentionConfig) -> Outcome:
    """Return how far a model's attention is from two others', and how far back it looks.

    Kazemnejad et al. (2023), sections 5.2 and 6.1: prompt and target are read at once, without
    dropout. Metrics: `same_seed_closest` and so on, for each of `AGAINST` and `FORMS`, is a
    divergence in nats, the mean over lengths and layers. `near` and `far` are the shares of answer
    tokens and heads whose most attended key is that near or far, on lengths beyond training;
    `near_mass` and `far_mass` those of all attention, `near_even` and `far_even` those of a head
    that looks at everything alike. `iid` and `ood`: what the model solves; `same_seed_iid` and so
    on: what those solve that it is compared with.

    Series: `length`, and for it `same_seed_closest` and so on, one list of layers a length; `bin`
    (the distance at its centre), `even`, and `most_attended` and `mass`, one list of bins a layer.

    The models are trained first, where they have not been before (`weights.trained`). One that
    diverged leaves its metrics None. Raises as `length_generalization.run`.
    """
    own = trained(config.model_of())
    others = {name: trained(each) for name, each in config.beside().items()}
    task = config.build_task()
    dataset = task.dataset(sizes=Sizes(config.train, config.test), distinct=config.distinct)
    metrics: dict[str, float | None] = {
        "iid": own.iid,
        "ood": own.ood,
        **{f"{name}_iid": each.iid for name, each in others.items()},
    }
    series: dict[str, list[Any]] = {}
    if own.status == "ok":
        tokenizer = task.tokenizer(config.paper_lengths)
        found, series = _measure(config, own, others, _texts(config, dataset, tokenizer))
        metrics |= found
    device = next(own.model.parameters()).device
    return Outcome(metrics, series, {"examples": dataset.sha256}, own.status, device=device.type)


def _texts(config: AttentionConfig, dataset: Dataset, tokenizer: Tokenizer) -> list[Text]:
    """Return the texts that are looked at: prompt and target without the end.

    Raises `InvalidValueError` where none beyond the training lengths is short enough.
    """
    texts = []
    for example in first_of_each(dataset, config.examples):
        tokens = tokenizer.encode(example.source) + tokenizer.encode(example.target)
        if len(tokens) < config.token_limit:
            texts.append(Text(example.length, tokens, queries(example, tokenizer)))
    if not any(text.length > config.longest for text in texts):
        raise InvalidValueError(
            f"No test example of {config.task} has at most token_limit = {config.token_limit} "
            "tokens. Raise token_limit."
        )
    return texts


def _measure(
    config: AttentionConfig,
    own: Trained,
    others: Mapping[str, Trained],
    texts: Sequence[Text],
) -> tuple[dict[str, float | None], dict[str, list[Any]]]:
    beside = {name: each for name, each in others.items() if each.status == "ok"}
    means = {name: Means() for name in beside}
    distances = Distances(config.layers)
    for text in texts:
        maps = attention(own.model, text.tokens)
        for name, each in beside.items():
            means[name].add(text.length, apart(maps, attention(each.model, text.tokens)))
        if text.length > config.longest:
            distances.add(maps, text.answer)
    lengths = sorted({text.length for text in texts})
    metrics: dict[str, float | None] = {
        f"{against}_{form}": None for against in AGAINST for form in FORMS
    }
    series: dict[str, list[Any]] = {"length": lengths, "bin": list(distance.CENTRES)}
    for against, found in means.items():
        table = found.table()  # (lengths, layers, forms)
        for number, form in enumerate(FORMS):
            metrics[f"{against}_{form}"] = float(table[..., number].mean())
            series[f"{against}_{form}"] = _short(table[..., number])
    shares = distances.shares()
    for name, values in shares.items():
        series[name] = _short(np.array(values))
    return metrics | _near_and_far(shares), series


def _near_and_far(shares: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the shares near and far in the mean over layers, as the figure pools them."""
    pooled = {
        "": np.mean(shares["most_attended"], axis=0),
        "_mass": np.mean(shares["mass"], axis=0),
        "_even": np.array(shares["even"]),
    }
    return {
        f"{name}{suffix}": measure(values.tolist())
        for suffix, values in pooled.items()
        for name, measure in (("near", distance.near), ("far", distance.far))
    }


def _short(values: NDArray[np.float64]) -> list[Any]:
    """Round to digits that count, so that a record stays small."""
    short = np.vectorize(lambda value: float(f"{value:.{DIGITS}g}"))
    rounded: list[Any] = short(values).tolist()
    return rounded
