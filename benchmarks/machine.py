"""What a benchmark ran on: enough to judge its figures, and nothing that names the machine."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from benchmarks.timing import fastest, here
from positions.training.device import describe

_KINDS = ("avx2", "avx512f", "avx512_bf16", "amx_bf16", "amx_tile", "bf16", "sve")
PACKAGES = ("torch", "transformers", "x-transformers", "positions")


def description() -> dict[str, Any]:
    """Say which processor, how much of it, which versions, and what they reach in each dtype."""
    report = describe(torch.device("cpu"))
    return {
        "processor": report.name,
        "cores": cores(),
        "threads": torch.get_num_threads(),
        "memory_gib": round(report.memory / 2**30, 1) if report.memory else None,
        "instructions": instructions(),
        "torch_kernels": torch.backends.cpu.get_cpu_capability(),
        "matrix_gflops": {"float32": gflops(torch.float32), "bfloat16": gflops(torch.bfloat16)},
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
    }


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def instructions() -> list[str]:
    """Return the vector and matrix instructions that matter here, as Linux names them."""
    facts = Path("/proc/cpuinfo")
    if not facts.is_file():
        return []
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", facts.read_text(), re.MULTILINE)
    return [kind for kind in _KINDS if found and kind in found[1].split()]


def gflops(dtype: torch.dtype, size: int = 1024) -> float:
    """Return the billions of operations a second in a product of square matrices."""
    a, b = torch.randn(2, size, size, dtype=dtype)
    seconds = fastest(here({"product": lambda: a @ b}), seconds=0.1)["product"]
    return round(2 * size**3 / seconds / 1e9, 1)


def slug(machine: dict[str, Any]) -> str:
    """Return a name for a file: the processor and its cores."""
    words = re.sub(r"\(\w+\)|@.*", " ", machine["processor"]).lower()
    return "-".join([*re.findall(r"[a-z0-9]+", words), str(machine["cores"]), "cores"])
