"""Models small enough to train on the page, and their attention to look at head by head."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from positions.book import charts
from positions.book.pictures.length.names import capital, encoding
from positions.book.pictures.sliders import Picture, menu
from positions.encodings import names as known_encodings
from positions.errors import InvalidValueError
from positions.experiments.attention.measure import FORMS, apart, attention
from positions.experiments.length_generalization import LengthConfig, measure, one_run
from positions.experiments.length_generalization.presets import ENCODINGS
from positions.experiments.length_generalization.readings import variant
from positions.model import LanguageModel
from positions.runs import engines
from positions.tasks import Dataset, Sizes, Tokenizer

LONGEST = 4
SHOWN = (3, 4, 5, 6)
"""Numbers of symbols in the texts that are shown: two within the training lengths, two beyond."""
SIDE = 440


@dataclass(frozen=True)
class Live:
    """A model trained on the page: what it solves within and beyond, and its processor time."""

    variant: str
    model: LanguageModel
    within: float
    beyond: float
    seconds: float


@dataclass(frozen=True)
class Trained:
    """The models, and the texts on which they are looked at, by name."""

    models: Sequence[Live]
    texts: dict[str, list[int]]
    tokenizer: Tokenizer


def config(name: str, steps: int, seed: int = 0) -> LengthConfig:
    """Return the settings of a small decoder that sorts up to four of ten symbols.

    Raises `UnknownNameError` for an unknown encoding, `InvalidValueError` for steps below 1.
    """
    return LengthConfig(
        task="sort_single",
        encoding=name,
        # of two kinds of Rotary the last: what the paper's code ran
        encoding_options=dict(ENCODINGS).get(name, ""),
        seed=seed,
        longest=LONGEST,
        test_longest=max(SHOWN),
        symbols=10,
        train=4_000,
        test=200,
        width=48,
        heads=4,
        layers=2,
        hidden=96,
        dropout=0.0,
        steps=steps,
        batch_size=32,
        learning_rate=5e-3,
        evaluate_every=steps,
    )


def train(encodings: Iterable[str], steps: int, seed: int = 0) -> Trained:
    """Train one small decoder for each encoding, one after the other, on this machine.

    Raises `InvalidValueError` where none is named, and as `config`.
    """
    engines.one_thread()  # models this small only wait for a second thread
    models = []
    configs = {name: config(name, steps, seed) for name in encodings}
    if not configs:
        raise InvalidValueError(
            f"No encoding to train is named. Name at least one of: {', '.join(known_encodings())}."
        )
    for name, settings in configs.items():
        started = time.process_time()
        setup = one_run.set_up(settings)
        one_run.train(settings, setup)
        within, beyond = (
            measure.share(measure.solved(setup.model, tests))
            for tests in (setup.validation, setup.test)
        )
        label = variant(name, settings.encoding_options)
        seconds = time.process_time() - started
        models.append(Live(label, setup.model, within, beyond, seconds))
    task = settings.build_task()
    dataset = task.dataset(sizes=Sizes(settings.train, settings.test))
    return Trained(models, _texts(dataset, setup.tokenizer), setup.tokenizer)


def said(trained: Trained) -> str:
    """Say what each model learned and what it cost."""
    return " ".join(
        f"{capital(encoding(each.variant))} sorts {each.within:.0%} of the lists of up to "
        f"{LONGEST} symbols and {each.beyond:.0%} of longer ones, after {each.seconds:.0f} "
        "seconds of processor time."
        for each in trained.models
    )


def distances(trained: Trained) -> pd.DataFrame:
    """Return the divergence of each two models, and of each from itself, in all three forms.

    Means over the texts and layers, in nats.
    """
    maps = {
        each.variant: [attention(each.model, tokens) for tokens in trained.texts.values()]
        for each in trained.models
    }
    rows = {}
    for one, other in combinations_with_replacement(maps, 2):
        found = [apart(p, q) for p, q in zip(maps[one], maps[other], strict=True)]
        rows[f"{one} and {'itself' if one == other else other}"] = np.mean(found, axis=(0, 1))
    names = ["closest heads", "all heads, matched", "as coded"]
    assert len(names) == len(FORMS)
    return pd.DataFrame(rows, index=names).T.round(3)


def maps(trained: Trained) -> Picture:
    """Draw one head's attention on one text; menus choose encoding, layer, head and text."""
    rows = [
        {
            "encoding": each.variant,
            "layer": f"{layer}",
            "head": f"{head + 1}",
            "text": name,
            "tokens": _words(trained.tokenizer, tokens),
            "share": _lower_half(found[head]),
        }
        for each in trained.models
        for name, tokens in trained.texts.items()
        for layer, found in enumerate(
            (100 * part.numpy() for part in attention(each.model, tokens)), 1
        )
        for head in range(len(found))
    ]
    frame = pd.DataFrame(rows)
    menus = [
        menu(f"map_{name}", {value: value for value in frame[name].unique()}, name)
        for name in ("encoding", "layer", "head", "text")
    ]
    chart = alt.Chart(frame)
    for name in ("encoding", "layer", "head", "text"):
        chart = chart.transform_filter(f"datum.{name} == map_{name}")
    names = list(frame["encoding"].unique())
    token: dict[str, Any] = {"labelFontSize": 11, "labelOverlap": False, "grid": False}
    cells = (
        chart.add_params(*menus)
        .transform_flatten(["share"])
        .transform_window(number="row_number()")
        .transform_calculate(t="floor((sqrt(8 * datum.number - 7) - 1) / 2)")
        .transform_calculate(n="datum.number - 1 - datum.t * (datum.t + 1) / 2")
        .transform_calculate(query="datum.tokens[datum.t]", key="datum.tokens[datum.n]")
        .mark_rect()
        .encode(
            alt.X("key:O").sort(field="n").title("key, read").axis(labelAngle=-90, **token),
            alt.Y("query:O").sort(field="t").title("query, reading").axis(**token),
            alt.Color("encoding:N").scale(charts.scale(names)).legend(None),
            alt.Opacity("share:Q")
            .scale(type="sqrt", domain=[0, 100], range=[0, 1])
            .title("share, percent")
            .legend(
                orient="top",
                values=[1, 10, 50, 100],
                symbolType="square",
                symbolFillColor="#858585",
                symbolStrokeWidth=0,
            ),
            tooltip=["query:N", "key:N", alt.Tooltip("share:Q", title="percent")],
        )
        .properties(width=SIDE, height=SIDE)
    )
    return Picture(
        cells,
        "Attention of one head on one text as a lower triangle: a row a query, a column a key, "
        "the fuller the colour the more attention. Menus choose encoding, layer, head and text.",
        _numbers(frame),
    )


