"""Position tables from files: NumPy arrays, safetensors, raw float32."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from positions.checks import check_whole
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError
from positions.tables import weights
from positions.tables.table import Table

READ = (".npy", ".safetensors", ".f32")
REFUSED = (
    ".bin",
    ".pt",
    ".pth",
    ".ckpt",
    ".pkl",
    ".pickle",
    ".npz",
    ".h5",
    ".txt",
    ".csv",
    ".json",
)


def is_file_name(name: str) -> bool:
    """Whether a name means a file of the user's rather than a table with a name."""
    path = Path(name).expanduser()
    return (
        path.suffix in READ + REFUSED or path.is_file() or name.startswith(("/", "./", "../", "~"))
    )


def exists(name: str) -> bool:
    """Whether the file is there."""
    return Path(name).expanduser().is_file()


def loader(name: str) -> Callable[..., Table]:
    """Return the function that reads the file, whose options are those its form needs."""
    path = Path(name).expanduser()
    if not path.is_file():
        raise NotAtHandError(f"There is no file {name} (looked for {path.absolute()}).")

    def npy() -> Table:
        return _table(path, name, _npy(path))

    def safetensors(parameter: str | None = None) -> Table:
        parameter = parameter or weights.position_parameter(path, f"the file {name}")
        return _table(path, f"{name} ({parameter})", weights.read(path, parameter))

    def raw(shape: tuple[int, int] | None = None, width: int | None = None) -> Table:
        return _table(path, name, _raw(path, shape, width))

    forms = {".npy": npy, ".safetensors": safetensors, ".f32": raw}
    if path.suffix not in forms:
        raise InvalidValueError(
            f"{name} can't be read as a position table; readable forms: {', '.join(READ)}. "
            "Pickled files are refused, for opening one may run what is inside; save the table "
            "as .npy or .safetensors."
        )
    return forms[path.suffix]


def _table(path: Path, name: str, array: NDArray[np.generic]) -> Table:
    try:
        return Table(name, array, title=path.stem, source=f"The file {path.absolute()}.")
    except InvalidValueError as error:
        raise DamagedFileError(f"No position table: {error} Check the file.") from error


def _npy(path: Path) -> NDArray[np.generic]:
    """Read a NumPy array, never a pickled object."""
    try:
        array: NDArray[np.generic] = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise DamagedFileError(
            f"{path} can't be read as a NumPy array ({error}). Save the table anew with numpy.save."
        ) from error
    return array


def _raw(path: Path, shape: tuple[int, int] | None, width: int | None) -> NDArray[np.generic]:
    """Read raw little-endian float32, row after row."""
    size = path.stat().st_size
    if (shape is None) == (width is None):
        raise InvalidValueError(
            f"{path} is raw float32 and doesn't say its shape: give either shape=(positions, "
            "width) or width=."
        )
    if shape is not None:
        if not isinstance(shape, tuple | list) or len(shape) != 2:
            raise InvalidValueError(f"shape is {shape!r}; it must be (positions, width).")
        positions = check_whole("shape[0]", shape[0], minimum=1)
        width = check_whole("shape[1]", shape[1], minimum=1)
    else:
        width = check_whole("width", width, minimum=1)
        positions = size // (4 * width)
    if size == 0 or size != 4 * positions * width:
        raise DamagedFileError(
            f"{path} holds {size} bytes, which is not {positions or 'any'} rows of {width} float32 "
            f"({4 * width} bytes each). The file is cut short, or the shape is another."
        )
    return np.fromfile(path, dtype="<f4").reshape(positions, width)
