"""What was trained on what: the preset's two hosts, and what the records say of the text."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from positions.book.pictures.language.study import Study, objective
from positions.experiments import get
from positions.experiments.language_modelling.config import NAME, LanguageConfig
from positions.experiments.language_modelling.text import OBJECTIVES
from positions.runs import Record, frame

NOT_YET = "not recorded yet"


def table(study: Study) -> pd.DataFrame:
    """Return a column an objective: its model, its text and its training."""
    configs = get(NAME).configs(study.preset)
    columns = {}
    for name in OBJECTIVES:
        config = next(each for each in configs if each.objective == name)
        own = [
            each
            for each in study.records
            if (each.config["objective"], each.config["corpus"]) == (name, config.corpus)
        ]
        columns[objective(name)] = _settings(config) | _facts(own)
    return pd.DataFrame(columns)


def _settings(config: LanguageConfig) -> dict[str, str]:
    length = f"{config.steps:,} steps" if config.steps else f"{config.epochs} times over the text"
    tokens = config.tokenizer if config.vocabulary is None else f"{config.vocabulary:,} byte pairs"
    host = config.model(3)
    return {
        "layers, width, heads": f"{config.layers}, {config.width}, {config.heads}",
        "normalisation": f"{'before' if host.norm_place == 'pre' else 'after'} each part",
        "tokens": tokens,
        "a block": f"{config.length} tokens",
        "training": f"{length} of {config.batch_size} blocks",
        "learning rate": f"{config.learning_rate:g}",
    }


def _facts(records: Iterable[Record]) -> dict[str, str]:
    names = ("weights trained", "bytes a token", "blocks to learn from", "tokens scored", "seeds")
    found = frame(list(records))
    if not len(found):
        return dict.fromkeys(names, NOT_YET)
    values = (
        f"{found['parameters'].max() / 1e6:.1f} million",
        f"{found['bytes_per_token'].mean():.1f}",
        f"{found['training_blocks'].max():,.0f}",
        f"{found['scored_tokens'].max():,.0f}",
        f"{found['seed'].nunique()}",
    )
    return dict(zip(names, values, strict=True))
