"""A request to stop is met between two steps, so that the state is whole when it is saved."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from positions.errors import StoppedError

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class TrainingStoppedError(StoppedError):
    """Training was asked to stop (SIGTERM) and did, after `step` whole steps."""

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.step)  # so that it crosses between processes


class StopRequest:
    """While entered, SIGTERM and Ctrl-C are noted in `signal` instead of stopping at once.

    The old handlers come back on the first of them, so that a second one works as ever, and on
    leaving. Outside the main thread, where Python allows no handlers, it does nothing.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._old: dict[int, Any] = {}

    def __enter__(self) -> StopRequest:
        if threading.current_thread() is threading.main_thread():
            self._old = {number: signal.signal(number, self._note) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signal = number
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._old.items():
            # None: a handler that Python did not set and cannot put back
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        self._old = {}
