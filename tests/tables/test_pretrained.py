"""The tables that the papers studied, against published digests and properties."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from tests.data.local_hub import COMMIT, LocalHub

from positions import data, tables
from positions.data.catalogue import position_tables, weights
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError
from positions.tables import pretrained

GPT2_SHA256 = "29c69587e2af826b7c159c38620a32e549a925e6d9a0dc37cb563f377f5be772"
COPIES = [f"bert-base-uncased-finetuned-{letter}" for letter in "abc"]


def random_rows(positions: int, width: int = 768) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((positions, width)).astype(np.float32)


def publish(
    hub: LocalHub,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    parameter: str,
    rows: np.ndarray,
) -> data.Resource:
    """Put a small model in the place of a pinned one, on the localhost Hub and in the pins."""
    content = save({parameter: rows, "wte.weight": np.zeros((3, 2), np.float32)})
    real: data.Resource = getattr(weights, name)
    assert isinstance(real.source, data.Hub)
    resource = data.Resource(
        path=real.path,
        description=real.description,
        licence=real.licence,
        sha256=hashlib.sha256(content).hexdigest(),
        source=data.Hub(real.source.repo, real.source.file, COMMIT),
    )
    hub.repos[real.source.repo] = {real.source.file: content}
    monkeypatch.setattr(weights, name, resource)
    return resource


def test_gpt2_is_exact(data_folder: Path) -> None:
    table = tables.load("gpt2")
    assert table.rows.shape == (1024, 768)
    assert table.sha256 == GPT2_SHA256
    assert tables.at_hand("gpt2")


def test_gpt2_by_its_id_on_the_hub_is_the_same_table(data_folder: Path) -> None:
    assert tables.at_hand("openai-community/gpt2")
    assert tables.load("openai-community/gpt2").sha256 == GPT2_SHA256


def test_gpt2_rows_far_apart_point_apart(data_folder: Path) -> None:
    """Neighbouring rows are nearly parallel; a real table read in another order would not be."""
    rows = tables.load("gpt2").rows[:512].astype(np.float64)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert np.median(np.diagonal(cosines, 1)) > 0.98
    assert np.median(np.diagonal(cosines, 300)) < 0.2


def test_fine_tuned_copies_share_what_their_notes_say(data_folder: Path) -> None:
    """Standard deviations of the difference, after one scale fitted on rows 128 to 511."""
    a, b, c = (tables.load(name).rows.astype(np.float64) for name in COPIES)

    def difference(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
        scale = (x[128:] * y[128:]).sum() / (x[128:] ** 2).sum()
        return (x * scale - y)[:128].std(), (x * scale - y)[128:].std()

    first, rest = difference(a, c)
    assert first == pytest.approx(2.8e-3, rel=0.1)
    assert rest == pytest.approx(6e-9, rel=0.1)
    assert difference(a, b)[1] == pytest.approx(7e-4, rel=0.1)
    assert difference(c, b)[1] == pytest.approx(7e-4, rel=0.1)


@pytest.mark.parametrize("name", COPIES)
def test_fine_tuned_copies_say_that_they_are_copies(data_folder: Path, name: str) -> None:
    table = tables.load(name)
    assert table.rows.shape == (512, 768)
    assert "fine-tuned copy" in table.title
    assert "Not BERT's own table" in table.note


def test_bert_is_never_replaced_by_a_copy(data_folder: Path, cache_elsewhere: None) -> None:
    assert not tables.at_hand("bert-base-uncased")
    with pytest.raises(NotAtHandError) as caught:
        tables.load("bert-base-uncased")
    assert all(name in str(caught.value) for name in COPIES)


@pytest.fixture
def cache_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache and no downloads, beside the real data."""
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.mark.parametrize("name", COPIES)
def test_copies_not_at_hand_say_how_to_get_them(cache: Path, name: str) -> None:
    assert not tables.at_hand(name)
    with pytest.raises(NotAtHandError, match=r"GitHub repository \S+ .* POSITIONS_DATA"):
        tables.load(name)


def test_gpt2_not_at_hand_names_the_weights_and_the_table_alone(cache: Path) -> None:
    assert not tables.at_hand("gpt2")
    with pytest.raises(NotAtHandError) as caught:
        tables.load("gpt2")
    assert weights.GPT2.path in str(caught.value)
    assert position_tables.GPT2.path in str(caught.value)


def test_damaged_table_in_the_data_folder(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(position_tables.GPT2.path)
    damaged = bytearray((data_folder / path).read_bytes())
    damaged[1000] ^= 1
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_bytes(damaged)
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    with pytest.raises(DamagedFileError, match=GPT2_SHA256):
        tables.load("gpt2")


def test_gpt2_out_of_its_weights(local_hub: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_rows(1024)
    publish(local_hub, monkeypatch, "GPT2", "wpe.weight", rows)
    expected = hashlib.sha256(rows.tobytes()).hexdigest()
    monkeypatch.setattr(
        position_tables,
        "GPT2",
        data.Resource(path="position-tables/gpt2/x", description="", licence="", sha256=expected),
    )
    table = tables.load("gpt2")
    np.testing.assert_array_equal(table.rows, rows)
    assert COMMIT in table.source and "wpe.weight" in table.source


def test_gpt2_weights_with_another_table_are_refused(
    local_hub: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(local_hub, monkeypatch, "GPT2", "wpe.weight", random_rows(1024))
    with pytest.raises(DamagedFileError, match=GPT2_SHA256):
        tables.load("gpt2")


def test_bert_out_of_its_weights(local_hub: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_rows(512)
    name = "bert.embeddings.position_embeddings.weight"
    publish(local_hub, monkeypatch, "BERT", name, rows)
    np.testing.assert_array_equal(tables.load("bert-base-uncased").rows, rows)


def test_roberta_leaves_out_the_two_rows_of_no_token(
    local_hub: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = random_rows(514)
    name = "roberta.embeddings.position_embeddings.weight"
    publish(local_hub, monkeypatch, "ROBERTA", name, rows)
    np.testing.assert_array_equal(tables.load("roberta-base").rows, rows[2:])
    np.testing.assert_array_equal(tables.load("roberta-base", unused_rows=True).rows, rows)
    assert "left out" in tables.load("roberta-base").note
    with pytest.raises(InvalidValueError, match="unused_rows"):
        tables.load("roberta-base", unused_rows="yes")


def test_sinusoid_follows_its_definition() -> None:
    """Wang & Chen's table is 512 x 768: sin(t / 10000^(2j/768)) in column 2j, cos in 2j + 1."""
    rows = tables.load("sinusoidal").rows
    assert rows.shape == (512, 768)
    for t, column in [(0, 0), (1, 0), (1, 1), (17, 200), (511, 767), (300, 401)]:
        angle = t / 10000 ** (2 * (column // 2) / 768)
        expected = np.cos(angle) if column % 2 else np.sin(angle)
        assert rows[t, column] == pytest.approx(expected, abs=1e-4)


def test_sinusoid_of_any_size() -> None:
    small = tables.load("sinusoidal", positions=20, width=10)
    np.testing.assert_array_equal(
        small.rows, tables.load("sinusoidal", positions=50, width=10).rows[:20]
    )


def test_every_named_table_has_a_loader_for_its_files() -> None:
    assert set(pretrained.MODEL_IDS.values()) == {"gpt2", "bert-base-uncased", "roberta-base"}
