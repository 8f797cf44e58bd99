"""Download a file from a plain address into the cache, whole and checked or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path

from tqdm import tqdm

from positions import paths
from positions.data import digests
from positions.data.resources import Url
from positions.errors import NotAtHandError

BLOCK = 1 << 16
TIMEOUT = 30  # seconds without a byte
KEPT_NOTHING = (
    "Nothing was kept. Run again; if it stays so, the source has changed: please report it."
)
OFFLINE_VARIABLES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def folder() -> Path:
    """Return the cache's folder of downloaded data, laid out as a data folder is."""
    return paths.cache() / "data"


def refuse_offline() -> None:
    """Raise `NotAtHandError` where the environment forbids downloads."""
    for variable in OFFLINE_VARIABLES:
        if os.environ.get(variable, "").strip().lower() in {"1", "on", "yes", "true"}:
            raise NotAtHandError(f"{variable} forbids downloads: unset it to allow them.")


def writable(place: Path) -> Path:
    """Make the folder and return it; raise `NotAtHandError` where nothing can be written there."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return place
    except OSError as error:
        raise NotAtHandError(
            f"Nothing can be downloaded, for the cache {place} can't be written "
            f"({error.strerror}). Set {paths.CACHE_VARIABLE} to a folder that can."
        ) from error


def fetch(source: Url, path: str, sha256: str | None) -> Path:
    """Download `source` to `path` in the cache's data folder and return the file's path.

    A file that the address holds compressed (`.gz`) is kept so. Raises `NotAtHandError` where the
    address doesn't answer or the cache can't be written, `DamagedFileError` where the content
    isn't what `sha256` says; neither leaves anything behind.
    """
    refuse_offline()
    target = folder() / path
    if source.member is None and source.address.endswith(".gz"):
        target = target.with_name(target.name + ".gz")
    writable(target.parent)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".download-") as scratch:
        arrived = Path(scratch) / target.name
        with _plain_errors(source.address):
            _transfer(source.address, arrived)
            if source.member is not None:
                arrived = _extract(arrived, source.member)
        if sha256 is not None:
            digests.check(arrived, sha256, f"What {source} holds now", KEPT_NOTHING)
        arrived.replace(target)
    return target


@contextlib.contextmanager
def _plain_errors(address: str) -> Iterator[None]:
    """Turn what the network and the disk may raise into one sentence."""
    try:
        yield
    except (OSError, HTTPException, zipfile.BadZipFile, KeyError) as error:
        raise NotAtHandError(
            f"The download from {address} failed ({error}). "
            "Check the network and the free disk space and run again."
        ) from error


def _transfer(address: str, target: Path) -> None:
    """Copy what the address holds into a file, with a progress bar; raise if it stops early."""
    request = urllib.request.Request(address, headers={"User-Agent": "positions"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
        size = int(response.headers.get("Content-Length") or 0)
        bar = tqdm(total=size or None, unit="B", unit_scale=True, desc=target.name, leave=False)
        with bar, target.open("wb") as file:
            while block := response.read(BLOCK):
                bar.update(file.write(block))
    if size and target.stat().st_size != size:
        raise HTTPException(f"{target.stat().st_size} of {size} bytes arrived")


def _extract(archive: Path, member: str) -> Path:
    """Take one file out of a zip archive."""
    target = archive.with_name("member")
    with zipfile.ZipFile(archive) as opened, opened.open(member) as file, target.open("wb") as out:
        shutil.copyfileobj(file, out)
    return target
