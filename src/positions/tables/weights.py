"""Find and read the position table in a safetensors file, without loading the model."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from positions.errors import DamagedFileError, InvalidValueError, PositionsError, unknown_name

# The names under which models keep a table of absolute positions, at the end of a parameter's name:
# wpe (GPT-2), positions_embed (GPT), embed_positions (BART, OPT), position_embedding(s) (the rest).
TABLE = re.compile(
    r"(?:^|\.)(?:wpe|positions_embed|embed_positions|position_embeddings?)(?:\.weight)?$"
)


class NoTableError(PositionsError):
    """Weights without a table of absolute positions."""


def candidates(names: list[str]) -> list[str]:
    """Return the parameters that, by their names, are tables of absolute positions."""
    return sorted(name for name in names if TABLE.search(name))


def choose(names: list[str], where: str) -> str:
    """Return the one parameter that is a table of absolute positions.

    Raises `NoTableError` where none is, `InvalidValueError` where several are.
    """
    found = candidates(names)
    if not found:
        raise NoTableError(f"There is no table of absolute positions in {where}.")
    if len(found) > 1:
        raise InvalidValueError(
            f"There are {len(found)} tables of absolute positions in {where}: {', '.join(found)}. "
            f"Choose one, for example parameter={found[0]!r}."
        )
    return found[0]


def position_parameter(path: Path, where: str) -> str:
    """Return the name of the position table in a safetensors file (see `choose`)."""
    return choose(parameters(path), where)


def parameters(path: Path) -> list[str]:
    """Return the names of the tensors in a safetensors file."""
    try:
        with safe_open(path, framework="numpy") as file:
            return list(file.keys())
    except (SafetensorError, OSError) as error:
        raise _damaged(path, error) from error


def read(path: Path, parameter: str) -> NDArray[np.generic]:
    """Return one tensor of a safetensors file, whatever its shape; half precision as float32.

    Raises `UnknownNameError` where the file holds no such tensor, `DamagedFileError` where it
    can't be read.
    """
    names = parameters(path)
    if parameter not in names:
        raise unknown_name(f"parameter in {path.name}", parameter, candidates(names) or names)
    try:
        with safe_open(path, framework="pt") as file:  # NumPy has no bfloat16
            tensor = file.get_tensor(parameter)
    except (SafetensorError, OSError) as error:
        raise _damaged(path, error) from error
    array: NDArray[np.generic] = (tensor.float() if tensor.is_floating_point() else tensor).numpy()
    return array


def _damaged(path: Path, error: Exception) -> DamagedFileError:
    return DamagedFileError(
        f"{path} can't be read as safetensors ({error}). It is cut short or another kind of file."
    )
