"""A process that is killed, ended and started again gives what an undisturbed one gives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SCRIPT = Path(__file__).with_name("resumable.py")


def start(folder, pause=0.0):
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), str(pause)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )


def newest(folder):
    steps = [int(path.name.split("-")[1]) for path in folder.glob("step-*")]
    return max(steps, default=0)


def wait_for(folder, step, process):
    deadline = time.monotonic() + 120
    while newest(folder) < step:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_kill_and_terminate_change_nothing(tmp_path):
    undisturbed = start(tmp_path / "undisturbed")
    folder = tmp_path / "disturbed"

    killed = start(folder, pause=0.03)
    wait_for(folder, 20, killed)
    killed.kill()
    killed.communicate()
    at = newest(folder)
    assert 20 <= at < 120

    ended = start(folder, pause=0.03)
    wait_for(folder, at + 20, ended)
    ended.send_signal(signal.SIGTERM)
    out, err = ended.communicate()
    assert (ended.returncode, out) == (1, "")
    assert err.startswith("Training was stopped by SIGTERM after step")
    assert "Traceback" not in err
    assert newest(folder) < 120

    resumed = start(folder)
    found, err = resumed.communicate()
    expected, _ = undisturbed.communicate()
    assert resumed.returncode == undisturbed.returncode == 0, err
    assert found == expected
    assert '"best"' in found
