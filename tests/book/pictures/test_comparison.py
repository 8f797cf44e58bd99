import pytest
import torch

from positions import encodings
from positions.book import charts
from positions.book.pictures import comparison
from positions.encodings import Encoding, registry

NAMES = ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"]


@pytest.fixture(scope="module")
def table():
    return comparison.summary(NAMES, width=32, heads=4, length=24).set_index("encoding")


def test_summary_says_where_each_enters(table):
    assert table["enters"].to_dict() == {
        "nope": "nowhere",
        "sinusoidal": "embeddings",
        "learned": "embeddings",
        "t5": "logits",
        "alibi": "logits",
        "rotary": "queries and keys",
    }


def test_summary_counts_what_each_costs(table):
    assert table["parameters"].tolist() == [0, 0, 24 * 32, 32 * 4, 0, 0]
    whole = comparison.summary(["alibi"], width=32, heads=4, length=512)
    assert whole["bias, MB"].item() == round(4 * 4 * 512 * 512 / 1e6, 1)


def test_summary_finds_what_is_absolute_and_what_ends(table):
    moving = table["if all ids shift"] == "attention changes"
    assert table.index[moving].tolist() == ["sinusoidal", "learned"]
    assert table.index[table["past max_length"] == "error"].tolist() == ["learned"]


def test_encoding_of_one_s_own_gets_a_row_and_a_panel(monkeypatch):
    monkeypatch.setattr(registry, "_classes", dict(registry._classes))

    @encodings.register("only-self")
    class OnlySelf(Encoding):
        def bias(self, q, k, q_ids, k_ids):
            return -100.0 * (q_ids[:, None, :, None] != k_ids[:, None, None, :])

    row = comparison.summary(["only-self"], width=8, heads=2, length=6).iloc[0]
    assert row["enters"] == "logits"
    picture = comparison.one_query(["nope", "only-self"])
    weights = picture.numbers.set_index(["encoding", "distance"])["weight"]
    assert weights["only-self"].tolist() == [1.0] + [0.0] * 31
    assert weights["nope"].tolist() == pytest.approx([1 / 32] * 32, abs=1e-4)
    shown = charts.figure(picture.chart, description=picture.description, data=picture.numbers)
    assert "only-self" in shown["text/html"]


def test_attention_is_causal_and_sums_to_one():
    encoding = encodings.build("rotary", width=8, heads=2, max_length=9)
    weights = comparison.attention(encoding, torch.randn(2, 9, 8), torch.arange(9)[None])
    assert weights.shape == (2, 2, 9, 9)
    assert torch.equal(weights, weights.tril())
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 9))
