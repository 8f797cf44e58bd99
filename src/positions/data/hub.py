"""Files of model repositories on the Hugging Face Hub, checked and kept in the cache.

The Hub's own client does the transfer. It is asked for the file's digest first, without retries, so
that a machine without a network learns so at once.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub
from huggingface_hub import errors
from huggingface_hub.utils import validate_repo_id

from positions import paths
from positions.data import digests
from positions.data.download import KEPT_NOTHING, refuse_offline, writable
from positions.errors import InvalidValueError, NotAtHandError, PositionsError, UnknownNameError

SHA256_LENGTH = 64


class UnknownModelError(UnknownNameError):
    """A name that no model on the Hub goes by."""


def folder() -> Path:
    """Return the cache's folder of Hub files, in the layout of the Hub's own client."""
    return paths.cache() / "hub"


def is_model_id(name: str) -> bool:
    """Whether the name has the form of a model's: `gpt2-medium`, `facebook/opt-125m`."""
    try:
        validate_repo_id(name)
    except errors.HFValidationError:
        return False
    return True


def cached(repo: str, file: str, revision: str) -> Path | None:
    """Return where the cache holds a file of that revision (a commit or a branch), else None."""
    with _plain_errors(repo, revision):
        found = huggingface_hub.try_to_load_from_cache(
            repo, file, cache_dir=folder(), revision=revision
        )
    return Path(found) if isinstance(found, str) else None


def commit(path: Path) -> str:
    """Return the commit that a file of the cache belongs to."""
    parts = path.relative_to(folder()).parts
    return parts[parts.index("snapshots") + 1]


def fetch(repo: str, file: str, revision: str, sha256: str | None = None) -> Path | None:
    """Download a file of a model repository and return its path, None where there is no such file.

    The content is checked against `sha256`, else against the digest that the Hub states.

    Raises `UnknownModelError` where the Hub has no such repository, `InvalidValueError` where it
    has no such revision, `NotAtHandError` where it doesn't answer or downloads are forbidden, and
    `DamagedFileError` where the content is wrong; nothing is left behind then.
    """
    refuse_offline()
    endpoint = os.environ.get("HF_ENDPOINT") or None  # read at call time, unlike the client
    with _plain_errors(repo, revision):
        url = huggingface_hub.hf_hub_url(repo, file, revision=revision, endpoint=endpoint)
        try:
            stated = huggingface_hub.get_hf_file_metadata(url, endpoint=endpoint)
        except errors.EntryNotFoundError:
            return None
        writable(folder())
        path = Path(
            huggingface_hub.hf_hub_download(
                repo, file, revision=revision, cache_dir=folder(), endpoint=endpoint
            )
        )
    # Large files have their sha256 for an ETag; small ones have a git digest, which isn't one.
    expected = sha256 or (stated.etag if len(stated.etag or "") == SHA256_LENGTH else None)
    if expected is not None:
        try:
            digests.check(path, expected, f"What {url} holds now", KEPT_NOTHING)
        except PositionsError:
            _forget(path)
            raise
    return path


def check_cached(path: Path) -> None:
    """Raise `DamagedFileError` where a file of the cache is no longer what the Hub stated."""
    stated = path.resolve().name  # the client names contents after their ETag
    if len(stated) == SHA256_LENGTH:
        digests.check(
            path, stated, str(path), "Delete it and run again: it will be downloaded anew."
        )


def _forget(path: Path) -> None:
    """Remove a file from the cache: the content, and the link that names it."""
    path.resolve().unlink()
    path.unlink(missing_ok=True)


@contextlib.contextmanager
def _plain_errors(repo: str, revision: str) -> Iterator[None]:
    """Turn whatever the Hub's client may raise into one sentence with a remedy."""
    try:
        yield
    except PositionsError:
        raise
    except errors.HFValidationError as error:
        raise UnknownModelError(f"{repo!r} can't be a model on the Hugging Face Hub.") from error
    except errors.GatedRepoError as error:
        raise NotAtHandError(
            f"The model {repo} is gated: accept its terms at https://huggingface.co/{repo} "
            "and set HF_TOKEN to a token of yours."
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise UnknownModelError(
            f"The Hugging Face Hub has no model {repo!r}, or it is private (then set HF_TOKEN). "
            "Check the name at https://huggingface.co/models."
        ) from error
    except errors.RevisionNotFoundError as error:
        raise InvalidValueError(
            f"The model {repo} has no revision {revision!r}; give a commit, a branch or a tag."
        ) from error
    # The client lets through errors of its HTTP and transfer libraries, which vary by version.
    except Exception as error:
        raise NotAtHandError(
            f"The download of {repo} from the Hugging Face Hub failed ({_first_line(error)}). "
            "Check the network and the free disk space and run again."
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
