"""Where a file is looked for, and what is said when it is damaged or nowhere."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from positions import data
from positions.errors import DamagedFileError, NotAtHandError

CONTENT = b"IN: jump twice OUT: I_JUMP I_JUMP\n" * 50


@pytest.fixture
def resource() -> data.Resource:
    return data.Resource(
        path="scan/some/commands.txt",
        description="Some commands",
        licence="BSD",
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        how="ask the authors.",
    )


@pytest.fixture
def folder(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the user's, empty."""
    own = tmp_path / "own"
    (own / "scan/some").mkdir(parents=True)
    monkeypatch.setenv("POSITIONS_DATA", str(own))
    return own


def test_plain_file_in_the_data_folder(folder: Path, resource: data.Resource) -> None:
    (folder / resource.path).write_bytes(CONTENT)
    assert data.locate(resource) == folder / resource.path
    assert data.read(resource) == CONTENT


def test_compressed_file_in_the_data_folder(folder: Path, resource: data.Resource) -> None:
    stored = folder / (resource.path + ".gz")
    stored.write_bytes(gzip.compress(CONTENT))
    assert data.locate(resource) == stored
    assert data.read(resource) == CONTENT


def test_data_folder_comes_before_the_cache(
    folder: Path, cache: Path, resource: data.Resource
) -> None:
    for place in (cache / "data", folder):
        (place / resource.path).parent.mkdir(parents=True, exist_ok=True)
        (place / resource.path).write_bytes(CONTENT)
    assert data.find(resource) == folder / resource.path
    (folder / resource.path).unlink()
    assert data.find(resource) == cache / "data" / resource.path


def test_wrong_content_names_file_and_both_digests(folder: Path, resource: data.Resource) -> None:
    stored = folder / resource.path
    stored.write_bytes(CONTENT + b"more")
    with pytest.raises(DamagedFileError) as caught:
        data.locate(resource)
    message = str(caught.value)
    assert str(stored) in message
    assert resource.sha256 is not None and resource.sha256 in message
    assert hashlib.sha256(CONTENT + b"more").hexdigest() in message
    assert "POSITIONS_DATA" in message


def test_mended_file_is_noticed_in_the_same_process(folder: Path, resource: data.Resource) -> None:
    stored = folder / resource.path
    stored.write_bytes(CONTENT[:-1])
    with pytest.raises(DamagedFileError):
        data.locate(resource)
    stored.write_bytes(CONTENT)
    assert data.locate(resource) == stored


@pytest.mark.parametrize("cut", [5, 40], ids=["in the header", "in the body"])
def test_broken_compression(folder: Path, resource: data.Resource, cut: int) -> None:
    (folder / (resource.path + ".gz")).write_bytes(gzip.compress(CONTENT)[:cut])
    with pytest.raises(DamagedFileError, match="gzip"):
        data.locate(resource)


def test_damaged_file_in_the_cache_is_to_be_deleted(cache: Path, resource: data.Resource) -> None:
    stored = cache / "data" / resource.path
    stored.parent.mkdir(parents=True)
    stored.write_bytes(b"")
    with pytest.raises(DamagedFileError, match="Delete it"):
        data.locate(resource)


def test_file_nowhere_says_where_it_was_looked_for_and_how_to_get_it(
    folder: Path, cache: Path, resource: data.Resource
) -> None:
    with pytest.raises(NotAtHandError) as caught:
        data.locate(resource)
    message = str(caught.value)
    assert str(folder / resource.path) in message
    assert str(cache / "data" / resource.path) in message
    assert "ask the authors" in message


def test_data_folder_that_does_not_exist(
    cache: Path, resource: data.Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSITIONS_DATA", "/no/such/folder")
    with pytest.raises(NotAtHandError, match="/no/such/folder"):
        data.locate(resource)
    with pytest.raises(NotAtHandError, match="/no/such/folder"):
        data.available()
