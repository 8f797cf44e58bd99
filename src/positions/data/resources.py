"""What an external file is: its place, its digest, its public source, its terms."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hub:
    """A file of a model repository on the Hugging Face Hub, at a pinned revision."""

    repo: str
    file: str
    revision: str

    def __str__(self) -> str:
        return f"https://huggingface.co/{self.repo} ({self.file} at revision {self.revision[:7]})"


@dataclass(frozen=True)
class Url:
    """A file on the web, or with `member` one file inside a zip archive there."""

    address: str
    member: str | None = None

    def __str__(self) -> str:
        return f"{self.address} ({self.member})" if self.member else self.address


@dataclass(frozen=True)
class Resource:
    """One external file.

    `path` is its place inside a data folder and names it; the file may also lie there compressed,
    as `path + ".gz"`. `sha256` is the digest of the plain content, however it is stored, or None
    where no one has published it. Without a `source` the file can't be downloaded, and `how` says
    in a sentence how to get it.
    """

    path: str
    description: str
    licence: str
    sha256: str | None = None
    source: Hub | Url | None = None
    how: str = ""

    @property
    def name(self) -> str:
        """The resource's name, which is its path in a data folder."""
        return self.path

    @property
    def family(self) -> str:
        """The data set that the file belongs to: the first folder of its path."""
        return self.path.split("/", 1)[0]

    @property
    def origin(self) -> str:
        """Where the file comes from, for a reader."""
        return f"download from {self.source}" if self.source else self.how
