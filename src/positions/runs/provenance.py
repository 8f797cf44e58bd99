"""What is noted beside every result: code, versions, machine, time and memory."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

import positions

_PACKAGE = Path(positions.__file__).parent
_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


@cache
def commit() -> tuple[str | None, bool | None]:
    """Return the git commit of the running library and whether its files differ from it.

    Looked up once a process, as the code is loaded once. `(None, None)` outside a checkout. Only
    the library's own files count: a record added to `results/` changes no result.
    """
    if _git("ls-files", "--error-unmatch", "__init__.py") is None:
        return None, None
    head, changes = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--", ".")
    return head, None if changes is None else changes != ""


def versions() -> dict[str, str]:
    """Return the versions of Python, PyTorch, NumPy and this library."""
    return {
        "python": platform.python_version(),
        "torch": version("torch"),
        "numpy": version("numpy"),
        "positions": positions.__version__,
    }


def device_name(device: str) -> str:
    """Return what the maker calls a device ("cpu", "cuda", "cuda:1")."""
    if device.startswith("cuda"):
        import torch

        return str(torch.cuda.get_device_name(device))
    return _processor() if device == "cpu" else device


def threads() -> int:
    """Return how many threads the linear algebra of this process may use."""
    return max((int(pool["num_threads"]) for pool in threadpool_info()), default=1)


def reset_peak_memory() -> None:
    """Start a new count of peak memory, where the system can."""
    with contextlib.suppress(OSError):  # not Linux, or not allowed: then the peak so far counts
        _CLEAR.write_text("5")
    if _cuda_used():
        sys.modules["torch"].cuda.reset_peak_memory_stats()


def peak_memory_mib() -> float | None:
    """Return the peak memory of this process in MiB, None where it cannot be known."""
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return _peak_by_rusage()
    peaks = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return round(int(peaks[0]) / 1024, 1) if peaks else _peak_by_rusage()


def peak_device_memory_mib() -> float | None:
    """Return the peak memory on the accelerator in MiB, None where none was used."""
    if not _cuda_used():
        return None
    return round(sys.modules["torch"].cuda.max_memory_allocated() / 2**20, 1)


def _git(*arguments: str) -> str | None:
    """Return what git says in the library's folder, None where it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", "-C", str(_PACKAGE), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


@cache
def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores"


def _cuda_used() -> bool:
    return "torch" in sys.modules and bool(sys.modules["torch"].cuda.is_initialized())


def _peak_by_rusage() -> float | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1)
