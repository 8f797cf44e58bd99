import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path

import pytest

from positions.errors import StoppedError, UnknownNameError
from positions.runs import NotWrittenError, Store, engines, plan, run_missing
from positions.runs.drive import Drive, Report
from positions.runs.stopping import Terminated

WORKERS = Path(__file__).parent / "workers"
PATIENCE = 60


@pytest.fixture(autouse=True)
def _toy_importable(monkeypatch):
    monkeypatch.syspath_prepend(WORKERS)


@pytest.fixture
def toy():
    import toy

    return toy


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results")


def until(condition):
    """Wait for a condition; fail where it does not come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def seeds(store):
    return sorted(record.config["seed"] for record in store.read("toy", "smoke"))


def begun(folder):
    """Return how often each run was begun."""
    return {
        int(path.name.removeprefix("begun-")): len(path.read_text().splitlines())
        for path in folder.glob("begun-*")
    }


def test_sweep_runs_only_what_is_missing(toy, store, tmp_path):
    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(4)]
    first = run_missing(toy.TOY, configs[:2], store, "smoke", jobs=0, progress=False)
    second = run_missing(toy.TOY, configs, store, "smoke", jobs=0, progress=False)
    assert (first.recorded, first.already) == (2, 0)
    assert (second.recorded, second.already) == (2, 2)
    assert begun(tmp_path) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert {r.config["seed"]: r.metrics["square"] for r in store.load(toy.TOY, "smoke")} == {
        0: 0.0,
        1: 1.0,
        2: 4.0,
        3: 9.0,
    }


def test_plan_counts_and_estimates_and_runs_nothing(toy, store, tmp_path):
    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(6)]
    assert plan(toy.EVEN, configs, store, "smoke").seconds(2) is None
    run_missing(toy.TOY, configs[:2], store, "smoke", jobs=0, progress=False)
    before = begun(tmp_path)
    todo = plan(toy.EVEN, configs, store, "smoke")
    assert [config.seed for config in todo.missing] == [2, 4]
    assert todo.recorded == 2
    assert [(config.seed, why) for config, why in todo.not_at_hand] == [
        (3, "odd seeds are not at hand"),
        (5, "odd seeds are not at hand"),
    ]
    times = [record.provenance.seconds for record in store.load(toy.TOY, "smoke")]
    assert todo.seconds(jobs=2) == pytest.approx(sum(times) / 2)
    assert begun(tmp_path) == before


def test_config_named_twice_runs_once(toy, store, tmp_path):
    config = toy.Toy(folder=str(tmp_path))
    report = run_missing(toy.TOY, [config, config], store, "smoke", jobs=0, progress=False)
    assert report.recorded == 1
    assert begun(tmp_path) == {0: 1}


def test_raising_run_is_reported_and_stops_no_other(toy, store, tmp_path):
    folder = str(tmp_path)
    configs = [
        toy.Toy(seed=0, folder=folder, does="raise"),
        toy.Toy(seed=1, folder=folder, does="want"),
        toy.Toy(seed=2, folder=folder),
    ]
    report = run_missing(toy.TOY, configs, store, "smoke", jobs=0, progress=False)
    assert seeds(store) == [2]
    reasons = {failure.config["seed"]: failure.reason for failure in report.failed}
    assert reasons == {
        0: "RuntimeError: this run is meant to fail.",
        1: "The table is elsewhere.",
    }
    assert "toy.py" in report.failed[0].detail
    assert "this run is meant to fail" in str(report)


def test_unknown_preset_is_refused_before_anything_runs(toy, store, tmp_path):
    with pytest.raises(UnknownNameError, match="smoke"):
        run_missing(toy.TOY, [toy.Toy(folder=str(tmp_path))], store, "smokey", jobs=0)
    assert begun(tmp_path) == {}


def test_ctrl_c_keeps_what_has_finished(toy, store, tmp_path):
    class Interrupting(Executor):
        """Finishes two runs, then Ctrl-C arrives."""

        def __init__(self):
            self.calls = 0

        def submit(self, fn, /, *args, **kwargs):
            self.calls += 1
            if self.calls == 3:
                raise KeyboardInterrupt
            future = Future()
            future.set_result(fn(*args, **kwargs))
            return future

    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(4)]
    with pytest.raises(KeyboardInterrupt):
        run_missing(toy.TOY, configs, store, "smoke", progress=False, executor=Interrupting())
    assert seeds(store) == [0, 1]


def test_worker_killed_in_the_middle_costs_only_its_own_run(toy, store, tmp_path):
    folder = str(tmp_path)
    kinds = ["work", "die once", "wait", "work", "die", "work", "die once"]
    configs = [toy.Toy(seed=n, folder=folder, does=does) for n, does in enumerate(kinds)]

    def release(future):
        if len(begun(tmp_path)) == len(kinds):
            (tmp_path / "go").touch()

    class Watched(engines.LocalPool):
        def submit(self, fn, /, *args, **kwargs):
            future = super().submit(fn, *args, **kwargs)
            future.add_done_callback(release)
            return future

    pool = Watched(2)
    report = run_missing(toy.TOY, configs, store, "smoke", progress=False, executor=pool)
    pool.shutdown()
    assert seeds(store) == [0, 1, 2, 3, 5, 6]
    assert report.recorded == 6
    (failure,) = report.failed
    assert failure.config["seed"] == 4
    assert "3 times" in failure.reason
    # the run that was waiting beside all these deaths was not begun a second time
    assert begun(tmp_path) == {0: 1, 1: 2, 2: 1, 3: 1, 4: 3, 5: 1, 6: 2}


def test_workers_run_on_one_thread(toy, store, tmp_path):
    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(2)]
    run_missing(toy.TOY, configs, store, "smoke", jobs=1, progress=False)
    records = store.read("toy", "smoke")
    assert [record.metrics["threads"] for record in records] == [1.0, 1.0]
    assert [record.provenance.threads for record in records] == [1, 1]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_sweep_stopped_from_outside_goes_on_where_it_was(store, tmp_path, by):
    if not Path("/proc/self/stat").exists():
        pytest.skip("looks at processes through /proc")
    command = [sys.executable, str(WORKERS / "sweep_toy.py"), str(tmp_path), str(store.folder)]
    first = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    # three runs can finish, two wait in the workers
    until(lambda: len(begun(tmp_path)) == 5 and seeds(store) == [0, 1, 2])
    first.send_signal(by)
    _, errors = first.communicate(timeout=PATIENCE)
    assert seeds(store) == [0, 1, 2]
    if by != signal.SIGKILL:
        assert "Stopped: 3 of 6 runs recorded" in errors
        assert "BrokenProcessPool" not in errors
    pids = [int(pid) for path in tmp_path.glob("begun-*") for pid in path.read_text().split()]
    until(lambda: not any(map(alive, pids)))  # no worker outlives the sweep

    (tmp_path / "go").touch()
    second = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert "3 runs recorded now, 3 recorded before." in second.stdout
    assert Counter(seeds(store)) == dict.fromkeys(range(6), 1)
    assert begun(tmp_path) == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 1}


def test_sigterm_to_a_run_in_this_process_ends_the_sweep(toy, store, tmp_path, capsys):
    def told(config):
        if config.seed == 1:
            raise StoppedError("Training was stopped by SIGTERM.")
        return toy.run(config)

    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(3)]
    with pytest.raises(Terminated):
        run_missing(replace(toy.TOY, run=told), configs, store, "smoke", jobs=0, progress=False)
    assert seeds(store) == [0]
    assert begun(tmp_path) == {0: 1}
    assert "Stopped: 1 of 3 runs recorded." in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_sigterm_while_a_record_is_written_leaves_nothing_half(toy, store, tmp_path, monkeypatch):
    real = Path.replace

    def interrupted(self, target):
        if Path(target).suffix == ".jsonl":
            os.kill(os.getpid(), signal.SIGTERM)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_missing(toy.TOY, [toy.Toy(folder=str(tmp_path))], store, "smoke", jobs=0)
    assert list(store.folder.glob("*/*.tmp")) == list(store.folder.glob("*/.*.tmp")) == []


def test_records_that_cannot_be_written_end_the_sweep_and_are_kept(
    toy, store, tmp_path, monkeypatch
):
    def full(self, target):
        raise OSError(28, "No space left on device")

    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(3)]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    real = Path.replace
    monkeypatch.setattr(
        Path,
        "replace",
        lambda self, target: (full if store.folder in self.parents else real)(self, target),
    )
    with pytest.raises(NotWrittenError, match=r"No space left.*positions results merge"):
        run_missing(toy.TOY, configs, store, "smoke", jobs=0, progress=False)
    (rescue,) = tmp_path.glob("positions-rescued-*")
    assert seeds(Store(rescue)) == [0]
    assert begun(tmp_path) == {0: 1}, "nothing new is begun once writing fails"


def test_store_that_cannot_be_written_is_told_before_anything_runs(toy, store, tmp_path):
    path = store.path("toy", "smoke")
    path.with_name(f".{path.name}.lock").mkdir(parents=True)  # so that no lock can be had
    with pytest.raises(NotWrittenError, match=r"smoke\.jsonl.*Nothing was run"):
        run_missing(toy.TOY, [toy.Toy(folder=str(tmp_path))], store, "smoke", jobs=0)
    assert begun(tmp_path) == {}


def test_every_record_that_could_be_saved_nowhere_is_told(toy, store, tmp_path, monkeypatch):
    """Results and temporary folder are both full: the message is all that is left of a record."""

    def full(self, target):
        raise OSError(28, "No space left on device")

    def nowhere(**kinds):
        raise OSError(28, "No space left on device")

    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(2)]
    run_missing(toy.TOY, configs, Store(tmp_path / "other"), "smoke", jobs=0, progress=False)
    records = Store(tmp_path / "other").read(toy.TOY.name, "smoke")
    monkeypatch.setattr(Path, "replace", full)
    monkeypatch.setattr("tempfile.mkdtemp", nowhere)
    report = Report()
    drive = Drive(toy.TOY, "smoke", engines.InProcess(), store.add, report, lambda: None)
    for record in records:
        drive._keep(record)
    assert all(record.line() in str(drive._broken) for record in records)


def test_a_signal_right_after_a_record_was_written_counts_it(toy, store, tmp_path, capsys):
    """As where Ctrl-C comes while the store gives back its lock."""
    write = store.add

    def add(record):
        write(record)
        raise KeyboardInterrupt

    store.add = add
    configs = [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(2)]
    with pytest.raises(KeyboardInterrupt):
        run_missing(toy.TOY, configs, store, "smoke", jobs=0, progress=False)
    assert seeds(store) == [0]
    assert "Stopped: 1 of 2 runs recorded" in capsys.readouterr().err
