"""The store: recorded runs as sorted text files that git can show and merge."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import ValidationError

from positions import experiments, paths
from positions.errors import DamagedFileError, InvalidValueError, PositionsError
from positions.experiments.base import Experiment
from positions.runs.record import KEY_LENGTH, Record, parse
from positions.settings import explain

LOCK_SECONDS = 60
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_CONFLICT = (b"<<<<<<<", b"=======", b">>>>>>>")
_REDO = "Delete that line and its run is done again, or bring the file back from git."
_START = re.compile(rb'\{"key":"([0-9a-f]{%d})",' % KEY_LENGTH)


class NotWrittenError(PositionsError):
    """Records that could not be written where they belong; the message says where they are."""


@dataclass
class Merged:
    """What a merge did: records added, keys that both had, those whose metrics differ.

    `left_out`: files that were not wanted.
    """

    added: int = 0
    already: int = 0
    differing: list[str] = field(default_factory=list)
    left_out: list[Path] = field(default_factory=list)


class Store:
    """Records in `FOLDER/<experiment>/<preset>.jsonl`: one JSON object a line, sorted by key.

    `folder` defaults to the project's `results`. Reading needs no lock, as files are replaced
    whole; writing holds a lock beside the file.
    """

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = paths.results() if folder is None else Path(folder)
        self._rescued: Path | None = None

    def path(self, experiment: str, preset: str) -> Path:
        """Return the file of an experiment's preset; raises `InvalidValueError` for odd names."""
        for name in (experiment, preset):
            if not _NAME.fullmatch(name):
                raise InvalidValueError(
                    f"{name!r} cannot name an experiment or a preset: "
                    "letters, digits, '-' and '_' only, a letter or digit first."
                )
        return self.folder / experiment / f"{preset}.jsonl"

    def files(self) -> list[tuple[str, str]]:
        """Return (experiment, preset) of every file there is, sorted."""
        found = self.folder.glob("*/*.jsonl")
        return sorted((path.parent.name, path.stem) for path in found)

    def load(self, experiment: str | Experiment[Any], preset: str) -> list[Record]:
        """Return the current records of a preset, sorted by key; none recorded is an empty list.

        Records of an older version of the experiment stay in the file and are left out. Raises
        `UnknownNameError` for an unknown experiment or preset, `DamagedFileError` for a damaged
        file.
        """
        known = experiments.get(experiment) if isinstance(experiment, str) else experiment
        known.check_preset(preset)
        return [item for item in self.read(known.name, preset) if item.version == known.version]

    def read(self, experiment: str, preset: str) -> list[Record]:
        """Return every record of a file, those of older versions too.

        Raises `DamagedFileError` that names the file and the line.
        """
        path = self.path(experiment, preset)
        return [
            _parse(line, path, number, experiment, preset)
            for number, line in enumerate(_checked_lines(path), start=1)
        ]

    def add(self, record: Record) -> bool:
        """Write a record; return False where its key is there already (the first one stays).

        Raises `DamagedFileError` where the file is damaged, and `NotWrittenError` where it cannot
        be written: the record is then in a folder that the message names.
        """
        return self.extend([record]) == 1

    def extend(self, records: Iterable[Record]) -> int:
        """Write several records, each file once; return how many were new. Raises as `add`."""
        batches: dict[tuple[str, str], list[Record]] = {}
        for record in records:
            batches.setdefault((record.experiment, record.preset), []).append(record)
        return sum(self._insert(self.path(*names), batch) for names, batch in batches.items())

    def check_writable(self, experiment: str, preset: str) -> None:
        """Raise `NotWrittenError` where a record could not be written, before it is made."""
        path = self.path(experiment, preset)
        try:
            with _lock(path):
                pass
        except (OSError, Timeout) as error:
            raise NotWrittenError(
                f"Could not write {path}: {error}. Nothing was run. Make the folder writable, or "
                "work in another copy of the project."
            ) from None

    def merge(
        self, other: Store | Path | str, wanted: Callable[[str, str], bool] | None = None
    ) -> Merged:
        """Take over what another store has and this one lacks; ours stay where both have a key.

        `wanted` says of an experiment and a preset whether to take them. Everything of the other
        store is read and checked before anything is written. Raises as
        `add`, and `InvalidValueError` where the other folder holds no records.
        """
        other = other if isinstance(other, Store) else Store(other)
        if not other.files():
            raise InvalidValueError(
                f"{other.folder} holds no records: expected <experiment>/<preset>.jsonl in it."
            )
        files = [names for names in other.files() if wanted is None or wanted(*names)]
        theirs = [record for names in files for record in other.read(*names)]
        ours = {_place(record): record for names in self.files() for record in self.read(*names)}
        new = [record for record in theirs if _place(record) not in ours]
        merged = Merged(added=self.extend(new))
        merged.already = len(theirs) - merged.added
        merged.differing = [
            record.key
            for record in theirs
            if _place(record) in ours and record.metrics != ours[_place(record)].metrics
        ]
        merged.left_out = [other.path(*names) for names in other.files() if names not in files]
        return merged

    def _insert(self, path: Path, records: list[Record]) -> int:
        """Write the records that the file lacks, in one atomic step; return their number."""
        try:
            with _lock(path):
                lines = _checked_lines(path)
                before = len(lines)
                for record in records:
                    line = record.line().encode()
                    at = bisect_left(lines, line[: _start_length()])
                    if at == len(lines) or not lines[at].startswith(line[: _start_length()]):
                        lines.insert(at, line)
                if len(lines) > before:
                    _replace(path, b"\n".join(lines) + b"\n")
                return len(lines) - before
        except DamagedFileError as error:
            where = self._rescue(records)
            raise DamagedFileError(f"{error} The new records are not lost: {where}.") from None
        except (OSError, Timeout) as error:
            where = self._rescue(records)
            raise NotWrittenError(
                f"Could not write {path}: {error}. The new records are not lost: {where}."
            ) from None

    def _rescue(self, records: list[Record]) -> str:
        """Put records where there is room; return words that say where, or the records."""
        try:
            if self._rescued is None:
                self._rescued = Path(tempfile.mkdtemp(prefix="positions-rescued-"))
            for record in records:
                path = Store(self._rescued).path(record.experiment, record.preset)
                lines = sorted({*_checked_lines(path), record.line().encode()})
                _replace(path, b"\n".join(lines) + b"\n")
        except OSError:
            return "here they are, one a line:\n" + "\n".join(record.line() for record in records)
        return (
            f"they are in {self._rescued}; once the cause is mended, take them over with "
            f"`positions results merge {self._rescued}`"
        )


