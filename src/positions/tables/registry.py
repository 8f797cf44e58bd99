"""Load any position table by its name.

A name is one of `names()`, a control made of another table (`shuffled:gpt2`), a file, or the id of
a model on the Hugging Face Hub.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from positions.data import hub
from positions.errors import InvalidValueError, NotAtHandError, UnknownNameError, unknown_name
from positions.tables import controls, files, models, pretrained
from positions.tables.table import Table

OTHERS = "Also: a .npy, .safetensors or .f32 file, or the id of a model on the Hugging Face Hub."


def names() -> list[str]:
    """Return the names of the real tables and of the controls that are made up from nothing."""
    return [*pretrained.TABLES, *controls.SYNTHETIC]


def derived_names() -> list[str]:
    """Return the controls that are made of another table, as `kind:<table>`."""
    return [f"{kind}:<table>" for kind in controls.DERIVED]


def load(name: str, **given: Any) -> Table:
    """Return the table of that name.

    Options are those of the table (see `options`): `positions`, `width` and `seed` for controls,
    `unused_rows` for roberta-base, `parameter`, `revision` and `unused_rows` for a model of the
    Hub, `shape` or `width` for a raw file, `parameter` for a safetensors file. The options of
    `shuffled:<table>` are its own `seed` and those of the base but for `seed`.

    Raises `UnknownNameError`, `InvalidValueError` for an option the table doesn't have or a value
    it can't take, `NotAtHandError` and `DamagedFileError`; each says what to do.
    """
    kind, base = _split(name)
    name = name if kind else _shortened(name, given)
    valid = options(name)
    wrong = [option for option in given if option not in valid]
    if wrong:
        raise InvalidValueError(
            f"The table {name!r} has no option {', '.join(wrong)}. Valid: "
            f"{', '.join(valid) or 'none'}."
        )
    if kind is None:
        return _loader(name)(**given)
    seed = {"seed": given.pop("seed")} if "seed" in given else {}
    return controls.DERIVED[kind](load(base, **given), **seed)


def options(name: str) -> list[str]:
    """Return the options that the table of that name takes."""
    kind, base = _split(name)
    if kind is not None:
        return sorted({"seed", *options(base)})
    return _options_of(_loader(name))


def at_hand(name: str) -> bool:
    """Whether the table can be loaded without a download."""
    kind, base = _split(name)
    if kind is not None:
        return at_hand(base)
    name = _shortened(name)
    if name in controls.SYNTHETIC:
        return True
    if name in pretrained.TABLES:
        return pretrained.at_hand(name)
    if files.is_file_name(name):
        return files.exists(name)
    _refuse_unless_model_id(name)
    return models.at_hand(name)


def _split(name: object) -> tuple[str | None, str]:
    """Split the name of a derived control into its kind and its base."""
    if not isinstance(name, str):
        raise InvalidValueError(f"A table's name is a text, not {name!r}.")
    kind, colon, base = name.partition(":")
    return (kind, base) if colon and kind in controls.DERIVED else (None, name)


def _shortened(name: str, given: Iterable[str] = ()) -> str:
    """Return the name here of a model that has one, unless it is asked for with other options."""
    short = pretrained.MODEL_IDS.get(name)
    if short is None or not set(given) <= set(_options_of(pretrained.TABLES[short].load)):
        return name
    return short


def _loader(name: str) -> Callable[..., Table]:
    if name in pretrained.TABLES:
        return pretrained.TABLES[name].load
    if name in controls.SYNTHETIC:
        return controls.SYNTHETIC[name]
    if files.is_file_name(name):
        return files.loader(name)
    _refuse_unless_model_id(name)
    return partial(_model, name)


def _refuse_unless_model_id(name: str) -> None:
    """Raise `UnknownNameError` where the name can't be a model of the Hub either."""
    if name in controls.DERIVED or not hub.is_model_id(name):
        raise _unknown(name)


def _model(
    name: str,
    parameter: str | None = None,
    revision: str | None = None,
    unused_rows: bool = False,
) -> Table:
    """Load from the Hub. A name without an owner is more likely a slip than one of its models."""
    try:
        return models.load(name, parameter, revision, unused_rows)
    except hub.UnknownModelError as error:
        if "/" in name:
            raise
        raise _unknown(name) from error
    except NotAtHandError as error:
        if "/" in name:
            raise
        raise UnknownNameError(
            f"{_unknown(name)} Whether the Hub has it is not known: {error}"
        ) from error


def _options_of(make: Callable[..., Table]) -> list[str]:
    return sorted(inspect.signature(make).parameters)


def _unknown(name: str) -> UnknownNameError:
    error = unknown_name("table", name, [*names(), *derived_names()])
    return UnknownNameError(f"{error} {OTHERS}")
