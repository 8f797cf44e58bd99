"""What was trained on what: the recorded runs beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from positions.book.pictures.context.study import Study, title
from positions.experiments import get
from positions.experiments.context.config import NAME, ContextConfig
from positions.runs import frame, provenance_frame

PAPER = "the paper"
_ROWS = (
    "documents to learn from",
    "tokens in them",
    "a token",
    "weights",
    "training context, tokens",
    "tokens trained on",
    "contexts measured",
    "tokens scored",
    "test documents",
    "seeds",
    "computing",
)


def table(study: Study) -> pd.DataFrame:
    """Return one column for the paper and one for each recorded corpus."""
    columns = {PAPER: _paper()}
    for corpus in study.corpora:
        found = [record for record in study.records if record.config["corpus"] == corpus]
        settings, notes = frame(found), provenance_frame(found)
        scored = _some(settings["scored_tokens"])
        read = f"{_some(settings['long_documents'])} of {_some(settings['test_documents'])}"
        trained = settings["steps"] * settings["batch_size"] * settings["context"]
        sizes = (settings["parameters"] / 1e6).round(1)
        passes = " / ".join(f"{each:.2g}" for each in dict.fromkeys(settings["epochs"]))
        columns[title(corpus)] = {
            "documents to learn from": _some(settings["train_documents"]),
            "tokens in them": _some(settings["train_tokens"]),
            "a token": f"{settings['bytes_per_token'].mean():.1f} bytes, of "
            f"{_some(settings['tokens'])} byte pairs",
            "weights": f"{_some(sizes)} million",
            "training context, tokens": _some(settings["context"]),
            "tokens trained on": f"{_some(trained)} ({passes} times through)",
            "contexts measured": _span(settings["contexts"]),
            "tokens scored": f"{scored}, {_some(settings['scored'])} a stretch",
            "test documents": f"{read} long enough",
            "seeds": str(settings["seed"].nunique()),
            "computing": f"{notes['seconds'].sum() / 3600:.1f} hours on "
            f"{' / '.join(sorted(set(notes['device'])))}",
        }
    return pd.DataFrame(columns).reindex(list(_ROWS))


def _paper() -> dict[str, str]:
    """Return the paper's settings, those of the preset `paper` where it has them."""
    config = get(NAME).configs("paper")[0]
    assert isinstance(config, ContextConfig)
    trained = config.steps * config.batch_size * config.context
    return {
        "documents to learn from": "30 million",
        "tokens in them": "30 billion",
        "a token": f"one of {config.vocabulary:,} byte pairs",
        "weights": "1.3 billion",
        "training context, tokens": f"{config.context:,}",
        "tokens trained on": f"{trained / 1e9:.0f} billion (1 times through)",
        "contexts measured": _span([config.contexts]),
        "tokens scored": f"{config.scored} or fewer a file",
        "test documents": "1,500",
        "seeds": "1",
        "computing": "not published",
    }


def _span(contexts: Iterable[Sequence[int]]) -> str:
    return " / ".join(
        f"{each[0]:,} to {each[-1]:,}" for each in dict.fromkeys(map(tuple, contexts))
    )


def _some(values: Iterable[object]) -> str:
    """Return the different values there are, with commas."""
    return " / ".join(_spelt(each) for each in dict.fromkeys(values))


def _spelt(value: object) -> str:
    number = float(str(value))
    return f"{number:,.0f}" if number == int(number) else f"{number:,}"
