"""The position table of any model on the Hub, against a server on localhost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.numpy import save
from tests.data.local_hub import COMMIT, LocalHub

from positions import tables
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError, UnknownNameError
from positions.tables import weights
from positions.tables.models import BEHIND_PADDING, TWO_UNUSED, leading_unused_rows

ROWS = np.random.default_rng(0).standard_normal((20, 6)).astype(np.float32)
REPO = "someone/model"
EXTRA = {"esm": {"pad_token_id": 1, "position_embedding_type": "absolute"}}


def publish(hub: LocalHub, kind: str, tensors: dict[str, np.ndarray], **config: object) -> None:
    """Put a model on the localhost Hub."""
    hub.repos[REPO] = {
        "config.json": json.dumps({"model_type": kind, **config}).encode(),
        "model.safetensors": save(tensors),
    }


@pytest.mark.parametrize(
    "parameter",
    [
        "wpe.weight",
        "transformer.wpe.weight",
        "positions_embed.weight",
        "embeddings.position_embeddings.weight",
        "electra.embeddings.position_embeddings.weight",
        "text_model.embeddings.position_embedding.weight",
        "model.decoder.embed_positions.weight",
    ],
)
def test_table_is_found_by_its_name(local_hub: LocalHub, parameter: str) -> None:
    publish(local_hub, "some", {parameter: ROWS, "wte.weight": ROWS[:3]})
    table = tables.load(REPO)
    np.testing.assert_array_equal(table.rows, ROWS)
    assert parameter in table.source and COMMIT in table.source


def test_tables_of_real_architectures_are_found() -> None:
    """The names in Transformers' own small models, one table each."""
    tiny = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": 9}
    gpt = {"n_embd": 8, "n_layer": 1, "n_head": 1, "vocab_size": 9}
    opt = {"word_embed_proj_dim": 8, "ffn_dim": 8, **tiny}
    configs = [
        transformers.BertConfig(intermediate_size=8, **tiny),
        transformers.RobertaConfig(intermediate_size=8, **tiny),
        transformers.DistilBertConfig(dim=8, hidden_dim=8, n_layers=1, n_heads=1, vocab_size=9),
        transformers.GPT2Config(**gpt),
        transformers.OpenAIGPTConfig(**gpt),
        transformers.OPTConfig(**opt),
    ]
    for config in configs:
        model = transformers.AutoModel.from_config(config)
        names = list(model.state_dict())
        found = weights.choose(names, config.model_type)
        assert model.state_dict()[found].shape[1] == 8


def test_models_with_relative_positions_have_none() -> None:
    t5 = {"d_model": 8, "d_ff": 8, "d_kv": 8, "num_layers": 1, "num_heads": 1, "vocab_size": 9}
    tiny = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": 9}
    for config in (
        transformers.T5Config(**t5),
        transformers.LlamaConfig(intermediate_size=8, num_key_value_heads=1, **tiny),
        transformers.BloomConfig(hidden_size=8, n_layer=1, n_head=1, vocab_size=9),
    ):
        names = list(transformers.AutoModel.from_config(config).state_dict())
        with pytest.raises(weights.NoTableError):
            weights.choose(names, config.model_type)


