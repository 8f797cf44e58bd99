"""Positional encodings: where position enters a Transformer, one small file per family."""

from positions.encodings.base import Encoding
from positions.encodings.registry import (
    build,
    check_options,
    get,
    in_their_type,
    names,
    options,
    register,
)

# Importing a module registers its encoding; this is the order in which names() lists them.
from positions.encodings import nope, sinusoidal, learned, t5, alibi, rotary  # isort: skip # noqa: F401

from positions.encodings.properties import Finding, check  # isort: skip

__all__ = [
    "Encoding",
    "Finding",
    "build",
    "check",
    "check_options",
    "get",
    "in_their_type",
    "names",
    "options",
    "register",
]
