"""The declared files, against the real ones."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from positions import data
from positions.errors import UnknownNameError

RESOURCES = data.resources()


def test_names_are_unique() -> None:
    names = [resource.name for resource in RESOURCES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.name)
def test_every_file_is_described_pinned_and_can_be_got(resource: data.Resource) -> None:
    assert resource.description and resource.licence and resource.origin
    assert resource.sha256 is not None and re.fullmatch("[0-9a-f]{64}", resource.sha256)
    assert not Path(resource.path).is_absolute() and ".." not in Path(resource.path).parts
    if isinstance(resource.source, data.Hub):
        assert re.fullmatch("[0-9a-f]{40}", resource.source.revision)
    if isinstance(resource.source, data.Url):
        assert resource.source.address.startswith("https://")


def test_real_files_are_what_their_digests_say(data_folder: Path, cache_only: None) -> None:
    found = [(resource, path) for resource, path in data.available() if path is not None]
    assert len(found) >= 44
    for resource, path in found:
        assert path.is_relative_to(data_folder)
        assert hashlib.sha256(data.read(resource)).hexdigest() == resource.sha256


@pytest.fixture
def cache_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache beside the real data."""
    monkeypatch.setenv("POSITIONS_CACHE", str(tmp_path))


def test_digests_are_those_that_the_data_folder_lists(data_folder: Path) -> None:
    listed = dict(
        reversed(line.split(maxsplit=1))
        for line in (data_folder / "SHA256SUMS").read_text().splitlines()
    )
    plain = [each for each in RESOURCES if f"./{each.path}" in listed]
    assert len(plain) >= 16
    for resource in plain:
        assert listed[f"./{resource.path}"] == resource.sha256


def test_counts_of_the_real_files(data_folder: Path) -> None:
    """Numbers of examples as their authors state them."""
    counts = {
        "sentences/stsa.fine.train": 8544,
        "sentences/stsa.binary.train": 6920,
        "sentences/stsa.binary.dev": 872,
        "sentences/stsa.binary.test": 1821,
        "sentences/TREC.train.all": 5452,
        "sentences/TREC.test.all": 500,
        "sentences/subj.all": 10000,
        "sentences/rt-polarity.all": 10662,
        "scan/tasks.txt": 20910,
        "scan/length_split/tasks_train_length.txt": 16990,
        "scan/length_split/tasks_test_length.txt": 3920,
        "multi30k/train.en": 29000,
        "multi30k/val.lc.norm.tok.de": 1014,
        "multi30k/test_2016_flickr.de": 1000,
        "pcfgset/productivity/test.src": 11333,
    }
    found = {name: data.read(data.resource(name)).count(b"\n") for name in counts}
    assert found == counts


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'scan/tasks\.txt'"):
        data.resource("scan/task.txt")
