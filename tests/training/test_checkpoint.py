"""Checkpoints are whole, or passed over; what goes wrong is said, and costs none of them."""

from __future__ import annotations

import errno
import multiprocessing
import os
import subprocess
import time
from pathlib import Path

import pytest
import torch

from positions.errors import DamagedFileError, PositionsError
from positions.training import checkpoint as module
from positions.training.checkpoint import Checkpoint, Checkpoints, read


def state(step, size=100):
    tensors = {"model.weight": torch.full((size,), float(step)), "losses": torch.rand(step)}
    return Checkpoint(step, tensors, {"step": step, "series": {"score": [0.1, None, 1e-300]}})


@pytest.fixture
def checkpoints(tmp_path):
    kept = Checkpoints(tmp_path / "run")
    with kept.held():
        yield kept


def assert_is(found, step):
    assert found.step == found.facts["step"] == step
    assert found.tensors["model.weight"].unique().tolist() == [float(step)]


def test_what_was_saved_comes_back(checkpoints):
    saved = state(3)
    path = checkpoints.save(saved)
    found = checkpoints.load()
    assert found.facts == saved.facts
    assert found.tensors.keys() == saved.tensors.keys()
    for name, value in saved.tensors.items():
        assert torch.equal(found.tensors[name], value)
    path.unlink()  # nothing is bound to the file
    assert_is(found, 3)


def test_an_empty_folder_has_none(checkpoints):
    assert checkpoints.load() is None


def test_the_newest_two_are_kept(checkpoints):
    for step in (9, 10, 100):
        checkpoints.save(state(step))
    assert [path.name[:14] for path in checkpoints.paths()] == ["step-000000010", "step-000000100"]
    assert_is(checkpoints.load(), 100)


def truncate(path):
    os.truncate(path, path.stat().st_size // 2)


def garble(path):
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)


def empty(path):
    path.write_bytes(b"")


def garble_header(path):
    content = path.read_bytes()
    path.write_bytes(b"\xff" * 16 + content[16:])


@pytest.mark.parametrize("damage", [truncate, garble, empty, garble_header])
def test_a_damaged_one_is_passed_over_and_said_to_be(checkpoints, damage, caplog):
    checkpoints.save(state(1))
    newest = checkpoints.save(state(2))
    damage(newest)
    assert_is(checkpoints.load(), 1)
    assert newest.name in caplog.text
    assert "damaged" in caplog.text
    checkpoints.save(state(3))
    assert_is(checkpoints.load(), 3)
    # the damaged one took no place among the two that are kept
    assert [read(path).step for path in checkpoints.paths()] == [1, 3]


def test_with_all_of_them_damaged_the_run_starts_anew(checkpoints, caplog):
    for step in (1, 2):
        garble(checkpoints.save(state(step)))
    assert checkpoints.load() is None
    assert caplog.text.count("is damaged") == 2


def test_a_half_written_file_is_no_checkpoint(tmp_path):
    kept = Checkpoints(tmp_path)
    with kept.held():
        whole = kept.save(state(1)).read_bytes()
        (tmp_path / "writing-123").write_bytes(whole[: len(whole) // 2])
    with kept.held():
        assert_is(kept.load(), 1)
        assert not (tmp_path / "writing-123").exists()


def test_other_files_are_no_checkpoints(tmp_path):
    path = tmp_path / "weights.safetensors"
    path.touch()
    with pytest.raises(DamagedFileError, match="no checkpoint"):
        read(path)


@pytest.mark.parametrize("failing", ["save_file", "_flush", "_flush_folder"])
def test_a_full_disk_leaves_the_one_before(checkpoints, failing, monkeypatch):
    checkpoints.save(state(1))

    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch, pytest.raises(PositionsError) as error:
        patch.setattr(module, failing, fail)
        checkpoints.save(state(2))
    for word in ("step 2", str(checkpoints.folder), "No space left", "step 1 is untouched"):
        assert word in str(error.value) or failing == "_flush_folder"
    assert any(read(path).step == 1 for path in checkpoints.paths())
    assert not list(checkpoints.folder.glob("writing-*"))
    checkpoints.save(state(3))
    assert_is(checkpoints.load(), 3)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte, where mounting is allowed."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("mounting a small file system needs Linux and root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk):
    checkpoints = Checkpoints(small_disk / "run")
    with checkpoints.held():
        checkpoints.save(state(1, size=10_000))
        with pytest.raises(PositionsError, match=r"No space left.*step 1 is untouched"):
            checkpoints.save(state(2, size=1_000_000))
        assert_is(checkpoints.load(), 1)
        checkpoints.save(state(3, size=10_000))  # there is room again
        assert_is(checkpoints.load(), 3)


def test_a_folder_that_cannot_be_written(small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(PositionsError, match=r"Could not make the folder.*Read-only"):
        Checkpoints(small_disk / "run").held().__enter__()


def test_a_folder_that_may_not_be_made(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(PositionsError, match=r"Permission denied.*choose a folder"):
        Checkpoints(tmp_path / "run").held().__enter__()


def hold(folder, ready, release):
    with Checkpoints(folder).held():
        ready.set()
        release.wait()


def test_two_processes_do_not_train_in_one_folder(tmp_path):
    context = multiprocessing.get_context("fork")
    ready, release = context.Event(), context.Event()
    other = context.Process(target=hold, args=(tmp_path, ready, release))
    other.start()
    ready.wait()
    try:
        with pytest.raises(PositionsError, match="Another process"):
            Checkpoints(tmp_path).held().__enter__()
    finally:
        release.set()
        other.join()
    with Checkpoints(tmp_path).held():
        pass


def test_saving_takes_a_small_share_of_the_time(tmp_path, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    checkpoints = Checkpoints(tmp_path, seconds=60)
    now[0] += 59
    assert not checkpoints.due
    now[0] += 1
    assert checkpoints.due

    def slow(*_):
        now[0] += 10  # seconds
        return "0" * 16

    monkeypatch.setattr(module, "_flush", slow)
    checkpoints.save(state(1))
    now[0] += 60
    assert not checkpoints.due
    now[0] += 140
    assert checkpoints.due


def test_clear_removes_the_folder(checkpoints):
    checkpoints.save(state(1))
    checkpoints.clear()
    assert not checkpoints.folder.exists()
