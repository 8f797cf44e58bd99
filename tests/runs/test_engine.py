import datetime
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import positions
from positions.errors import InvalidValueError
from positions.experiments.base import Config, Experiment, Outcome
from positions.runs import execute, provenance


class Settings(Config):
    megabytes: int = 1


def run(config):
    block = np.ones(config.megabytes * 2**17)
    return Outcome(
        metrics={"sum": block.sum(), "count": np.int64(3), "none": float("inf")},
        series={"values": np.array([1.0, np.nan]), "tensor": torch.tensor([1, 2])},
        data={"corpus": "ab" * 32},
        status="diverged",
        dtype="float64",
    )


MEMORY = Experiment("memory", 3, "Memory", Settings, run, {})


def test_record_holds_what_came_out_as_plain_numbers():
    record = execute(MEMORY, Settings(), "smoke")
    assert record.metrics == {"sum": 2.0**17, "count": 3.0, "none": None}
    assert record.series == {"values": [1.0, None], "tensor": [1, 2]}
    assert (record.status, record.version, record.preset) == ("diverged", 3, "smoke")
    assert record.key == MEMORY.key(Settings())


def test_provenance_says_where_the_numbers_come_from():
    before = datetime.datetime.now(datetime.UTC)
    note = execute(MEMORY, Settings(), "smoke").provenance
    started = datetime.datetime.fromisoformat(note.started)
    assert abs(started - before) < datetime.timedelta(seconds=5)
    assert started.utcoffset() == datetime.timedelta(0)
    assert note.seconds >= 0
    assert note.torch == torch.__version__
    assert note.numpy == np.__version__
    assert note.positions == positions.__version__
    assert note.dtype == "float64"
    assert note.data == {"corpus": "ab" * 32}
    assert note.device_memory_mib is None or torch.cuda.is_available()


def test_the_seconds_of_earlier_starts_count():
    def resumed(config):
        return Outcome(metrics={}, earlier_seconds=3600.0)

    experiment = Experiment("resumed", 1, "Resumed", Settings, resumed, {})
    assert 3600 <= execute(experiment, Settings(), "smoke").provenance.seconds < 3700


def test_peak_memory_is_that_of_the_run_and_not_of_an_earlier_one():
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("the peak can be reset on Linux only")
    large = execute(MEMORY, Settings(megabytes=400), "smoke").provenance.memory_mib
    small = execute(MEMORY, Settings(megabytes=1), "smoke").provenance.memory_mib
    assert large - small > 350


def test_records_hold_no_path_of_this_machine():
    line = execute(MEMORY, Settings(), "smoke").line()
    assert str(Path.home()) not in line
    assert str(Path(positions.__file__).parent) not in line


def test_commit_is_that_of_the_checkout_the_library_runs_from():
    folder = Path(positions.__file__).parent
    git = ["git", "-C", str(folder)]
    inside = subprocess.run([*git, "ls-files", "__init__.py"], capture_output=True, text=True)
    commit, dirty = provenance.commit()
    if not inside.stdout:
        assert (commit, dirty) == (None, None)
    else:
        assert re.fullmatch(r"[0-9a-f]{40}", commit)
        assert isinstance(dirty, bool)


@pytest.mark.parametrize(
    ("change", "expected"),
    [("nothing", "False"), ("code", "True"), ("new code", "True"), ("results", "False")],
)
def test_dirty_means_the_library_differs_from_its_commit(tmp_path, change, expected):
    package = tmp_path / "src" / "positions"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "0"\n')
    (package / "runs").mkdir()
    for name in ("__init__.py", "provenance.py"):
        text = Path(provenance.__file__).with_name(name).read_text() if name[0] != "_" else ""
        (package / "runs" / name).write_text(text)
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "begin"]):
        subprocess.run([*git, *command], check=True)
    changed = {
        "code": package / "runs" / "__init__.py",
        "new code": package / "new.py",
        "results": tmp_path / "results.jsonl",
    }
    if change in changed:
        changed[change].write_text("1\n")
    code = "from positions.runs import provenance; print(provenance.commit()[1])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin"},
    )
    assert done.stdout.strip() == expected, done.stderr


def test_library_that_is_installed_inside_another_repository_has_no_commit(tmp_path):
    package = tmp_path / "site-packages" / "positions"
    (package / "runs").mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "0"\n')
    (package / "runs" / "__init__.py").touch()
    (package / "runs" / "provenance.py").write_text(Path(provenance.__file__).read_text())
    (tmp_path / "a file").touch()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "a file"], ["commit", "-q", "-m", "begin"]):
        subprocess.run([*git, *command], check=True)
    code = "from positions.runs import provenance; print(provenance.commit())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(package.parent), "PATH": "/usr/bin:/bin"},
    )
    assert done.stdout.strip() == "(None, None)", done.stderr


def test_outcome_that_is_no_outcome_is_refused_by_name():
    def words(config):
        return Outcome(metrics={"score": "high"})

    bad = Experiment("words", 1, "Words", Settings, words, {})
    with pytest.raises(InvalidValueError, match=r"words cannot be recorded.*score = 'high'"):
        execute(bad, Settings(), "smoke")
