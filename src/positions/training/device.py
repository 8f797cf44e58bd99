"""Where a run computes, and in what: the CPU or a CUDA card, float32 or bfloat16."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from positions.errors import InvalidValueError
from positions.training.plan import Precision

DTYPES: dict[str, torch.dtype] = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True)
class DeviceReport:
    """What a record says about where it was computed; `memory` in bytes, None if not known."""

    device: str
    name: str
    memory: int | None
    bfloat16: bool
    threads: int


def pick_device(name: str = "auto") -> torch.device:
    """Return the device of that name; "auto" is the first CUDA card, else the CPU.

    Raises `InvalidValueError` for a card that this machine or this build of torch lacks.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cpu":
        return torch.device("cpu")
    kind, _, index = name.partition(":")
    if kind != "cuda" or (index and not index.isdigit()):
        raise InvalidValueError(
            f'Unknown device {name!r}. Valid: "auto", "cpu", "cuda", "cuda:<number of the card>".'
        )
    if not torch.cuda.is_available():
        why = "this build of torch has no CUDA" if torch.version.cuda is None else "no card is seen"
        raise InvalidValueError(f'No device {name!r}: {why}. Use "cpu" or "auto".')
    cards = torch.cuda.device_count()
    number = int(index or 0)
    if number >= cards:
        valid = ", ".join(f"cuda:{card}" for card in range(cards))
        raise InvalidValueError(f"No device {name!r}: this machine has {valid}.")
    # cuBLAS reads this when its first handle is made; without it its sums may be in any order
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    return torch.device("cuda", number)


def describe(device: torch.device) -> DeviceReport:
    """Say what the device is, for the record of a run."""
    threads = torch.get_num_threads()
    if device.type == "cuda":
        card = torch.cuda.get_device_properties(device)
        return DeviceReport(str(device), card.name, card.total_memory, _has_bfloat16(), threads)
    return DeviceReport("cpu", _cpu_name(), _cpu_memory("MemTotal"), True, threads)


def check_precision(device: torch.device, precision: Precision) -> None:
    """Raise `InvalidValueError` where the device cannot compute in that precision."""
    if precision == "bfloat16" and device.type == "cuda" and not _has_bfloat16():
        name = torch.cuda.get_device_name(device)
        raise InvalidValueError(f'{name} has no bfloat16. Use precision "float32".')


def free_memory(device: torch.device) -> int | None:
    """Return the bytes that can still be allocated, None where the system does not say."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return _cpu_memory("MemAvailable")


def peak_memory(device: torch.device) -> int | None:
    """Return the most bytes held at once: of tensors on a card, of the whole process on a CPU."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024  # bytes there, KiB elsewhere


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Compute with that many CPU threads in the block. Sums, and so records, depend on it."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def deterministic() -> Iterator[None]:
    """Choose kernels that add in a fixed order, so that a run can be repeated bit for bit.

    Where torch has no such kernel it warns, and goes on.
    """
    before = torch.get_deterministic_debug_mode()
    memory: Any = torch.utils.deterministic
    fill_before = memory.fill_uninitialized_memory
    benchmark_before = torch.backends.cudnn.benchmark
    torch.set_deterministic_debug_mode("warn")
    memory.fill_uninitialized_memory = False  # a check that costs time
    torch.backends.cudnn.benchmark = False
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(before)
        memory.fill_uninitialized_memory = fill_before
        torch.backends.cudnn.benchmark = benchmark_before


def _has_bfloat16() -> bool:
    return torch.cuda.is_bf16_supported(including_emulation=False)


def _cpu_name() -> str:
    """Return the processor's name: Linux keeps it in a file, other systems tell Python."""
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _cpu_memory(fact: str) -> int | None:
    """Return MemTotal or MemAvailable in bytes, as Linux gives them."""
    facts = Path("/proc/meminfo")
    if not facts.is_file():
        return None
    for line in facts.read_text().splitlines():
        if line.startswith(fact):
            return int(line.split()[1]) * 1024
    return None
