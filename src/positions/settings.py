"""Frozen, checked settings: what configs, training plans and records are made of."""

from __future__ import annotations

import difflib
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from positions.errors import InvalidValueError


class Settings(BaseModel):
    """A frozen set of checked settings.

    An unknown, missing or wrong one, and a number that is not finite, raises one
    `InvalidValueError` that names the setting, its value and what is valid.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def __init__(self, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise InvalidValueError(explain(type(self), error)) from None

    def changed(self, **changes: Any) -> Self:
        """Return a copy with some settings changed, checked as a new one is."""
        kept = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**kept, **changes})


def explain(model: type[BaseModel], error: ValidationError) -> str:
    """Turn pydantic's list of errors into one line: each setting, its value and what is valid."""
    problems = [_problem(model, item) for item in error.errors(include_url=False)]
    return f"{model.__name__}: " + "; ".join(problem.rstrip(".") for problem in problems) + "."


def _problem(model: type[BaseModel], item: Any) -> str:
    where = ".".join(map(str, item["loc"]))
    if item["type"] == "extra_forbidden":
        valid = sorted(model.model_fields)
        near = difflib.get_close_matches(where, valid, n=1)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        return f"unknown setting {where!r}.{guess} Valid: {', '.join(valid)}"
    if item["type"] == "missing":
        return f"setting {where!r} is missing"
    own = item.get("ctx", {}).get("error")  # what a validator of ours raised
    reason = str(own) if own else item["msg"][:1].lower() + item["msg"][1:]
    # a rule over several settings has no place of its own, and says itself what is wrong
    return f"{where} = {item['input']!r}: {reason}" if where else reason