@pytest.mark.parametrize("kind", sorted(TWO_UNUSED | BEHIND_PADDING | {"bert", "distilbert"}))
def test_leading_rows_of_no_token_are_those_that_transformers_skips(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows that a model of Transformers looks up for the first three tokens of a text."""
    sizes = {"hidden_size": 8, "d_model": 8, "dim": 8, "word_embed_proj_dim": 8}
    heads = ("num_attention_heads", "encoder_attention_heads", "decoder_attention_heads", "n_heads")
    layers = ("num_hidden_layers", "encoder_layers", "decoder_layers", "n_layers")
    config = transformers.AutoConfig.for_model(
        kind, vocab_size=50, **sizes, **dict.fromkeys([*heads, *layers], 1), **EXTRA.get(kind, {})
    )
    model = transformers.AutoModel.from_config(config).eval()
    name = weights.candidates(list(model.state_dict()))[-1]
    table = model.get_parameter(name)
    looked_up: list[int] = []
    original = torch.nn.functional.embedding

    def spy(ids, rows, *rest, **options):
        if rows is table:
            looked_up.extend(ids.flatten().tolist())
        return original(ids, rows, *rest, **options)

    monkeypatch.setattr("torch.nn.functional.embedding", spy)
    model(torch.tensor([[15, 16, 17]]))
    unused = leading_unused_rows(config.to_dict())
    assert looked_up[:3] == [unused, unused + 1, unused + 2]


@pytest.mark.parametrize(
    ("kind", "config", "unused"),
    [
        ("opt", {}, 2),
        ("roberta", {"pad_token_id": 1}, 2),
        ("roberta", {}, 2),
        ("roberta", {"pad_token_id": 4}, 5),
        ("bert", {"pad_token_id": 0}, 0),
    ],
)
def test_leading_rows_are_left_out_unless_asked_for(
    local_hub: LocalHub, kind: str, config: dict[str, int], unused: int
) -> None:
    publish(local_hub, kind, {"embed_positions.weight": ROWS}, **config)
    np.testing.assert_array_equal(tables.load(REPO).rows, ROWS[unused:])
    assert ("left out" in tables.load(REPO).note) == bool(unused)
    np.testing.assert_array_equal(tables.load(REPO, unused_rows=True).rows, ROWS)


def test_several_tables_must_be_chosen_from(local_hub: LocalHub) -> None:
    encoder, decoder = (f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder"))
    publish(local_hub, "bart", {encoder: ROWS, decoder: -ROWS})
    with pytest.raises(InvalidValueError) as caught:
        tables.load(REPO)
    assert encoder in str(caught.value) and decoder in str(caught.value)
    np.testing.assert_array_equal(tables.load(REPO, parameter=decoder).rows, -ROWS[2:])


def test_model_without_a_table_says_so_with_its_type(local_hub: LocalHub) -> None:
    publish(local_hub, "llama", {"model.embed_tokens.weight": ROWS})
    with pytest.raises(InvalidValueError, match=r"model type llama.*no table of absolute"):
        tables.load(REPO)


def test_rotary_model_with_a_left_over_table(local_hub: LocalHub) -> None:
    """ESM-2 keeps a table in its weights that it never reads."""
    tensors = {"esm.embeddings.position_embeddings.weight": ROWS}
    publish(local_hub, "esm", tensors, position_embedding_type="rotary")
    with pytest.raises(InvalidValueError, match="no table of absolute"):
        tables.load(REPO)


def test_pickled_weights_are_refused(local_hub: LocalHub) -> None:
    local_hub.repos[REPO] = {"config.json": b"{}", "pytorch_model.bin": b"anything"}
    with pytest.raises(InvalidValueError, match=r"Pickled weights .* refused"):
        tables.load(REPO)
    assert not any("pytorch_model" in request for request in local_hub.requests)


def test_shards_that_hold_no_table_are_not_downloaded(local_hub: LocalHub) -> None:
    index = {"weight_map": {"wpe.weight": "b.safetensors", "wte.weight": "a.safetensors"}}
    local_hub.repos[REPO] = {
        "config.json": b'{"model_type": "gpt2"}',
        "model.safetensors.index.json": json.dumps(index).encode(),
        "b.safetensors": save({"wpe.weight": ROWS}),
    }
    np.testing.assert_array_equal(tables.load(REPO).rows, ROWS)
    with pytest.raises(UnknownNameError, match=r"Valid: wpe\.weight"):
        tables.load(REPO, parameter="wpe")
    with pytest.raises(DamagedFileError, match=r"lists a\.safetensors"):
        tables.load(REPO, parameter="wte.weight")


@pytest.mark.parametrize("config", [b"{", b"[1]", b"\xff\xfe"])
def test_broken_configuration(local_hub: LocalHub, config: bytes) -> None:
    local_hub.repos[REPO] = {"config.json": config, "model.safetensors": save({"wpe": ROWS})}
    with pytest.raises(DamagedFileError, match="JSON"):
        tables.load(REPO)


def test_no_configuration(local_hub: LocalHub) -> None:
    local_hub.repos[REPO] = {"model.safetensors": save({"wpe": ROWS})}
    with pytest.raises(InvalidValueError, match=r"no config\.json"):
        tables.load(REPO)


def test_table_of_another_shape(local_hub: LocalHub) -> None:
    publish(local_hub, "vit", {"vit.embeddings.position_embeddings": ROWS[None]})
    with pytest.raises(InvalidValueError, match=r"shape \(1, 20, 6\)"):
        tables.load(REPO)


def test_wrong_parameter(local_hub: LocalHub) -> None:
    publish(local_hub, "gpt2", {"wpe.weight": ROWS, "wte.weight": ROWS})
    with pytest.raises(UnknownNameError, match=r"Valid: wpe\.weight"):
        tables.load(REPO, parameter="nope")


def test_revision_is_recorded_and_unknown_ones_refused(local_hub: LocalHub) -> None:
    publish(local_hub, "gpt2", {"wpe.weight": ROWS})
    assert COMMIT in tables.load(REPO, revision=COMMIT).source
    with pytest.raises(InvalidValueError, match="no revision 'v9'"):
        tables.load(REPO, revision="v9")


def test_second_load_needs_no_network(local_hub: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(local_hub, "gpt2", {"wpe.weight": ROWS})
    assert not tables.at_hand(REPO)
    first = tables.load(REPO)
    assert tables.at_hand(REPO)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert tables.load(REPO).sha256 == first.sha256
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert tables.load(REPO).sha256 == first.sha256


def test_weights_damaged_in_the_cache(local_hub: LocalHub, cache: Path) -> None:
    publish(local_hub, "gpt2", {"wpe.weight": ROWS})
    tables.load(REPO)
    (path,) = cache.rglob("snapshots/*/model.safetensors")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match="Delete it"):
        tables.load(REPO)


def test_name_without_an_owner_may_be_a_model(local_hub: LocalHub) -> None:
    publish(local_hub, "gpt2", {"wpe.weight": ROWS})
    local_hub.repos["gpt2-tiny"] = local_hub.repos[REPO]
    np.testing.assert_array_equal(tables.load("gpt2-tiny").rows, ROWS)
    with pytest.raises(UnknownNameError, match=r"parameter in model\.safetensors 'nope'"):
        tables.load("gpt2-tiny", parameter="nope")


def test_slip_in_a_name_suggests_the_nearest(local_hub: LocalHub) -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'gpt2'\?.*sinusoidal"):
        tables.load("gtp2")


def test_slip_in_a_name_suggests_the_nearest_without_a_network(cache: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'gpt2'\?.*is not known.*refused"):
        tables.load("gtp2")


def test_no_such_model(local_hub: LocalHub) -> None:
    with pytest.raises(UnknownNameError, match="no model 'no/where'"):
        tables.load("no/where")


def test_no_network(cache: Path) -> None:
    with pytest.raises(NotAtHandError, match=r"download of someone/model .* failed"):
        tables.load(REPO)
