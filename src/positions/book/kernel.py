"""The kernel of chapters: the Python that runs this, whatever kernels are installed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

NAME = "python3"
VARIABLE = "JUPYTER_PATH"
THREADS = "OMP_NUM_THREADS"


def install(folder: Path) -> str:
    """Write a kernel `python3` below a folder; return a `JUPYTER_PATH` that finds it first."""
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    # without it the kernel warns at every start that it talks over unencrypted local sockets
    argv += ["--log-level=ERROR"]
    spec = {"argv": argv, "display_name": "Python 3", "language": "python", "env": _one_thread()}
    file = folder / "kernels" / NAME / "kernel.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(spec), "utf-8")
    return os.pathsep.join(filter(None, [str(folder), os.environ.get(VARIABLE)]))


def _one_thread() -> dict[str, str]:
    """Compute on one thread unless told otherwise.

    Chapters are small, and their numbers then depend less on the machine.
    """
    return {} if THREADS in os.environ else {THREADS: "1"}
