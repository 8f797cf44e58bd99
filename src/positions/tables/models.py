"""The position table of any model on the Hugging Face Hub."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from positions.checks import check_flag
from positions.data import hub
from positions.errors import (
    DamagedFileError,
    InvalidValueError,
    NotAtHandError,
    unknown_name,
)
from positions.tables import packages, weights
from positions.tables.table import Table

BRANCH = "main"
CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
COMMIT = re.compile(r"[0-9a-f]{40}")

# Models whose first rows belong to no token. BART and its kin add 2 to every position; RoBERTa
# and its kin start behind the padding index.
TWO_UNUSED = {"bart", "biogpt", "mbart", "mvp", "opt", "plbart"}
BEHIND_PADDING = {
    "camembert",
    "data2vec-text",
    "esm",
    "ibert",
    "longformer",
    "markuplm",
    "mpnet",
    "roberta",
    "roberta-prelayernorm",
    "xlm-roberta",
    "xlm-roberta-xl",
}


def at_hand(repo: str) -> bool:
    """Whether the cache holds the model's weights, or an installed package does."""
    files = (WEIGHTS, INDEX)
    cached = any(hub.cached(repo, file, BRANCH) is not None for file in files)
    return cached or packages.find(repo) is not None


def load(
    repo: str,
    parameter: str | None = None,
    revision: str | None = None,
    unused_rows: bool = False,
) -> Table:
    """Return the position table of a model on the Hub.

    `parameter` names the tensor where the model has several tables (an encoder's and a
    decoder's); `revision` is a commit, a branch or a tag, by default what the Hub holds now, and
    the table's `source` says which that was. The first rows of some models belong to no token
    (two in OPT, BART and RoBERTa); they are left out unless `unused_rows`. Where no revision is
    asked for and an installed package brings the weights, they are read from there.

    Raises `UnknownNameError` where there is no such model, `InvalidValueError` where it has no
    table of absolute positions or several, or no weights in safetensors form, and
    `NotAtHandError` where it can't be downloaded.
    """
    check_flag("unused_rows", unused_rows)
    packaged = packages.find(repo) if revision is None else None
    if packaged is not None:
        return packages.load(repo, packaged, parameter)
    config_path = _file(repo, CONFIG, revision or BRANCH)
    if config_path is None:
        raise InvalidValueError(f"{repo} holds no {CONFIG}: it is no model of Transformers.")
    config, commit = _json(config_path), hub.commit(config_path)
    kind = str(config.get("model_type", "not stated"))
    if config.get("position_embedding_type") == "rotary":
        raise _no_table(repo, kind)
    try:
        parameter, path = _weights(repo, commit, parameter)
    except weights.NoTableError as error:
        raise _no_table(repo, kind) from error
    rows = weights.read(path, parameter)
    unused = 0 if unused_rows else leading_unused_rows(config)
    note = f"Its first {unused} rows belong to no token and are left out." if unused else ""
    source = f"The tensor {parameter} of {repo}, revision {commit}."
    return Table(repo, rows[unused:], repo, source, note)


def leading_unused_rows(config: dict[str, Any]) -> int:
    """Return how many rows at the start of a model's position table belong to no token."""
    kind = config.get("model_type")
    if kind in TWO_UNUSED:
        return 2
    if kind in BEHIND_PADDING:
        padding = config.get("pad_token_id")
        return (1 if padding is None else int(padding)) + 1
    return 0


def _weights(repo: str, commit: str, parameter: str | None) -> tuple[str, Path]:
    """Return the position table's parameter and the file that holds it, of those of the model."""
    path = _file(repo, WEIGHTS, commit)
    if path is not None:
        return parameter or weights.position_parameter(path, repo), path
    index = _file(repo, INDEX, commit)
    if index is None:
        raise InvalidValueError(
            f"{repo} holds no weights in safetensors form at revision {commit}. Pickled weights "
            "(pytorch_model.bin) are refused, for opening them may run what is inside. Give a "
            "revision= that has model.safetensors, or convert the model with Transformers' "
            "save_pretrained and load the file that it writes."
        )
    shards = _json(index).get("weight_map", {})
    parameter = parameter or weights.choose(list(shards), repo)
    if parameter not in shards:
        raise unknown_name(f"parameter of {repo}", parameter, weights.candidates(list(shards)))
    path = _file(repo, shards[parameter], commit)
    if path is None:
        raise DamagedFileError(f"{repo} lists {shards[parameter]} and doesn't hold it.")
    return parameter, path


def _file(repo: str, file: str, revision: str) -> Path | None:
    """Return a file of the model: a commit's from the cache, else the Hub's, else the cache's."""
    cached = hub.cached(repo, file, revision)
    if cached is not None and COMMIT.fullmatch(revision):
        hub.check_cached(cached)
        return cached
    try:
        return hub.fetch(repo, file, revision)
    except NotAtHandError:
        if cached is None:
            raise
        return cached


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DamagedFileError(f"{path} is no JSON ({error}). Delete it and run again.") from error
    if not isinstance(content, dict):
        raise DamagedFileError(f"{path} holds no JSON object. Delete it and run again.")
    return content


def _no_table(repo: str, kind: str) -> InvalidValueError:
    return InvalidValueError(
        f"{repo} (model type {kind}) has no table of absolute positions: none of its parameters "
        "is one. Rotary, ALiBi and relative encodings keep no such table."
    )
