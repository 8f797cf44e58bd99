"""BLEU (Papineni et al. 2002) from counts by sentence, so that any part of a test can be scored.

The counts come from sacrebleu (Post 2018); the score here is its own, with its default smoothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from positions.checks import check_whole
from positions.errors import InvalidValueError

ORDERS = 4
Counts = NDArray[np.int64]
"""A row a sentence: matching 1- to 4-grams, then the lengths of translation and reference."""


@dataclass(frozen=True)
class Measure:
    """How BLEU is counted: the tokenizer, and whether letter case counts."""

    tokenizer: str
    lowercase: bool


TOKENISED = Measure("none", lowercase=False)
"""Of texts that are lower-cased tokens already, as in Wang & Chen (2020), section 5.3."""
WRITTEN = Measure("13a", lowercase=True)
"""Of texts as they are written, cut into words by mteval's rules."""


def counts(translations: Sequence[str], references: Sequence[str], measure: Measure) -> Counts:
    """Return the counts of each sentence, (sentences, 6); raises `InvalidValueError` for none."""
    from sacrebleu.metrics import BLEU

    if not translations or len(translations) != len(references):
        raise InvalidValueError(
            f"There are {len(translations)} translations and {len(references)} references; there "
            "must be one each, and at least one."
        )
    metric = BLEU(tokenize=measure.tokenizer, lowercase=measure.lowercase, force=True)
    rows = []
    for text, reference in zip(translations, references, strict=True):
        found = metric.corpus_score([text], [[reference]])
        rows.append([*found.counts, found.sys_len, found.ref_len])
    return np.array(rows, dtype=np.int64)


def signature(measure: Measure) -> str:
    """Return sacrebleu's signature, which says how a score was counted."""
    from sacrebleu.metrics import BLEU

    metric = BLEU(tokenize=measure.tokenizer, lowercase=measure.lowercase, force=True)
    metric.corpus_score(["a"], [["a"]])
    return str(metric.get_signature())


def bleu(found: Counts) -> float:
    """Return BLEU in points, 0 to 100, of sentences (sentences, 6); NaN for none."""
    return float(_scores(found.sum(axis=0)[None], _totals(found).sum(axis=0)[None])[0])


@dataclass(frozen=True)
class Gap:
    """A difference in BLEU, one translator less another, on the same sentences.

    95 % interval and two-sided p-value over `sentences` drawn again.
    """

    mean: float
    low: float
    high: float
    p_value: float
    sentences: int


def paired_bootstrap(
    one: Sequence[Counts], other: Sequence[Counts], samples: int = 1_000, seed: int = 0
) -> Gap:
    """Return the difference in BLEU, `one` less `other`, with sentences drawn again (Koehn 2004).

    Each holds the counts of one or more seeds, all of the same sentences; the mean over seeds is
    compared, and all seeds are given the same draw. The spread is that of sentences, not of seeds.
    Raises `InvalidValueError` where there are none, or the numbers of sentences differ.
    """
    check_whole("samples", samples, 1)
    sizes = {len(each) for each in (*one, *other)}
    if not one or not other or len(sizes) != 1 or 0 in sizes:
        raise InvalidValueError(
            "A paired bootstrap needs counts of the same sentences on both sides; the numbers of "
            f"sentences are {sorted(sizes)}."
        )
    (size,) = sizes
    draws = np.random.default_rng(seed).integers(size, size=(samples, size))
    weights = np.stack([np.bincount(draw, minlength=size) for draw in draws])
    gaps = _mean_score(one, weights) - _mean_score(other, weights)
    whole = np.ones((1, size), dtype=np.int64)
    mean = float((_mean_score(one, whole) - _mean_score(other, whole))[0])
    low, high = np.quantile(gaps, [0.025, 0.975])
    tail = min((gaps <= 0).mean(), (gaps >= 0).mean())
    return Gap(mean, float(low), float(high), float(min(1.0, max(2 * tail, 1 / samples))), size)


def _mean_score(seeds: Sequence[Counts], weights: Counts) -> NDArray[np.float64]:
    scores = [_scores(weights @ each, weights @ _totals(each)) for each in seeds]
    mean: NDArray[np.float64] = np.mean(scores, axis=0)
    return mean


def _totals(found: Counts) -> Counts:
    """Return how many 1- to 4-grams each translation has."""
    totals: Counts = np.maximum(found[:, [ORDERS]] - np.arange(ORDERS), 0)
    return totals


def _scores(sums: Counts, totals: Counts) -> NDArray[np.float64]:
    """Return BLEU of summed counts (rows, 6) and totals (rows, 4).

    An order without a match counts as a half, the next such as a quarter, ... of one match. As in
    sacrebleu, a translation without any n-gram of an order scores 0.
    """
    matches = sums[:, :ORDERS].astype(float)
    without = matches == 0
    smoothed = np.where(without, 0.5 ** np.cumsum(without, axis=1), matches)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.log(smoothed / totals).mean(axis=1)
        brevity = np.minimum(0.0, 1 - sums[:, ORDERS + 1] / sums[:, ORDERS])
        scores = 100 * np.exp(precision + brevity)
    nothing = (totals == 0).any(axis=1) | without.all(axis=1)
    empty = sums[:, ORDERS + 1] == 0
    return np.where(empty, np.nan, np.where(nothing, 0.0, scores))
