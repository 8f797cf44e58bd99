"""Build, run, measure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from positions.analysis.theory import absolute, relative
from positions.analysis.theory.decoder import decoder, texts, to_precision
from positions.experiments.base import Outcome
from positions.experiments.construction.config import ConstructionConfig
from positions.model import LanguageModel

DIGITS = 4
TEXTS = 2

Readings = dict[str, float]


def run(config: ConstructionConfig) -> Outcome:
    """Measure a construction for each of its lengths, on two texts each.

    Metrics: the greatest over all lengths. Theorem 1: `error` of the position read, in positions,
    and `share_error` of the attention that the first token gets. Theorem 2: `error` of the logits
    and, against a decoder with the library's ALiBi, `attention_gap` and `state_gap` (relative).
    Of the longest alone, theorem 1 also has `without_mark`, the position read at its end where no
    token is marked, and `beyond`, the one read at twice its length. Series: `length`,
    `error_by_length`.
    """
    measure: Callable[[ConstructionConfig, int], Readings] = _MEASURES[config.theorem]
    readings = [measure(config, longest) for longest in config.lengths]
    metrics: dict[str, float | None] = {
        name: _short(max(each[name] for each in readings)) for name in readings[0]
    }
    if config.theorem == "absolute":
        metrics |= _outside(config)
    return Outcome(
        metrics,
        {
            "length": list(config.lengths),
            "error_by_length": [_short(each["error"]) for each in readings],
        },
        dtype=config.precision,
    )


def _absolute(config: ConstructionConfig, longest: int) -> Readings:
    found = absolute.read(_counting(config, longest), texts(longest, TEXTS, config.seed))
    t = np.arange(1, longest + 1)
    return {
        "error": float(np.abs(found.position - t).max()),
        "share_error": float(np.abs(found.share - 1 / t).max()),
    }


def _relative(config: ConstructionConfig, longest: int) -> Readings:
    model, twin = relative.as_alibi(
        longest, norm=config.norm, facing=config.facing, large=config.large, seed=config.seed
    )
    tokens = texts(longest, TEXTS, config.seed)
    to_precision(model, config.precision)
    functions = relative.alibi(longest, model.config.heads)
    later = range(1, model.config.layers)
    gaps = relative.gaps(model, to_precision(twin, config.precision), tokens)
    return {
        "error": max(relative.distance_error(model, functions, n, tokens) for n in later),
        "attention_gap": gaps.attention,
        "state_gap": gaps.states,
    }


_MEASURES = {"absolute": _absolute, "relative": _relative}


def _counting(config: ConstructionConfig, longest: int) -> LanguageModel:
    model = decoder(longest, layers=1, norm=config.norm, seed=config.seed)
    absolute.write_positions(
        model, longest, facing=config.facing, queries=config.queries, large=config.large
    )
    return to_precision(model, config.precision)


def _outside(config: ConstructionConfig) -> dict[str, float | None]:
    """Read positions where the theorem's conditions don't hold."""
    longest = config.longest
    model = _counting(config, longest)
    unmarked = absolute.read(model, texts(longest, 1, config.seed, first="any")).position
    beyond = absolute.read(model, texts(2 * longest, 1, config.seed)).position
    return {"without_mark": _short(unmarked[0, -1]), "beyond": _short(beyond[0, -1])}


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
