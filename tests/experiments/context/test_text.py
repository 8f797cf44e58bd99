"""Windows to learn from and stretches to test on: which tokens, and none across documents."""

import numpy as np
import pytest
import torch

from positions.errors import InvalidValueError
from positions.experiments.context.text import Windows, stretches, tokenised
from positions.model import IGNORE
from positions.tasks.corpora import Corpus


def documents(*lengths: int) -> list[np.ndarray]:
    """Document d holds 1000 d + 1, 1000 d + 2, ..."""
    return [np.arange(1, n + 1, dtype=np.int32) + 1000 * d for d, n in enumerate(lengths)]


def test_windows_hold_all_tokens_of_long_documents_and_cross_none() -> None:
    windows = Windows(documents(10, 3, 8, 4), 4, begin=0)
    assert windows.tokens[:, 0].eq(0).all()
    body = windows.tokens[:, 1:]
    assert torch.equal(body.diff(dim=1), torch.ones(len(body), 3, dtype=body.dtype))
    expected = {*range(1, 11), *range(2001, 2009), *range(3001, 3005)}
    assert set(body.flatten().tolist()) == expected
    assert len(windows) == 3 + 2 + 1


def test_every_place_predicts_the_token_after_it() -> None:
    batch = Windows(documents(9), 4, begin=0).batch(torch.tensor([1, 0]))
    assert batch.tokens.tolist() == [[0, 5, 6, 7, 8], [0, 1, 2, 3, 4]]
    assert batch.labels.tolist() == [[5, 6, 7, 8, IGNORE], [1, 2, 3, 4, IGNORE]]
    assert batch.mask.all() and batch.weight == 8


def test_a_few_windows_are_spread_over_all() -> None:
    kept = Windows(documents(400), 4, begin=0, most=5).tokens[:, 1].tolist()
    assert kept == [1, 97, 197, 297, 397]
    assert len(Windows(documents(8), 4, begin=0, most=5)) == 2


def test_no_window_at_all_is_said() -> None:
    with pytest.raises(InvalidValueError, match=r"None of 2 documents has 1,024.*longest has 9"):
        Windows(documents(9, 3), 1_024, begin=0)


def test_stretches_end_where_documents_end_and_share_nothing() -> None:
    found = stretches(documents(9, 3, 4, 7), 4, 2, "c")
    assert found.tokens.tolist() == [
        [6, 7, 8, 9],
        [2, 3, 4, 5],
        [2001, 2002, 2003, 2004],
        [3004, 3005, 3006, 3007],
    ]
    assert found.document.tolist() == [0, 0, 2, 3]
    assert found.documents == 4


def test_documents_that_are_all_too_short_are_counted_and_the_way_out_is_said() -> None:
    with pytest.raises(InvalidValueError) as caught:
        stretches(documents(9, 700, 3), 1_024, 2, "letters")
    assert "None of the 3 test documents of letters has 1,024 tokens" in str(caught.value)
    assert "longest has 700. Lower the longest of contexts" in str(caught.value)


def test_pairs_are_learned_from_the_training_part_alone() -> None:
    corpus = Corpus("c", ("aaaa bbbb " * 9,), ("cdcdcdcd " * 99,), ("aaaa cdcdcdcd",))
    tokens = tokenised(corpus, 300)
    assert tokens.tokenizer.decode(tokens.test[0].tolist()) == "aaaa cdcdcdcd"
    assert len(tokens.tokenizer.encode("aaaa")) < 4
    assert len(tokens.tokenizer.encode("cdcd")) == 4
    assert tokens.bytes_per_token == pytest.approx(90 / len(tokens.train[0]))
