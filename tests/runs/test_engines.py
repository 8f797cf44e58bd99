import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from positions.errors import InvalidValueError
from positions.runs import Store, engines, run_missing

WORKERS = Path(__file__).parent / "workers"
PATIENCE = 60


@pytest.fixture(autouse=True)
def _toy_importable(monkeypatch):
    monkeypatch.syspath_prepend(WORKERS)


def until(condition):
    """Wait for a condition; fail where it does not come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def begun(folder):
    return {
        int(path.name.removeprefix("begun-")): len(path.read_text().splitlines())
        for path in folder.glob("begun-*")
    }


def test_negative_number_of_jobs_is_refused():
    with pytest.raises(InvalidValueError, match="jobs = -1"), engines.local(-1):
        pass


def test_no_jobs_means_this_process():
    with engines.local(0) as executor:
        assert executor.submit(os.getpid).result() == os.getpid()


def test_pool_uses_no_more_processes_than_jobs_and_not_this_one():
    with engines.local(2) as executor:
        pids = {future.result() for future in [executor.submit(os.getpid) for _ in range(6)]}
    assert 1 <= len(pids) <= 2
    assert os.getpid() not in pids


def test_error_inside_ends_the_workers_at_once():
    with pytest.raises(ZeroDivisionError), engines.local(1) as executor:
        pid = executor.submit(os.getpid).result()
        executor.submit(time.sleep, 1000)
        raise ZeroDivisionError
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "x", "no address", "tcp://", "http://x:1"]
)
def test_scheduler_that_does_not_answer_is_one_clear_error(address, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(engines, "CONNECT_SECONDS", 0.5)
    refused = pytest.raises(engines.EngineError, match="No Dask scheduler answers at")
    with refused as caught, engines.dask(address):
        pass
    assert address in str(caught.value)
    assert "\n" not in str(caught.value)
    gc.collect()  # what a client leaves behind would complain here


@pytest.fixture
def cluster(tmp_path_factory):
    """Give a function that starts a Dask scheduler and workers, each a process of its own."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("dask")
    environment = {**os.environ, "PYTHONPATH": str(WORKERS)}
    processes = []

    def begin(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        processes.append(process)
        return process

    def start(workers, threads=1):
        file = folder / "scheduler.json"
        scheduler = begin(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(file),
        )  # fmt: skip
        until(lambda: file.exists() and file.read_text().endswith("}"))
        address = json.loads(file.read_text())["address"]
        started = [
            begin(
                "dask_worker", address, "--nthreads", str(threads), "--no-nanny",
                "--no-dashboard", "--name", f"w{number}",
            )
            for number in range(workers)
        ]  # fmt: skip
        from distributed import Client

        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=PATIENCE)
        return address, started, scheduler

    yield start
    for process in processes:
        process.kill()
        process.wait()


def test_dask_sweep_with_a_worker_killed_records_every_run_once(cluster, tmp_path):
    import toy

    address, workers, _ = cluster(2)
    store = Store(tmp_path / "results")
    configs = [toy.Toy(seed=0, folder=str(tmp_path), does="raise")]
    configs += [toy.Toy(seed=seed, folder=str(tmp_path)) for seed in range(1, 8)]
    configs += [toy.Toy(seed=seed, folder=str(tmp_path), does="wait") for seed in range(8, 12)]

    def kill_one_at_work():
        until(lambda: len(set(begun(tmp_path)) & set(range(8, 12))) == 2)
        waiting = min(seed for seed in begun(tmp_path) if seed >= 8)
        pid = int((tmp_path / f"begun-{waiting}").read_text())
        (victim,) = [worker for worker in workers if worker.pid == pid]
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        (tmp_path / "go").touch()

    killer = threading.Thread(target=kill_one_at_work)
    killer.start()
    with engines.dask(address) as executor:
        report = run_missing(toy.TOY, configs, store, "smoke", progress=False, executor=executor)
    killer.join()
    assert (report.recorded, len(report.failed)) == (11, 1)
    assert report.failed[0].reason == "RuntimeError: this run is meant to fail."
    records = store.read("toy", "smoke")
    assert Counter(item.config["seed"] for item in records) == dict.fromkeys(range(1, 12), 1)
    assert {item.provenance.threads for item in records} == {1}
    again = [count for seed, count in begun(tmp_path).items() if count > 1]
    assert again == [2], "only the killed worker's run was begun again"


def test_dask_workers_with_several_threads_are_refused(cluster):
    address, *_ = cluster(1, threads=2)
    with pytest.raises(engines.EngineError, match=r"--nthreads 1"), engines.dask(address):
        pass


def test_dask_scheduler_that_dies_is_one_message_and_keeps_what_has_finished(cluster, tmp_path):
    address, _, scheduler = cluster(1)
    store = Store(tmp_path / "results")
    command = [sys.executable, WORKERS / "sweep_toy.py", tmp_path, store.folder, address]
    sweep = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until(lambda: len(store.read("toy", "smoke")) == 3 and len(begun(tmp_path)) == 4)
    scheduler.kill()
    _, errors = sweep.communicate(timeout=PATIENCE)
    assert sweep.returncode == 1
    assert errors == (
        f"EngineLostError: The Dask scheduler at {address} is gone; start it again, and its "
        "workers. 3 of 6 runs are recorded and kept. The same command goes on from here.\n"
    )
    assert len(store.read("toy", "smoke")) == 3


class OnItsWay:
    """A Dask client whose scheduler dies after a run has finished, before its result came."""

    status = "running"

    @property
    def loop(self):
        return self

    def submit(self, fn, *args, **kwargs):
        return SimpleNamespace(status="finished")

    def add_callback(self, fn, *arguments):
        asyncio.run(fn(*arguments))

    async def gather(self, tasks, asynchronous):
        raise ConnectionError("Stream is closed")


def test_a_result_lost_on_its_way_ends_the_sweep_too():
    client = OnItsWay()
    workers = engines.DaskWorkers(client, "tcp://there:1")
    future = workers.submit(os.getpid)
    with pytest.raises(engines.EngineLostError, match="tcp://there:1 is gone"):
        future.result(timeout=0)
    client.status = "connecting"
    with pytest.raises(engines.EngineLostError, match="tcp://there:1 is gone"):
        workers.submit(os.getpid).result(timeout=0)
