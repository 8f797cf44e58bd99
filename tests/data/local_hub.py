"""A web server on localhost: plain files, and the few addresses of the Hub that downloads use."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import huggingface_hub
import pytest

COMMIT = "c0ffee00" * 5


@dataclass
class LocalHub:
    """What the server serves. Repositories hold one commit, named by it or by `main`."""

    files: dict[str, bytes] = field(default_factory=dict)  # plain address -> content
    repos: dict[str, dict[str, bytes]] = field(default_factory=dict)  # repo -> file -> content
    gated: set[str] = field(default_factory=set)
    cut: int | None = None  # send only so many bytes of any content
    broken: bool = False  # send other bytes than the digests say
    requests: list[str] = field(default_factory=list)
    address: str = ""

    def start(self) -> ThreadingHTTPServer:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self.reply(with_body=False)

            def do_GET(self) -> None:
                self.reply(with_body=True)

            def reply(self, with_body: bool) -> None:
                hub.requests.append(f"{self.command} {self.path}")
                if self.path in hub.files:
                    return self.send(hub.files[self.path], {}, with_body)
                repo, _, rest = self.path.lstrip("/").partition("/resolve/")
                revision, _, file = rest.partition("/")
                if repo not in hub.repos:
                    return self.refuse(404, "RepoNotFound")
                if repo in hub.gated:
                    return self.refuse(403, "GatedRepo")
                if revision not in ("main", COMMIT):
                    return self.refuse(404, "RevisionNotFound")
                if file not in hub.repos[repo]:
                    return self.refuse(404, "EntryNotFound")
                content = hub.repos[repo][file]
                large = file.endswith(".safetensors")
                digest = hashlib.sha256 if large else hashlib.sha1
                stated = {
                    "X-Repo-Commit": COMMIT,
                    "X-Linked-Etag": f'"{digest(content).hexdigest()}"',
                    "X-Linked-Size": str(len(content)),
                    "ETag": '"of-the-redirect"',
                }
                return self.send(content, stated, with_body)

            def send(self, content: bytes, headers: dict[str, str], with_body: bool) -> None:
                length = len(content)
                if hub.broken:
                    content = content[:-1] + bytes([content[-1] ^ 1])
                self.send_response(200)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                if with_body:
                    self.wfile.write(content[: hub.cut])
                    self.close_connection = hub.cut is not None

            def refuse(self, status: int, code: str) -> None:
                self.send_response(status)
                self.send_header("X-Error-Code", code)
                self.send_header("Content-Length", "0")
                self.end_headers()

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.address = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no data folder, downloads allowed, and a Hub that doesn't answer."""
    folder = tmp_path / "cache"
    for variable in ("POSITIONS_DATA", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("POSITIONS_CACHE", str(folder))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    return folder


@pytest.fixture
def local_hub(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    """A server on localhost that downloads from the Hub go to."""
    hub = LocalHub()
    server = hub.start()
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    yield hub
    server.shutdown()
    server.server_close()


def files_in(folder: Path) -> list[str]:
    """Every file under a folder, but for locks and the client's marker of a cache."""
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    names = [str(path) for path in found if ".locks" not in path.parts]
    return sorted(name for name in names if not name.endswith("CACHEDIR.TAG"))
