"""Where runs are executed: processes of this machine, or a Dask cluster.

Both are `concurrent.futures.Executor`s, and so is anything else that a sweep may be given.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import cycle
from multiprocessing.connection import wait
from typing import Any, TypeVar

from positions.errors import InvalidValueError, PositionsError
from positions.runs.cards import use

CONNECT_SECONDS = 10
T = TypeVar("T")
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class EngineError(PositionsError):
    """An engine that cannot be used: the scheduler does not answer, the package is missing."""


class EngineLostError(EngineError):
    """An engine that was there and is gone, with all that it was running."""


class InProcess(Executor):
    """Runs each call at once, in this process: for tests and for a debugger."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run the call and return its finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class LocalPool(ThreadPoolExecutor):
    """Worker processes of this machine, each a pool of its own with one thread.

    A process that dies (killed, out of memory) fails only the call it was running, with
    `BrokenProcessPool`; the next call gets a new process. The standard library's pool would take
    down all others with it. Workers leave Ctrl-C to the parent and end when the parent does. Where
    `cards` are named, each worker sees one of them, in turn.
    """

    def __init__(self, jobs: int, cards: Sequence[str] = ()) -> None:
        super().__init__(max_workers=jobs, thread_name_prefix="positions-run")
        self._cards = cycle(cards or [None])
        self._own = threading.local()
        self._pools: set[ProcessPoolExecutor] = set()
        self._killed = False
        self._guard = threading.Lock()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Queue a call for the next free worker process."""
        return super().submit(self._in_process, fn, *args, **kwargs)

    def kill(self) -> None:
        """End all workers now, without waiting for what they run."""
        with self._guard:
            self._killed = True
            for pool in self._pools:
                for process in list((pool._processes or {}).values()):
                    process.kill()
        self.shutdown(cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Finish (or cancel) what is queued and end the workers."""
        super().shutdown(wait=wait, cancel_futures=cancel_futures)
        for pool in list(self._pools):
            pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _in_process(self, fn: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Run a call in the process that belongs to this thread, starting it where it lacks."""
        with self._guard:
            if self._killed:
                raise BrokenProcessPool("the pool was ended")
            pool = getattr(self._own, "pool", None)
            if pool is None:
                if not hasattr(self._own, "card"):
                    self._own.card = next(self._cards)
                pool = self._own.pool = ProcessPoolExecutor(
                    1,
                    multiprocessing.get_context("spawn"),
                    initializer=_begin_worker,
                    initargs=(self._own.card,),
                )
                self._pools.add(pool)
            future = pool.submit(fn, *args, **kwargs)
        try:
            return future.result()
        except BrokenProcessPool:
            with self._guard:
                self._own.pool = None
                self._pools.discard(pool)
            pool.shutdown(wait=False)
            raise


class DaskWorkers(Executor):
    """The workers of a Dask client's scheduler.

    A call that is lost with the scheduler fails with `EngineLostError`, at once. Dask's own
    executor loses a result that was on its way, and whoever waits for it waits for ever.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Send a call to the scheduler."""
        future: Future[T] = Future()
        if self._client.status != "running":
            future.set_exception(self._lost())
            return future
        task = self._client.submit(fn, *args, pure=False, **kwargs)
        future.add_done_callback(lambda done: self._cancel(task) if done.cancelled() else None)
        self._client.loop.add_callback(self._hand_over, task, future)
        return future

    async def _hand_over(self, task: Any, future: Future[T]) -> None:
        """Wait for a task in the client's loop and give on how it ended."""
        result: T | None = None
        failed: BaseException | None = None
        try:
            (result,) = await self._client.gather([task], asynchronous=True)
        except (Exception, asyncio.CancelledError) as error:
            own = task.status == "error"  # raised by the call, or by the worker's death
            lost = isinstance(error, OSError | CancelledError | asyncio.CancelledError)
            gone = lost or self._client.status != "running"
            failed = self._lost() if gone and not own else error
        if not future.set_running_or_notify_cancel():
            return
        if failed is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(failed)

    def _cancel(self, task: Any) -> None:
        if self._client.status == "running":
            task.cancel()

    def _lost(self) -> EngineLostError:
        # all that Dask would add are tracebacks, of its attempts to connect again
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        return EngineLostError(
            f"The Dask scheduler at {self._address} is gone; start it again, and its workers."
        )


@contextmanager
def local(jobs: int, cards: Sequence[str] = ()) -> Iterator[Executor]:
    """Give `jobs` worker processes of this machine (0: this process itself).

    `cards`: GPUs that the workers share, each worker seeing one (`positions.runs.cards`).
    Left through an error or Ctrl-C, it ends the workers at once. Raises `InvalidValueError`.
    """
    if jobs < 0:
        raise InvalidValueError(f"jobs = {jobs}: 0 (no worker process) or a number of processes.")
    if jobs == 0:
        yield InProcess()
        return
    pool = LocalPool(jobs, cards)
    try:
        yield pool
    except BaseException:
        pool.kill()
        raise
    pool.shutdown()


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """Give the workers of a Dask scheduler, such as "tcp://10.0.0.5:8786".

    Left, it cancels what has not finished. Raises `EngineError` where nothing answers at the
    address, Dask is not installed, or a worker runs several threads: runs in one process would
    share PyTorch's random numbers.
    """
    client = _client(address)
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        crowded = sorted(name for name, worker in workers.items() if worker["nthreads"] > 1)
        if crowded:
            raise EngineError(
                f"Dask workers with several threads: {', '.join(crowded)}. Start each with "
                f"`dask worker {address} --nthreads 1` (and --nworkers for several)."
            )
        if not workers:
            print(
                f"No workers at {address} yet; waiting for them. "
                f"Start one with: dask worker {address} --nthreads 1",
                file=sys.stderr,
            )
        yield DaskWorkers(client, address)
    finally:
        client.close()


def one_thread() -> None:
    """Keep this process's linear algebra to one thread, loaded already or not."""
    for variable in _THREAD_VARIABLES:
        os.environ[variable] = "1"
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _client(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError:
        raise EngineError(
            "A scheduler needs Dask, which is not installed: pip install 'positions[cluster]'."
        ) from None
    try:
        get_address_host_port(address)  # a client of no address takes long to give up
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        raise EngineError(
            f"No Dask scheduler answers at {address!r} ({type(error).__name__}). Start one with "
            "`dask scheduler`, which prints its address (tcp://HOST:PORT), or leave the "
            "scheduler out to run on this machine."
        ) from None


def _begin_worker(card: str | None) -> None:
    """Prepare a worker process: one thread, one card, deaf to Ctrl-C, gone when the parent is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if card is not None:
        use(card)
    one_thread()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
