"""Downloads from plain addresses: whole and checked, or nothing and one clear message."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import zipfile
from pathlib import Path

import pytest
from tests.data.local_hub import LocalHub, files_in

from positions import data
from positions.data import download
from positions.errors import DamagedFileError, NotAtHandError

CONTENT = os.urandom(200_000)


def declare(address: str, content: bytes = CONTENT, member: str | None = None) -> data.Resource:
    return data.Resource(
        path="sentences/some.all",
        description="Some sentences",
        licence="free",
        sha256=hashlib.sha256(content).hexdigest(),
        source=data.Url(address, member),
    )


def test_download_lands_in_the_cache_once(local_hub: LocalHub, cache: Path) -> None:
    local_hub.files["/some.all"] = CONTENT
    resource = declare(f"{local_hub.address}/some.all")
    assert data.find(resource) is None
    path = data.locate(resource)
    assert path == cache / "data/sentences/some.all"
    assert path.read_bytes() == CONTENT
    assert data.locate(resource) == path
    assert local_hub.requests == ["GET /some.all"]
    assert files_in(cache) == ["data/sentences/some.all"]


def test_compressed_file_is_kept_compressed(local_hub: LocalHub, cache: Path) -> None:
    local_hub.files["/some.gz"] = gzip.compress(CONTENT)
    resource = declare(f"{local_hub.address}/some.gz")
    assert data.locate(resource) == cache / "data/sentences/some.all.gz"
    assert data.read(resource) == CONTENT


def test_one_file_out_of_an_archive(local_hub: LocalHub, cache: Path) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("raw/train", CONTENT)
        opened.writestr("raw/test", b"other")
    local_hub.files["/some.zip"] = archive.getvalue()
    resource = declare(f"{local_hub.address}/some.zip", member="raw/train")
    assert data.read(resource) == CONTENT
    assert files_in(cache) == ["data/sentences/some.all"]


@pytest.mark.parametrize("archive", [CONTENT, b""], ids=["no archive", "empty"])
def test_archive_that_is_none(local_hub: LocalHub, cache: Path, archive: bytes) -> None:
    local_hub.files["/some.zip"] = archive
    with pytest.raises(NotAtHandError, match=r"some\.zip failed"):
        data.locate(declare(f"{local_hub.address}/some.zip", member="raw/train"))
    assert files_in(cache) == []


def test_archive_without_the_file(local_hub: LocalHub, cache: Path) -> None:
    archive = io.BytesIO()
    zipfile.ZipFile(archive, "w").close()
    local_hub.files["/some.zip"] = archive.getvalue()
    with pytest.raises(NotAtHandError, match="raw/train"):
        data.locate(declare(f"{local_hub.address}/some.zip", member="raw/train"))
    assert files_in(cache) == []


def test_wrong_content_is_not_kept(local_hub: LocalHub, cache: Path) -> None:
    local_hub.files["/some.all"] = b"something else"
    resource = declare(f"{local_hub.address}/some.all")
    with pytest.raises(DamagedFileError) as caught:
        data.locate(resource)
    message = str(caught.value)
    assert resource.sha256 is not None and resource.sha256 in message
    assert hashlib.sha256(b"something else").hexdigest() in message
    assert f"{local_hub.address}/some.all" in message
    assert files_in(cache) == []


def test_download_cut_short_is_not_kept(local_hub: LocalHub, cache: Path) -> None:
    local_hub.files["/some.all"] = CONTENT
    local_hub.cut = 1000
    with pytest.raises(NotAtHandError, match="1000 of 200000 bytes"):
        data.locate(declare(f"{local_hub.address}/some.all"))
    assert files_in(cache) == []


def test_address_that_holds_nothing(local_hub: LocalHub, cache: Path) -> None:
    with pytest.raises(NotAtHandError, match="404"):
        data.locate(declare(f"{local_hub.address}/gone"))
    assert files_in(cache) == []


def test_no_network(cache: Path) -> None:
    with pytest.raises(NotAtHandError, match=r"refused.*network.*POSITIONS_DATA"):
        data.locate(declare("http://127.0.0.1:9/some.all"))
    assert files_in(cache) == []


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_offline_is_respected(
    local_hub: LocalHub, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    local_hub.files["/some.all"] = CONTENT
    monkeypatch.setenv(variable, "1")
    with pytest.raises(NotAtHandError, match=f"{variable} forbids downloads"):
        data.locate(declare(f"{local_hub.address}/some.all"))
    assert local_hub.requests == []


def test_cache_that_cannot_be_written(
    local_hub: LocalHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local_hub.files["/some.all"] = CONTENT
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "file"))
    with pytest.raises(NotAtHandError, match="Set POSITIONS_CACHE"):
        data.locate(declare(f"{local_hub.address}/some.all"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_cache(local_hub: LocalHub, cache: Path) -> None:
    local_hub.files["/some.all"] = CONTENT
    cache.mkdir(mode=0o500)
    with pytest.raises(NotAtHandError, match="Set POSITIONS_CACHE"):
        data.locate(declare(f"{local_hub.address}/some.all"))


def test_full_disk(local_hub: LocalHub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local_hub.files["/some.all"] = CONTENT

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(download, "_transfer", full)
    with pytest.raises(NotAtHandError, match=r"No space left.*free disk space"):
        data.locate(declare(f"{local_hub.address}/some.all"))
    assert files_in(cache) == []
