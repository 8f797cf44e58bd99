"""One recorded run: what was run, what came out, and where the numbers come from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from positions.experiments.base import Status, canonical_json, key

KEY_LENGTH = 20


class Provenance(BaseModel):
    """Where a record's numbers come from.

    `commit` and `dirty` are None where the library does not run from a checkout. `started` is UTC
    in ISO 8601, `seconds` the run alone, `memory_mib` the peak of the process during the run,
    `device_memory_mib` the peak on the accelerator. `data`: sha256 of each data set by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    commit: str | None
    dirty: bool | None
    positions: str
    python: str
    torch: str
    numpy: str
    device: str
    dtype: str
    threads: int
    started: str
    seconds: float
    memory_mib: float | None
    device_memory_mib: float | None
    data: dict[str, str]


class Record(BaseModel):
    """One run of one experiment; `key` is the digest of experiment, version and config.

    Metrics and series hold None where a number is undefined or was not finite.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    key: str
    experiment: str
    version: int
    preset: str
    config: dict[str, Any]
    metrics: dict[str, float | None]
    series: dict[str, list[Any]]
    status: Status
    provenance: Provenance

    @model_validator(mode="after")
    def _key_fits(self) -> Record:
        if self.key != key(self.experiment, self.version, self.config):
            raise ValueError(
                f"key {self.key!r} does not fit its experiment, version and config "
                f"(they give {key(self.experiment, self.version, self.config)!r})"
            )
        return self

    def line(self) -> str:
        """Return the record as one line of JSON: the key first, inner names sorted, no newline."""
        parts = (
            f"{json.dumps(name)}:{canonical_json(value)}"
            for name, value in self.model_dump(mode="json").items()
        )
        return "{" + ",".join(parts) + "}"


def parse(line: str) -> Record:
    """Read one line back; raises `ValueError` that says what is wrong with it."""
    return Record.model_validate(json.loads(line, parse_constant=_refuse))


def finite(value: Any) -> Any:
    """Return plain Python values, with None for every number that is not finite."""
    if isinstance(value, Mapping):
        return {str(name): finite(item) for name, item in value.items()}
    if hasattr(value, "tolist"):  # a NumPy array or scalar, a tensor
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number (an undefined metric is written null)")
