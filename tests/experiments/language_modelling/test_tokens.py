"""Tokenizers from files: the right one, one of another text, and none at all."""

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from positions.errors import DamagedFileError, NotAtHandError
from positions.experiments.language_modelling import tokens
from positions.experiments.language_modelling.tokens import READY_MADE, read, tokens_of
from positions.tasks.corpora import Corpus

TEXT = Corpus("letters", ("a b c a",), ("b",), ("c", "d"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    tokens._ready_made.cache_clear()
    return tmp_path


def put(folder: Path, name: str, content: str) -> None:
    path = folder / READY_MADE[name].resource.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def words(count: int, *marks: str) -> str:
    names = [*marks, "a", "b", "c", "d"]
    names += [f"w{number}" for number in range(count - len(names))]
    found = Tokenizer(models.WordLevel({name: n for n, name in enumerate(names)}, unk_token="d"))
    found.pre_tokenizer = pre_tokenizers.Whitespace()
    return found.to_str()


def test_a_ready_made_tokenizer_brings_its_marks(folder) -> None:
    put(folder, "bert-base-uncased", words(30_522, "[CLS]", "[SEP]", "[MASK]"))
    found = tokens_of(TEXT, "bert-base-uncased", None)
    vocabulary = found.vocabulary
    assert (vocabulary.size, vocabulary.begin, vocabulary.end, vocabulary.mask) == (30_522, 0, 1, 2)
    assert [part.tolist() for part in found.train] == [[3, 4, 5, 3]]
    assert found.bytes_per_token == 7 / 4
    assert len(found.digest) == 64


@pytest.mark.parametrize(
    ("name", "size", "marks"),
    [("gpt2", 300, ()), ("bert-base-uncased", 30_522, ()), ("bert-base-uncased", 99, ("[MASK]",))],
)
def test_a_tokenizer_of_something_else_is_refused(folder, name, size, marks) -> None:
    put(folder, name, words(size, *marks))
    with pytest.raises(DamagedFileError, match=r"tokenizer of something else.*Delete it"):
        read(name)


@pytest.mark.parametrize("content", ["", "{}", "[1", words(300)[:-200], json.dumps({"model": 1})])
def test_a_file_that_is_no_tokenizer_is_one_message(folder, content) -> None:
    put(folder, "gpt2", content)
    with pytest.raises(DamagedFileError, match="is no tokenizer") as caught:
        read("gpt2")
    assert "\n" not in str(caught.value)


def test_a_tokenizer_that_is_nowhere_says_where_to_get_it() -> None:
    with pytest.raises(NotAtHandError, match=r"tokenizer of GPT-2.*models/openai-community/gpt2"):
        read("gpt2")


def test_own_byte_pairs_get_an_end_and_a_mask() -> None:
    vocabulary = tokens_of(TEXT, "own", 258).vocabulary
    assert vocabulary.mask == vocabulary.end + 1 == vocabulary.size - 1
    assert vocabulary.begin == 0
