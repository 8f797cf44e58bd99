"""The built site as one zip file with a manifest: the same site gives the same bytes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from positions.book import edition
from positions.errors import InvalidValueError, NotAtHandError, PositionsError

FOLDER = "positions-book"
"""The folder that the zip unpacks to."""
MANIFEST = "manifest.json"
LEVEL = 9
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""What a zip file can say; for a site without a commit."""


class NotArchivedError(PositionsError):
    """An archive that could not be written; one of before is still there."""

    exit_code = 1


def archive(site: Path, target: Path, *, force: bool = False) -> Path:
    """Pack a site into the zip file `target` and return it.

    `manifest.json` in it holds the commit, its date, the versions of Python and of all packages,
    and the SHA-256 of each file. Raises `NotAtHandError` where there is no whole site,
    `InvalidValueError` for a target that exists (unless `force`) or can be none, and
    `NotArchivedError` where it cannot be written.
    """
    if not (site / "index.html").is_file():
        raise NotAtHandError(f"No book in {site} yet. Build it first: positions book")
    built = edition.read(site)
    _check(site, target, force)
    files = sorted(path for path in site.rglob("*") if path.is_file())
    fresh = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as pack:
            _fill(pack, site, files, built)
        fresh.replace(target)
    except OSError as error:
        raise NotArchivedError(
            f"Could not write {target}: {error.strerror or error}. Nothing was replaced. Make "
            "room, or name another file: positions archive FILE"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
    return target


def _check(site: Path, target: Path, force: bool) -> None:
    if target.is_dir():
        raise InvalidValueError(f"{target} is a folder. Name a file: {target / FOLDER}.zip")
    if target.resolve().is_relative_to(site.resolve()):
        raise InvalidValueError(f"{target} lies in the site itself. Name a file elsewhere.")
    if not target.parent.is_dir():
        raise InvalidValueError(f"There is no folder {target.parent} for {target.name}. Make it.")
    if target.exists() and not force:
        raise InvalidValueError(f"{target} exists already. --force replaces it.")


def _fill(pack: zipfile.ZipFile, site: Path, files: list[Path], built: edition.Edition) -> None:
    time = _time(built.date)
    write = _writer(pack, time)
    sums = {}
    for path in files:
        content = path.read_bytes()
        name = path.relative_to(site).as_posix()
        sums[name] = hashlib.sha256(content).hexdigest()
        write(name, content)
    manifest = {**asdict(built), "files": sums}
    write(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())


def _writer(
    pack: zipfile.ZipFile, time: tuple[int, int, int, int, int, int]
) -> Callable[[str, bytes], None]:
    """Return a function that adds a file with this time and plain rights."""

    def write(name: str, content: bytes) -> None:
        entry = zipfile.ZipInfo(f"{FOLDER}/{name}", time)
        entry.create_system = 3  # Unix, also where it is made elsewhere
        entry.external_attr = 0o644 << 16
        pack.writestr(entry, content, zipfile.ZIP_DEFLATED, LEVEL)

    return write


def _time(date: str | None) -> tuple[int, int, int, int, int, int]:
    """Return a commit's date in UTC as a zip file writes it."""
    if date is None:
        return EARLIEST
    moment = datetime.fromisoformat(date).astimezone(UTC)
    stamp = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    return max(stamp, EARLIEST)