def _texts(dataset: Dataset, tokenizer: Tokenizer) -> dict[str, list[int]]:
    """Return the first held-out text of each length that is shown."""
    found = {}
    for length in SHOWN:
        held_out = (*dataset.validation, *dataset.test)
        example = next(each for each in held_out if each.length == length)
        tokens = tokenizer.encode(example.source) + tokenizer.encode(example.target)
        where = "as in training" if length <= LONGEST else "longer"
        found[f"{length} symbols, {where}"] = tokens
    return found


def _words(tokenizer: Tokenizer, tokens: Sequence[int]) -> list[str]:
    """Return the tokens as text, numbered so that no two are the same."""
    return [
        f"{place} {tokenizer.tokens[each].removeprefix('##')}" for place, each in enumerate(tokens)
    ]


def _lower_half(percent: np.ndarray) -> list[int]:
    """Return the rows of a causal map one after the other, up to the diagonal, in whole percent."""
    rows, columns = np.tril_indices(len(percent))
    found: list[int] = percent[rows, columns].round().astype(int).tolist()
    return found


def _numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return, for the last token of each text, the key that gets most of each head."""
    rows = []
    for _, row in frame.iterrows():
        last = row["share"][-len(row["tokens"]) :]
        most = int(np.argmax(last))
        rows.append(
            {name: row[name] for name in ("encoding", "text", "layer", "head")}
            | {"last token": row["tokens"][-1], "reads most": row["tokens"][most]}
            | {"percent": last[most]}
        )
    return pd.DataFrame(rows)
