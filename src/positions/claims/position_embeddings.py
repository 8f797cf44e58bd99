"""The 16 claims of Wang & Chen 2020 (EMNLP), and what tests each."""

from __future__ import annotations

from functools import partial

from positions import published
from positions.claims import classification_tests as classification
from positions.claims import language_tests as language
from positions.claims import table_tests as tests
from positions.claims import translation_tests as translation
from positions.claims.base import Claim

_INDEX = "mean absolute error of the index probe, positions"
_ORDER = "error of the order probe, percent"
_CLASSIFY = "accuracy, percent"
_TRANSLATE = "BLEU"


def printed(number: int, *tables: str) -> dict[str, float]:
    """Return the figures of Table 1 or 2 for these tables, in this order."""
    rows = published.load("position-embeddings/tables")
    values = rows[rows.table == number].set_index("encoding").value
    return {table: float(values[table]) for table in tables}


_claim = partial(Claim, "position-embeddings")

_INDEX_ORDER = ("sinusoidal", "gpt2", "roberta-base", "bert-base-uncased")
_PAIR_ORDER = ("gpt2", "sinusoidal", "roberta-base", "bert-base-uncased")

CLAIMS = (
    _claim(
        "C1",
        "section 4.1.1, Table 1",
        "A linear model reads a row's index best from the sinusoid, then from GPT-2's table, then "
        "RoBERTa's, and worst from BERT's.",
        _INDEX,
        "0.5 positions",
        published=partial(printed, 1, *_INDEX_ORDER),
        test=tests.index_order,
        chapter="probing",
    ),
    _claim(
        "C2",
        "section 4.1.1, Table 1",
        "BERT's table hardly holds absolute position.",
        _INDEX,
        "0.5 positions",
        published=partial(printed, 1, "bert-base-uncased"),
        test=tests.bert_index,
        chapter="probing",
    ),
    _claim(
        "C3",
        "section 4.1.2, words only",
        "How far apart two positions are cannot be read from their rows.",
        "error of the quadratic distance probe, percent of a mean guess's",
        "a tenth of a mean guess's error",
        test=tests.distance,
        chapter="probing",
    ),
    _claim(
        "C4",
        "section 4.1.2, Table 2",
        "Which of two positions comes first is read best from GPT-2's table, then from the "
        "sinusoid, then RoBERTa's table, and worst from BERT's.",
        _ORDER,
        "0.5 percentage points",
        published=partial(printed, 2, *_PAIR_ORDER),
        test=tests.pair_order,
        chapter="probing",
    ),
    _claim(
        "C5",
        "section 4.1.2, Tables 1 and 2",
        "GPT-2's table beats the sinusoid at order, although the sinusoid is perfect at index.",
        _ORDER,
        "0.5 percentage points of order, 0.5 positions of index",
        published=partial(printed, 2, "gpt2", "sinusoidal"),
        test=tests.gpt2_beats_sinusoid,
        chapter="probing",
    ),
    _claim(
        "C6",
        "section 4.1, Tables 1 and 2",
        "RoBERTa's table is far more orderly than BERT's, in the same architecture.",
        _INDEX,
        "5 positions, and 5 percentage points of order",
        published=partial(printed, 1, "roberta-base", "bert-base-uncased"),
        test=tests.roberta_above_bert,
        chapter="probing",
    ),
    _claim(
        "C7",
        "section 4, heat maps",
        "BERT's table is regular up to position 128 and not beyond.",
        "share of the cosines' variance that the offset explains",
        "0.1 in R-squared",
        test=tests.bert_regular_to_128,
        chapter="probing",
    ),
    _claim(
        "C8",
        "section 4.3.1, conclusion",
        "Tables of encoders hold local position, tables of decoders absolute position.",
        "how steadily the cosine falls with distance (Kendall's tau)",
        "0.5 positions of index error, 0.1 in tau",
        test=tests.local_or_absolute,
        chapter="probing",
    ),
    _claim(
        "C9",
        "section 4.3.1, argument only",
        "The training objective is the cause: a masked language model needs the neighbourhood "
        "only, a causal one must know where it is.",
        _INDEX,
        "0.5 positions",
        missing="small twins trained on the same text, masked and causal, and their tables probed",
    ),
    _claim(
        "C10",
        "section 5.1",
        "In text classification the sinusoid does best, GPT-2's table nearly as well, and the gaps "
        "are small.",
        _CLASSIFY,
        "any sure lead, as long as it is below 3 percentage points",
        published=classification.printed,
        test=classification.sinusoid_best,
        chapter="classification",
    ),
    _claim(
        "C11",
        "section 5.1",
        "On short texts BERT's table does better than the others.",
        _CLASSIFY,
        "1 percentage point",
        published=classification.printed,
        test=classification.bert_on_short_texts,
        chapter="classification",
    ),
    _claim(
        "C12",
        "section 5.1",
        "The longer the texts, the closer the order of the tables is to that of the index probe.",
        "growth of a table's lead with log length, log odds; by set and table accuracy, percent",
        "0.1 in log odds",
        published=classification.printed,
        test=classification.order_by_length,
        chapter="classification",
    ),
    _claim(
        "C13",
        "section 5.2",
        "A masked and a causal language model react differently when positions are skipped.",
        "rise in loss with skipped positions, nats a token",
        "0.02 nats a token, in either direction",
        published=language.printed,
        test=language.skip_reaction,
        chapter="language-modelling",
    ),
    _claim(
        "C14",
        "section 5.3",
        "Translation is best with BERT's table.",
        _TRANSLATE,
        "0.5 BLEU",
        published=partial(translation.printed, "all"),
        test=translation.bert_best,
        chapter="translation",
    ),
    _claim(
        "C15",
        "section 5.3",
        "Translation of long sentences is best with GPT-2's table.",
        _TRANSLATE,
        "1 BLEU",
        published=partial(translation.printed, "long"),
        test=translation.gpt2_best_on_long,
        chapter="translation",
    ),
    _claim(
        "C16",
        "section 6, conclusion",
        "A table suits those tasks that resemble what it was trained for.",
        "agreement of the order of tables with what they were trained for",
        "a majority of the tasks",
        missing="the verdicts on classification, language modelling and translation",
    ),
)
