"""The position tables that the papers studied, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from positions import data
from positions.checks import check_flag
from positions.data.catalogue import position_tables
from positions.data.catalogue import weights as catalogue
from positions.data.resources import Hub, Resource
from positions.encodings.sinusoidal import sinusoid
from positions.errors import DamagedFileError, NotAtHandError
from positions.tables import weights
from positions.tables.sizes import POSITIONS, WIDTH, check_size
from positions.tables.table import Rows, Table, as_rows

ROBERTA_UNUSED = 2

NOT_BERT = "Not BERT's own table but a fine-tuned copy of it (its standard deviation is 1.6e-2): "
NEAR_NOTE = (
    f"{NOT_BERT}rows 128 to 511, which copies a and c share to 6e-9 but for one scale, are the "
    "original to about 1e-4; rows 0 to 127 moved by a few 1e-3."
)
FAR_NOTE = f"{NOT_BERT}rows 128 to 511 moved too, they differ from those of copies a and c by 7e-4."
COPY_NOTES = {"a": NEAR_NOTE, "b": FAR_NOTE, "c": NEAR_NOTE}


def gpt2() -> Table:
    """Return GPT-2's table: the rows alone where they are at hand, else out of its weights."""
    title, note = "GPT-2", "Trained as a causal language model on 1,024 tokens at a time."
    resource = position_tables.GPT2
    if data.find(resource) is not None:
        source = f"The tensor wpe.weight of {_hub(catalogue.GPT2).repo}."
        return Table("gpt2", _raw(resource), title, source, note)
    try:
        table = _from_weights("gpt2", catalogue.GPT2, title, note)
    except NotAtHandError as error:
        enough = f"The table alone is enough, as {resource.path}: {resource.how}"
        raise NotAtHandError(f"{error} {enough}") from error
    if table.sha256 != resource.sha256:
        raise DamagedFileError(
            f"The weights of {_hub(catalogue.GPT2).repo} hold another position table than they "
            f"should: expected sha256 {resource.sha256}, found {table.sha256}."
        )
    return table


def bert() -> Table:
    """Return the table of BERT base uncased. Its fine-tuned copies never stand in for it."""
    note = "Trained as a masked language model, 90 % of the steps on 128 tokens at a time."
    try:
        return _from_weights("bert-base-uncased", catalogue.BERT, "BERT", note)
    except NotAtHandError as error:
        copies = [name for name in COPIES if at_hand(name)]
        hint = (
            " At hand are fine-tuned copies of it, which must be asked for by their own names: "
            f"{', '.join(copies)}."
            if copies
            else ""
        )
        raise NotAtHandError(f"{error}{hint}") from error


def bert_copy(letter: str) -> Table:
    """Return the table of one of three unrelated fine-tunes of BERT base uncased."""
    repository, _ = position_tables.FINE_TUNES[letter]
    return Table(
        f"bert-base-uncased-finetuned-{letter}",
        _raw(position_tables.FINETUNED[letter]),
        title=f"BERT, fine-tuned copy {letter}",
        source=(
            "The tensor embeddings.position_embeddings.weight of the fine-tuned model in the "
            f"GitHub repository {repository}."
        ),
        note=COPY_NOTES[letter],
    )


def roberta(unused_rows: bool = False) -> Table:
    """Return RoBERTa's table, by default from row 2, the first that belongs to a token.

    With `unused_rows` all 514 rows, as Wang & Chen (2020, table 1) probed them.
    """
    check_flag("unused_rows", unused_rows)
    table = _from_weights(
        "roberta-base",
        catalogue.ROBERTA,
        "RoBERTa",
        "Trained as a masked language model on 512 tokens at a time. Rows 0 and 1 of its weights "
        "belong to no token" + (" and are kept here." if unused_rows else " and are left out."),
    )
    return table if unused_rows else without_leading_rows(table, ROBERTA_UNUSED)


def sinusoidal(positions: int = POSITIONS, width: int = WIDTH) -> Table:
    """Return the sinusoids of Vaswani et al. (2017), section 3.5, float32."""
    check_size(positions, width)
    rows = sinusoid(torch.arange(positions), width).numpy()
    return Table(
        "sinusoidal", rows, "Sinusoid", "Computed from its definition; nothing is learned."
    )


def without_leading_rows(table: Table, unused: int) -> Table:
    """Return the table without its first rows, those that belong to no token."""
    return Table(table.name, table.rows[unused:], table.title, table.source, table.note)


@dataclass(frozen=True)
class Named:
    """How to load a table, and the files of which any one is enough."""

    load: Callable[..., Table]
    files: tuple[Resource, ...] = ()


COPIES = {
    f"bert-base-uncased-finetuned-{letter}": Named(partial(bert_copy, letter), (resource,))
    for letter, resource in position_tables.FINETUNED.items()
}
TABLES: dict[str, Named] = {
    "gpt2": Named(gpt2, (position_tables.GPT2, catalogue.GPT2)),
    "bert-base-uncased": Named(bert, (catalogue.BERT,)),
    **COPIES,
    "roberta-base": Named(roberta, (catalogue.ROBERTA,)),
    "sinusoidal": Named(sinusoidal),
}
# What the Hub calls the models that have a name here.
MODEL_IDS = {
    file.source.repo: name
    for name, table in TABLES.items()
    for file in table.files
    if isinstance(file.source, Hub)
}


def at_hand(name: str) -> bool:
    """Whether the table needs no download."""
    files = TABLES[name].files
    return not files or any(data.find(file) is not None for file in files)


def _raw(resource: Resource) -> Rows:
    """Read rows of width 768 saved as raw float32, as the checked files of the data folder are."""
    rows = np.frombuffer(data.read(resource), dtype="<f4")
    return as_rows(rows.reshape(-1, WIDTH), resource.path)


def _from_weights(name: str, resource: Resource, title: str, note: str) -> Table:
    """Read the table out of a model's weights, at the pinned revision."""
    hub = _hub(resource)
    path = data.locate(resource)
    parameter = weights.position_parameter(path, hub.repo)
    source = f"The tensor {parameter} of {hub.repo}, revision {hub.revision}."
    return Table(name, weights.read(path, parameter), title, source, note)


def _hub(resource: Resource) -> Hub:
    assert isinstance(resource.source, Hub)
    return resource.source
