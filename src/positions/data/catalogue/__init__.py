"""Every external file the book may use, declared one family a module."""

from __future__ import annotations

from pathlib import Path

from positions.data.catalogue import (
    multi30k,
    pcfgset,
    position_tables,
    scan,
    sentences,
    weights,
    wikitext,
)
from positions.data.files import find
from positions.data.resources import Resource
from positions.errors import unknown_name

FAMILIES = (position_tables, weights, sentences, wikitext, multi30k, scan, pcfgset)


def resources() -> list[Resource]:
    """Return every declared resource, family by family."""
    return [each for family in FAMILIES for each in family.RESOURCES]


def resource(name: str) -> Resource:
    """Return the resource of that name (its path in a data folder, without `.gz`).

    Raises `UnknownNameError` where none is declared under it.
    """
    known = {each.name: each for each in resources()}
    if name not in known:
        raise unknown_name("data file", name, known)
    return known[name]


def available() -> list[tuple[Resource, Path | None]]:
    """Return every resource and where it lies on this machine; None: it is not at hand."""
    return [(each, find(each)) for each in resources()]
