"""Signals are noted, and handlers come back."""

from __future__ import annotations

import os
import pickle
import signal
import threading

import pytest

from positions.training.signals import StopRequest, TrainingStoppedError


@pytest.fixture
def handled():
    """A handler of SIGTERM of the test's own, and the list it fills."""
    seen = []
    before = signal.signal(signal.SIGTERM, lambda *_: seen.append("own"))
    yield seen
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_noted_and_stops_nothing(number):
    with StopRequest() as stop:
        assert stop.signal is None
        os.kill(os.getpid(), number)
        assert stop.signal == number


def test_the_second_signal_does_what_it_always_did(handled):
    with StopRequest() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.signal == signal.SIGTERM
        assert handled == []
        os.kill(os.getpid(), signal.SIGTERM)
        assert handled == ["own"]


def test_handlers_come_back_after_an_error(handled):
    with pytest.raises(KeyError), StopRequest():
        raise KeyError
    os.kill(os.getpid(), signal.SIGTERM)
    assert handled == ["own"]


def test_outside_the_main_thread_handlers_are_left_alone(handled):
    seen = []

    def work():
        with StopRequest() as stop:
            seen.append(stop.signal)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [None]
    os.kill(os.getpid(), signal.SIGTERM)
    assert handled == ["own"]


def test_the_error_crosses_between_processes():
    error = pickle.loads(pickle.dumps(TrainingStoppedError("stopped", 7)))
    assert (str(error), error.step) == ("stopped", 7)
