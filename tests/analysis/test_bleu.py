"""BLEU from counts: sacrebleu's own numbers, on the whole, on parts and when drawn again."""

import math

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from positions.analysis.bleu import (
    TOKENISED,
    WRITTEN,
    bleu,
    counts,
    paired_bootstrap,
    signature,
)
from positions.errors import InvalidValueError

WORDS = [
    "ein",
    "mann",
    "mit",
    "hut",
    "steht",
    "auf",
    "der",
    "straße",
    "und",
    "sieht",
    "den",
    "hund",
    "an",
    ".",
]


@pytest.fixture(scope="module")
def texts():
    """References and translations that go wrong here and there."""
    chance = np.random.default_rng(0)
    references, translations = [], []
    for _ in range(40):
        words = [WORDS[i] for i in chance.integers(len(WORDS), size=chance.integers(4, 16))]
        wrong = [w if chance.random() < 0.8 else "katze" for w in words]
        references.append(" ".join(words))
        translations.append(" ".join(wrong[: max(1, len(wrong) - int(chance.integers(3)))]))
    return translations, references


@pytest.mark.parametrize("measure", [TOKENISED, WRITTEN])
def test_the_score_is_that_of_sacrebleu(texts, measure) -> None:
    translations, references = texts
    found = counts(translations, references, measure)
    metric = BLEU(tokenize=measure.tokenizer, lowercase=measure.lowercase, force=True)
    for part in (slice(None), slice(0, 7), slice(3, 4)):
        expected = metric.corpus_score(translations[part], [references[part]]).score
        assert bleu(found[part]) == pytest.approx(expected)


def test_no_match_of_an_order_is_smoothed_as_sacrebleu_does() -> None:
    translations, references = ["ein hund sieht katze an dort"], ["ein mann sieht hut an hier"]
    expected = BLEU(tokenize="none", force=True).corpus_score(translations, [references]).score
    assert 0 < expected < 20
    assert bleu(counts(translations, references, TOKENISED)) == pytest.approx(expected)


def test_nothing_written_is_zero_and_no_sentence_is_no_score() -> None:
    assert bleu(counts([""], ["ein hund"], TOKENISED)) == 0
    assert math.isnan(bleu(counts(["a"], ["a"], TOKENISED)[:0]))


def test_case_counts_in_one_measure_alone() -> None:
    pair = ["Ein Hund steht dort."], ["ein hund steht dort."]
    assert bleu(counts(*pair, WRITTEN)) == pytest.approx(100)
    assert bleu(counts(*pair, TOKENISED)) < 100


def test_the_signature_names_what_decides_a_score() -> None:
    assert "tok:none" in signature(TOKENISED) and "case:mixed" in signature(TOKENISED)
    assert "tok:13a" in signature(WRITTEN) and "case:lc" in signature(WRITTEN)
    assert "version:" in signature(WRITTEN)


def test_the_same_sentences_do_not_differ_and_better_ones_do(texts) -> None:
    translations, references = texts
    worse = counts(translations, references, TOKENISED)
    right = counts(references, references, TOKENISED)
    none = paired_bootstrap([worse], [worse])
    assert (none.mean, none.low, none.high, none.p_value) == (0, 0, 0, 1)
    better = paired_bootstrap([right, right], [worse])
    assert better.mean == pytest.approx(100 - bleu(worse))
    assert 0 < better.low < better.mean < better.high and better.p_value <= 0.002
    assert better.sentences == 40
    back = paired_bootstrap([worse], [right])
    assert back.mean == pytest.approx(-better.mean)


def test_an_interval_is_narrower_with_more_sentences(texts) -> None:
    translations, references = texts
    one, other = (counts(each, references, TOKENISED) for each in (translations, references))
    few = paired_bootstrap([one], [other])
    many = paired_bootstrap([np.tile(one, (9, 1))], [np.tile(other, (9, 1))])
    assert many.mean == pytest.approx(few.mean)
    assert many.high - many.low < 0.5 * (few.high - few.low)


def test_what_cannot_be_paired_is_said(texts) -> None:
    found = counts(*texts, TOKENISED)
    with pytest.raises(InvalidValueError, match=r"\[8, 40\]"):
        paired_bootstrap([found], [found[:8]])
    with pytest.raises(InvalidValueError, match="both sides"):
        paired_bootstrap([], [found])
    with pytest.raises(InvalidValueError, match="2 translations and 1 references"):
        counts(["a", "b"], ["a"], TOKENISED)
