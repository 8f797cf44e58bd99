"""What the readings of every experiment ask of a recorded run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from positions.errors import InvalidValueError


class Recorded(Protocol):
    """A recorded run: its settings, its metrics and its series."""

    @property
    def config(self) -> Mapping[str, Any]: ...

    @property
    def metrics(self) -> Mapping[str, float | None]: ...

    @property
    def series(self) -> Mapping[str, list[Any]]: ...


@runtime_checkable
class Kept(Protocol):
    """A run with its place in the results."""

    key: str
    experiment: str
    preset: str


R = TypeVar("R", bound=Recorded)


def no_two_alike(
    records: Iterable[R], identity: Callable[[Mapping[str, Any]], Mapping[str, object]]
) -> list[R]:
    """Return the records; `identity` tells from its settings what a run is named by.

    Raises `InvalidValueError` where two runs have one name, with the settings they differ in.
    """
    found: dict[tuple[object, ...], R] = {}
    for record in records:
        name = tuple(identity(record.config).values())
        if name in found:
            raise InvalidValueError(
                f"Two runs of {', '.join(map(str, name))}. "
                f"{_differences(found[name].config, record.config)}. "
                f"{_advice(found[name], record)}"
            )
        found[name] = record
    return list(found.values())


def _advice(*alike: Recorded) -> str:
    """Say where the runs are, if they come from a file, and what to do."""
    kept = [each for each in alike if isinstance(each, Kept)]
    if len(kept) < len(alike):
        return "Take the runs of one preset, or choose among the settings."
    files = dict.fromkeys(f"`results/{each.experiment}/{each.preset}.jsonl`" for each in kept)
    keys = " and ".join(each.key for each in kept)
    return (
        f"They are recorded in {' and '.join(files)}, keys {keys}. `positions results show "
        "KEY` shows each; delete the line of the one that does not belong with the others."
    )


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    differ = [
        f"{name} ({one.get(name)} / {other.get(name)})"
        for name in dict.fromkeys([*one, *other])
        if one.get(name) != other.get(name)
    ]
    return f"They differ in {', '.join(differ)}" if differ else "Their settings are the same"
