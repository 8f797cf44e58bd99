"""Which edition of the book a site is: the commit, its date, and the versions it was built with."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from positions.errors import DamagedFileError, NotAtHandError

NAME = "edition.json"


@dataclass(frozen=True)
class Edition:
    """What a site was built from.

    `commit`, `date` (of the commit, ISO 8601) and `changed` (whether tracked files differed from
    it) are None outside git. `packages`: version by name.
    """

    commit: str | None
    date: str | None
    changed: bool | None
    python: str
    packages: dict[str, str]


def of(project: Path) -> Edition:
    """Return the edition that a site built now from this project would be."""
    commit = _git(project, "rev-parse", "HEAD")
    date = _git(project, "show", "-s", "--format=%cI", "HEAD")
    changes = _git(project, "status", "--porcelain", "--untracked-files=no")
    found = {each.metadata["Name"]: each.version for each in importlib.metadata.distributions()}
    return Edition(
        commit,
        date,
        None if changes is None else changes != "",
        platform.python_version(),
        dict(sorted(found.items(), key=lambda item: item[0].lower())),
    )


def write(site: Path, edition: Edition) -> None:
    """Note the edition in a site's folder."""
    (site / NAME).write_text(json.dumps(asdict(edition), indent=1) + "\n", "utf-8")


def read(site: Path) -> Edition:
    """Return the edition of a site.

    Raises `NotAtHandError` where none is noted, `DamagedFileError` where it cannot be read.
    """
    path = site / NAME
    try:
        return Edition(**json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise NotAtHandError(
            f"The site in {site} doesn't say what it was built from; that takes a build by: "
            "positions book"
        ) from None
    except (ValueError, TypeError) as error:
        raise DamagedFileError(
            f"{path} is damaged ({error}). Build the site anew: positions book"
        ) from None


def _git(folder: Path, *arguments: str) -> str | None:
    """Return what git says, None where it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
