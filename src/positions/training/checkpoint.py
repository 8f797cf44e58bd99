"""Checkpoints on disk: one safetensors file each, whole or not there at all.

A file's header holds the few facts that are no tensors, as JSON; its name ends in a digest of its
bytes. A file is written under another name, flushed to the disk and only then renamed, and the one
before is kept: whatever happens while writing, a whole checkpoint is left. Nothing is unpickled.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import filelock
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from positions.errors import DamagedFileError, PositionsError

KEPT = 2
SHARE = 20  # saving takes at most about 1/20 of the time
_NAME = re.compile(r"step-(\d+)-([0-9a-f]{16})\.safetensors")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checkpoint:
    """The state of a run after `step` steps: tensors, and facts that JSON can hold."""

    step: int
    tensors: dict[str, Tensor]
    facts: dict[str, Any]


class Checkpoints:
    """The checkpoints of one run, in a folder of their own.

    `key` says which run it is (a record's key will do); a checkpoint of another is never resumed.
    One is written about every `seconds`, less often where writing takes long; 0: at every step.
    """

    def __init__(self, folder: Path | str, key: str = "", seconds: float = 60.0) -> None:
        self.folder = Path(folder)
        self.key = key
        self.seconds = seconds
        self._next = time.monotonic() + seconds

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder and keep other processes out of it during the block.

        Raises `PositionsError` where it cannot be written, or another process trains there.
        """
        with self._explained("make the folder"):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / "lock")
            with suppress(filelock.Timeout):
                lock.acquire(timeout=0)
            if lock.is_locked:
                for left in self.folder.glob("writing-*"):  # by a process that was killed
                    left.unlink(missing_ok=True)
        if not lock.is_locked:
            raise PositionsError(
                f"Another process is training in {self.folder}. Wait for it, or use another folder."
            )
        try:
            self._next = time.monotonic() + self.seconds
            yield
        finally:
            lock.release()

    @property
    def due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() >= self._next

    def save(self, checkpoint: Checkpoint) -> Path:
        """Write a checkpoint, then remove all but the newest two; returns its path.

        Raises `PositionsError` if it cannot be written (full disk, no right to write); those
        already there are then untouched.
        """
        start = time.monotonic()
        draft = self.folder / f"writing-{os.getpid()}"
        try:
            with self._explained(f"write the checkpoint of step {checkpoint.step:,}"):
                save_file(checkpoint.tensors, draft, {"facts": json.dumps(checkpoint.facts)})
                digest = _flush(draft)
                path = self.folder / f"step-{checkpoint.step:09d}-{digest}.safetensors"
                draft.replace(path)
                _flush_folder(self.folder)
        finally:
            draft.unlink(missing_ok=True)
        for old in self.paths()[:-KEPT]:
            old.unlink(missing_ok=True)
        now = time.monotonic()
        self._next = now + (max(self.seconds, SHARE * (now - start)) if self.seconds else 0)
        return path

    def paths(self) -> list[Path]:
        """Return the files of the checkpoints, oldest first."""
        return sorted(path for path in self.folder.glob("step-*") if _NAME.fullmatch(path.name))

    def load(self) -> Checkpoint | None:
        """Return the newest whole checkpoint, None where there is none.

        A damaged one is said to be so, set aside (`.damaged` added to its name) and passed over.
        """
        for path in reversed(self.paths()):
            try:
                return read(path)
            except DamagedFileError as damage:
                log.warning("%s Going back to the checkpoint before it, if there is one.", damage)
                with self._explained("set a damaged checkpoint aside"):
                    path.rename(path.with_name(path.name + ".damaged"))
        return None

    def clear(self) -> None:
        """Remove the folder: the run is over and its record is kept."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        """Turn a failure of the file system into one clear message."""
        try:
            yield
        except (OSError, SafetensorError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            raise PositionsError(
                f"Could not {doing} in {self.folder}: {reason or error}. {self._left()} "
                "Make room or choose a folder that can be written, then start the run again."
            ) from error

    def _left(self) -> str:
        paths = self.paths()
        if not paths:
            return "No checkpoint was there before."
        step = _parts(paths[-1])[0]
        return f"The checkpoint of step {step:,} is untouched, and a new start goes on from it."


def read(path: Path) -> Checkpoint:
    """Read one checkpoint, on the CPU; raises `DamagedFileError` where its bytes have changed."""
    step, digest = _parts(path)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if not found.startswith(digest):
        raise DamagedFileError(f"{path} is damaged: its bytes do not fit the digest in its name.")
    with safe_open(path, framework="pt") as file:
        facts = json.loads(file.metadata()["facts"])
        # clones, so that nothing stays bound to a file that may be removed
        tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
    return Checkpoint(step, tensors, facts)


def differences(here: Mapping[str, Any], there: Mapping[str, Any]) -> list[str]:
    """List what differs between two sets of facts, for a message."""
    names = sorted(here.keys() | there.keys())
    return [
        f"{name} is {there.get(name)!r} there and {here.get(name)!r} here"
        for name in names
        if here.get(name) != there.get(name)
    ]


def _parts(path: Path) -> tuple[int, str]:
    """Return the step and the digest in a checkpoint's name."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise DamagedFileError(
            f"{path} is no checkpoint: its name must read step-<number>-<digest>.safetensors."
        )
    return int(match[1]), match[2]


def _flush(path: Path) -> str:
    """Make sure that the file is on the disk; returns the first 16 digits of its sha256."""
    with path.open("r+b") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        os.fsync(file.fileno())
    return digest


def _flush_folder(folder: Path) -> None:
    """Make sure that a renaming is on the disk; Windows cannot and need not."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
