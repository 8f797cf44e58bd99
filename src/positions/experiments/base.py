"""What an experiment is: a frozen config in, one outcome out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pydantic import model_validator

from positions.errors import unknown_name
from positions.settings import Settings

Status = Literal["ok", "diverged"]


class Config(Settings):
    """Everything that decides the result of one run, and nothing else.

    Subclasses add fields. Lists become tuples, so that a config read back from JSON equals the one
    written.
    """

    @model_validator(mode="before")
    @classmethod
    def _lists_to_tuples(cls, settings: Any) -> Any:
        return _freeze(settings)

    def canonical(self) -> dict[str, Any]:
        """Return the settings as plain JSON values, defaults included."""
        return self.model_dump(mode="json")


C = TypeVar("C", bound=Config)


@dataclass(frozen=True)
class Outcome:
    """What a run found.

    `metrics`: one number a name, None where it is undefined. `series`: lists, one value per
    length, step, row ... `data`: the sha256 of each data set used, by name. `status`: "diverged"
    where the loss left the finite numbers, so that a missing metric is known for what it is.
    `device` ("cpu", "cuda", "cuda:1") and `dtype`: where and in what the run computed.
    `earlier_seconds`: what earlier starts of a run that was interrupted had computed already.
    """

    metrics: dict[str, float | None]
    series: dict[str, list[Any]] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    status: Status = "ok"
    device: str = "cpu"
    dtype: str = "float32"
    earlier_seconds: float = 0.0


def needs_nothing(config: Config) -> str | None:
    """Say that a run needs nothing from outside."""
    return None


@dataclass(frozen=True)
class Experiment(Generic[C]):
    """A pure function from config to outcome, with its presets.

    `version` is raised when the meaning of a result changes: older records are then kept but no
    longer taken for current. `run` must be a function of a module, so that it can travel to a
    worker process. `presets` maps the name of a scale to the function that lists its configs.
    `requires` returns None, or why a config cannot run here (a table that is not at hand).
    """

    name: str
    version: int
    title: str
    config: type[C]
    run: Callable[[C], Outcome]
    presets: Mapping[str, Callable[[], Sequence[C]]]
    requires: Callable[[C], str | None] = needs_nothing

    def check_preset(self, preset: str) -> None:
        """Raise `UnknownNameError` for a preset that the experiment lacks."""
        if preset not in self.presets:
            raise unknown_name(f"preset of {self.name}", preset, self.presets)

    def configs(self, preset: str) -> list[C]:
        """Return the configs of a preset; raises `UnknownNameError` for an unknown one."""
        self.check_preset(preset)
        return list(self.presets[preset]())

    def key(self, config: C) -> str:
        """Return the key under which a run of `config` is recorded."""
        return key(self.name, self.version, config.canonical())


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted names, no spaces, no NaN.

    Raises `ValueError` for a number that is not finite.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False
    )


def key(experiment: str, version: int, config: Mapping[str, Any]) -> str:
    """Return the key of a run: 20 hexadecimal digits of the sha256 of what defines it."""
    text = canonical_json({"experiment": experiment, "version": version, "config": dict(config)})
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _freeze(value: Any) -> Any:
    """Turn lists into tuples, at any depth."""
    if isinstance(value, list | tuple):
        return tuple(_freeze(item) for item in value)
    if isinstance(value, dict):
        return {name: _freeze(item) for name, item in value.items()}
    return value
