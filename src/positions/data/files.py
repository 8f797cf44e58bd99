"""Find an external file: the user's data folder, else the cache, else a download."""

from __future__ import annotations

import gzip
from pathlib import Path

from positions import paths
from positions.data import digests, download, hub
from positions.data.resources import Hub, Resource, Url
from positions.errors import NotAtHandError


def find(resource: Resource) -> Path | None:
    """Return where the file lies on this machine, None where it would have to be downloaded.

    The content isn't checked: `locate` does that. Raises `NotAtHandError` where `POSITIONS_DATA`
    names no folder.
    """
    for place in _places(resource):
        for path in (place, place.with_name(place.name + ".gz")):
            if path.is_file():
                return path
    if isinstance(resource.source, Hub):
        return hub.cached(resource.source.repo, resource.source.file, resource.source.revision)
    return None


def locate(resource: Resource) -> Path:
    """Return the file's path, downloading it where it is neither in the data folder nor cached.

    The file may be compressed (its name then ends in `.gz`); `read` opens either form.

    Raises `DamagedFileError` where the content isn't what its digest says and `NotAtHandError`
    where the file is nowhere and can't be had; either says what to do.
    """
    path = find(resource)
    if path is None:
        return _download(resource)
    if resource.sha256 is not None:
        digests.check(path, resource.sha256, str(path), _remedy(path))
    return path


def read(resource: Resource) -> bytes:
    """Return the plain content of the file (see `locate`)."""
    path = locate(resource)
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _places(resource: Resource) -> list[Path]:
    """Return where the plain file may lie, best place first."""
    folder = paths.data()
    places = [folder / resource.path] if folder else []
    return [*places, download.folder() / resource.path]


def _remedy(path: Path) -> str:
    """Say what to do about a damaged file there."""
    if path.is_relative_to(paths.cache()):
        return "Delete it and run again: it will be downloaded anew."
    return f"Replace it, or unset {paths.DATA_VARIABLE} to use the cache and downloads."


def _download(resource: Resource) -> Path:
    """Download the file into the cache and return its path."""
    try:
        match resource.source:
            case Url() as source:
                return download.fetch(source, resource.path, resource.sha256)
            case Hub(repo, file, revision):
                path = hub.fetch(repo, file, revision, resource.sha256)
                if path is not None:
                    return path
                raise NotAtHandError(f"{repo} holds no {file} at revision {revision}.")
            case _:
                raise NotAtHandError(
                    f"It has no address to download it from. By hand: {resource.how}"
                )
    except NotAtHandError as error:
        looked = " and ".join(str(place) for place in _places(resource))
        raise NotAtHandError(
            f"{resource.description}: not at hand. Looked for {looked}. {error} "
            f"Or put the file into a folder as {resource.path} and set {paths.DATA_VARIABLE} "
            "to that folder."
        ) from error