def _place(record: Record) -> tuple[str, str, str]:
    """Return what no two records of a store share."""
    return record.experiment, record.preset, record.key


def _start_length() -> int:
    """Return how many bytes of a line decide its order: up to the quote that ends the key."""
    return len('{"key":"') + KEY_LENGTH + 1


def _checked_lines(path: Path) -> list[bytes]:
    """Return a file's lines; cheap checks of whole lines, keys, order and repeats.

    An absent file has no lines. Raises `DamagedFileError`, where it cannot be read too.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DamagedFileError(f"{path} cannot be read: {error.strerror}.") from None
    lines = content.split(b"\n")
    if lines.pop() != b"":
        raise _damaged(path, len(lines) + 1, "is cut off", _REDO)
    starts = [_START.match(line) for line in lines]
    keys = [start.group(1) if start else b"" for start in starts]
    if b"" in keys:
        at = keys.index(b"")
        if lines[at][:7] in _CONFLICT:
            advice = "Delete the marker lines, keep the records of both sides."
            raise _damaged(path, at + 1, "is a mark of a git merge conflict", advice)
        raise _damaged(path, at + 1, 'does not start with {"key":"..."', _REDO)
    for number, (one, two) in enumerate(pairwise(keys), start=1):
        if one == two:
            raise _damaged(
                path, number + 1, f"repeats key {two.decode()} of line {number}", "Delete one."
            )
        if one > two:
            raise _damaged(
                path,
                number + 1,
                "is out of order",
                f"Sort the file: LC_ALL=C sort -o '{path}' '{path}'",
            )
    return lines


def _parse(line: bytes, path: Path, number: int, experiment: str, preset: str) -> Record:
    """Read one line strictly; raises `DamagedFileError`."""
    try:
        record = parse(line.decode())
    except ValidationError as error:
        raise _damaged(path, number, f"is no record. {explain(Record, error)}", _REDO) from None
    except (ValueError, RecursionError) as error:
        raise _damaged(path, number, f"is no JSON ({error})", _REDO) from None
    if (record.experiment, record.preset) != (experiment, preset):
        raise _damaged(
            path,
            number,
            f"belongs to experiment {record.experiment!r}, preset {record.preset!r}",
            f"Move it to {record.experiment}/{record.preset}.jsonl.",
        )
    return record


def _damaged(path: Path, line: int, what: str, advice: str) -> DamagedFileError:
    return DamagedFileError(f"{path}, line {line} {what}. Nothing was changed. {advice}")


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file; its folder is made where it lacks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f".{path.name}.lock"), timeout=LOCK_SECONDS):
        yield


def _replace(path: Path, content: bytes) -> None:
    """Replace a file whole: after a crash it holds either the old content or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        left.unlink(missing_ok=True)  # by a process that was killed: who writes holds the lock
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
