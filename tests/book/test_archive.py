"""The site as one zip file: whole, checkable, and the same bytes from the same site."""

import errno
import hashlib
import json
import os
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from positions.book import edition
from positions.book.archive import FOLDER, MANIFEST, NotArchivedError, archive
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError

BUILT = edition.Edition("a" * 40, "2026-03-01T23:30:00-01:00", False, "3.11.7", {"torch": "2.13.0"})


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "html"
    (folder / "chapters").mkdir(parents=True)
    (folder / "index.html").write_text("<p>start")
    (folder / "chapters" / "theory.html").write_text("<p>é" * 1000, "utf-8")
    edition.write(folder, BUILT)
    return folder


def test_everything_is_in_it_with_checksums_versions_and_commit(site: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive(site, tmp_path / "book.zip")) as pack:
        assert pack.testzip() is None
        manifest = json.loads(pack.read(f"{FOLDER}/{MANIFEST}"))
        names = {name.removeprefix(f"{FOLDER}/") for name in pack.namelist()}
        assert names == {*manifest["files"], MANIFEST}
        assert names > {"index.html", "chapters/theory.html"}
        for name, sha256 in manifest["files"].items():
            assert hashlib.sha256(pack.read(f"{FOLDER}/{name}")).hexdigest() == sha256
        assert {item.date_time for item in pack.infolist()} == {(2026, 3, 2, 0, 30, 0)}
    assert (manifest["commit"], manifest["packages"]) == ("a" * 40, {"torch": "2.13.0"})


def test_the_same_site_gives_the_same_bytes(site: Path, tmp_path: Path) -> None:
    first = archive(site, tmp_path / "first.zip").read_bytes()
    os.utime(site / "index.html", (0, 0))
    (site / "index.html").chmod(0o600)
    assert archive(site, tmp_path / "second.zip").read_bytes() == first
    (site / "index.html").write_text("<p>other")
    assert archive(site, tmp_path / "third.zip").read_bytes() != first


def test_a_site_outside_git_can_be_packed(site: Path, tmp_path: Path) -> None:
    edition.write(site, replace(BUILT, commit=None, date=None, changed=None))
    with zipfile.ZipFile(archive(site, tmp_path / "book.zip")) as pack:
        assert pack.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)


def test_without_a_site_the_command_that_builds_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotAtHandError, match="positions book"):
        archive(tmp_path / "html", tmp_path / "book.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_site_that_does_not_say_what_it_is_from_is_refused(site: Path, tmp_path: Path) -> None:
    (site / edition.NAME).write_text('{"commit": 1')
    with pytest.raises(DamagedFileError, match="Build the site anew: positions book"):
        archive(site, tmp_path / "book.zip")
    (site / edition.NAME).unlink()
    with pytest.raises(NotAtHandError, match="positions book"):
        archive(site, tmp_path / "book.zip")


def test_a_file_of_before_is_replaced_only_when_told(site: Path, tmp_path: Path) -> None:
    target = tmp_path / "book.zip"
    target.write_text("of before")
    with pytest.raises(InvalidValueError, match=r"exists already\. --force"):
        archive(site, target)
    assert target.read_text() == "of before"
    assert zipfile.is_zipfile(archive(site, target, force=True))


@pytest.mark.parametrize(
    ("target", "said"),
    [(".", "is a folder"), ("no/book.zip", "There is no folder"), ("html/book.zip", "site itself")],
)
def test_a_target_that_can_be_none_is_refused(
    site: Path, tmp_path: Path, target: str, said: str
) -> None:
    with pytest.raises(InvalidValueError, match=said):
        archive(site, tmp_path / target)


def test_a_full_disk_keeps_what_was_there(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "book.zip"
    target.write_text("of before")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(NotArchivedError, match=r"book\.zip: No space left on device\. Nothing"):
        archive(site, target, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.zip", "html"]
    assert target.read_text() == "of before"


def test_an_edition_names_commit_and_changes(tmp_path: Path) -> None:
    assert edition.of(tmp_path).commit is None
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    file = tmp_path / "page.md"
    file.write_text("one")
    for command in (["init", "-q"], ["add", "."], [*settings, "commit", "-q", "-m", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    found = edition.of(tmp_path)
    assert len(found.commit) == 40 and found.date and found.changed is False
    file.write_text("two")
    assert edition.of(tmp_path).changed is True
    assert found.packages["pytest"] == pytest.__version__
    folder = tmp_path / "html"
    folder.mkdir()
    edition.write(folder, found)
    assert edition.read(folder) == found
