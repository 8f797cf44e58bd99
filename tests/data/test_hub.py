"""Downloads from the Hub, through its own client, against a server on localhost."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.data.local_hub import COMMIT, LocalHub, files_in

from positions import data
from positions.data import hub
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError, UnknownNameError

REPO = "someone/model"
FILE = "model.safetensors"
CONTENT = os.urandom(50_000)


@pytest.fixture
def model(local_hub: LocalHub) -> LocalHub:
    """A Hub with one model."""
    local_hub.repos[REPO] = {FILE: CONTENT, "config.json": b"{}"}
    return local_hub


def declare(content: bytes = CONTENT, revision: str = COMMIT) -> data.Resource:
    return data.Resource(
        path=f"models/{REPO}/{FILE}",
        description="Some weights",
        licence="free",
        sha256=hashlib.sha256(content).hexdigest(),
        source=data.Hub(REPO, FILE, revision),
    )


def test_pinned_file_is_downloaded_once(model: LocalHub, cache: Path) -> None:
    assert data.find(declare()) is None
    path = data.locate(declare())
    assert path.read_bytes() == CONTENT
    assert path.is_relative_to(cache)
    assert hub.commit(path) == COMMIT
    before = len(model.requests)
    assert data.locate(declare()) == path
    assert len(model.requests) == before


def test_own_copy_of_the_weights_needs_no_hub(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own" / declare().path
    own.parent.mkdir(parents=True)
    own.write_bytes(CONTENT)
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path / "own"))
    assert data.locate(declare()) == own


def test_branch_is_resolved_to_its_commit(model: LocalHub) -> None:
    path = hub.fetch(REPO, "config.json", "main")
    assert path is not None
    assert hub.commit(path) == COMMIT
    assert hub.cached(REPO, "config.json", "main") == path


def test_content_other_than_the_pin_is_not_kept(model: LocalHub, cache: Path) -> None:
    with pytest.raises(DamagedFileError) as caught:
        data.locate(declare(b"what it was when it was pinned"))
    message = str(caught.value)
    assert hashlib.sha256(CONTENT).hexdigest() in message
    assert hashlib.sha256(b"what it was when it was pinned").hexdigest() in message
    assert files_in(cache) == []


def test_content_other_than_the_hub_states_is_not_kept(model: LocalHub, cache: Path) -> None:
    model.broken = True
    with pytest.raises(DamagedFileError, match=hashlib.sha256(CONTENT).hexdigest()):
        hub.fetch(REPO, FILE, "main")
    assert [name for name in files_in(cache) if "refs" not in name] == []


def test_download_cut_short_is_not_kept(
    model: LocalHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.cut = 0  # headers only: each try of the client ends without a byte
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _: None)
    with pytest.raises(NotAtHandError, match=r"download of someone/model .* failed"):
        data.locate(declare())
    assert files_in(cache) == []


def test_file_damaged_in_the_cache(model: LocalHub) -> None:
    path = data.locate(declare())
    path.resolve().write_bytes(CONTENT[:-1])
    with pytest.raises(DamagedFileError, match="Delete it"):
        data.locate(declare())
    with pytest.raises(DamagedFileError, match="Delete it"):
        hub.check_cached(path)


def test_file_that_the_model_does_not_have(model: LocalHub) -> None:
    assert hub.fetch(REPO, "nothing.bin", "main") is None


def test_model_that_does_not_exist(model: LocalHub) -> None:
    with pytest.raises(UnknownNameError, match="no model 'someone/else'"):
        hub.fetch("someone/else", FILE, "main")


def test_revision_that_does_not_exist(model: LocalHub) -> None:
    with pytest.raises(InvalidValueError, match="no revision 'v9'"):
        hub.fetch(REPO, FILE, "v9")


def test_gated_model(model: LocalHub) -> None:
    model.gated.add(REPO)
    with pytest.raises(NotAtHandError, match="accept its terms"):
        hub.fetch(REPO, FILE, "main")


@pytest.mark.parametrize("name", ["a/b/c", "-a", "a..b", "", "a b"])
def test_name_that_no_model_can_have(model: LocalHub, name: str) -> None:
    with pytest.raises(UnknownNameError, match="can't be a model"):
        hub.fetch(name, FILE, "main")
    assert model.requests == []


def test_no_network(cache: Path) -> None:
    with pytest.raises(NotAtHandError) as caught:
        data.locate(declare())
    assert "refused" in str(caught.value)
    assert declare().path in str(caught.value)
    assert files_in(cache) == []


def test_offline_is_respected(model: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(NotAtHandError, match="HF_HUB_OFFLINE forbids downloads"):
        data.locate(declare())
    assert model.requests == []


def test_cache_that_cannot_be_written(
    model: LocalHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path / "file"))
    with pytest.raises(NotAtHandError, match="Set POSITIONS_CACHE"):
        data.locate(declare())


def test_offline_in_a_fresh_process_uses_what_the_cache_holds(model: LocalHub) -> None:
    """The client reads its environment when it is imported, so this needs a process of its own."""
    path = data.locate(declare())
    program = (
        "from positions.data import hub\n"
        f"print(hub.cached({REPO!r}, {FILE!r}, {COMMIT!r}))\n"
        f"try: hub.fetch({REPO!r}, 'config.json', 'main')\n"
        "except Exception as error: print(type(error).__name__)\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == [str(path), "NotAtHandError"]
