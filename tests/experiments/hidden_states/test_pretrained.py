"""Hidden states of Hugging Face models: the library's own, by name and layer."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, GPT2Config, GPT2Model, PreTrainedTokenizerFast

from positions.errors import InvalidValueError, NotAtHandError
from positions.experiments.hidden_states import pretrained

WORDS = [f"w{number}" for number in range(60)]
TEXTS = [" ".join(np.random.default_rng(seed).choice(WORDS, 50)) for seed in range(8)]
SIZE = {"vocab_size": 61, "max_position_embeddings": 32}


@pytest.fixture(params=["encoder", "decoder"])
def folder(request, tmp_path):
    """A small random model with a tokenizer of whole words, saved as a folder."""
    torch.manual_seed(0)
    if request.param == "encoder":
        shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
        model = BertModel(BertConfig(**SIZE, **shape, intermediate_size=32))
    else:
        model = GPT2Model(GPT2Config(vocab_size=61, n_positions=32, n_embd=16, n_layer=2, n_head=2))
    model.save_pretrained(tmp_path)
    vocabulary = {word: number for number, word in enumerate([*WORDS, "[UNK]"])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]").save_pretrained(tmp_path)
    return tmp_path, request.param


def test_layers_are_named_in_order_and_a_table_that_is_large_is_read(folder) -> None:
    path, kind = folder
    found = pretrained.probe(str(path), TEXTS, 16, seed=0, at_most=20)
    first = ["word + position"] + ["the same, normed"] * (kind == "encoder")
    assert [layer.name for layer in found] == [*first, "layer 1", "layer 2"]
    assert all(layer.reading.error > 0 for layer in found)


def test_word_and_position_are_the_sum_of_both(folder) -> None:
    path, kind = folder
    network, _ = pretrained._load(str(path))
    tokens = np.random.default_rng(0).integers(0, 60, (3, 16))
    states = dict(pretrained._states(network, tokens))
    ids = torch.from_numpy(tokens)
    if kind == "decoder":
        expected = network.wte(ids) + network.wpe(torch.arange(16))
    else:
        parts = network.embeddings
        expected = parts.word_embeddings(ids) + parts.position_embeddings(torch.arange(16))
        expected = expected + parts.token_type_embeddings.weight[0]
        normed = torch.from_numpy(states["the same, normed"])
        torch.testing.assert_close(normed, parts.LayerNorm(expected).detach())
    torch.testing.assert_close(
        torch.from_numpy(states["word + position"]), expected.detach(), rtol=1e-5, atol=1e-6
    )


def test_bad_input_is_said(folder, tmp_path, monkeypatch) -> None:
    path, _ = folder
    with pytest.raises(InvalidValueError, match="has 32 positions"):
        pretrained.probe(str(path), TEXTS, 33, 0, 20)
    with pytest.raises(InvalidValueError, match="the longest has 4 tokens"):
        pretrained.probe(str(path), ["w1 w2 w3 w4"], 16, 0, 20)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(NotAtHandError, match="no-such-model"):
        pretrained.probe(str(tmp_path / "no-such-model"), TEXTS, 16, 0, 20)
