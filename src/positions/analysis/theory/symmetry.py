"""What no weights can do: tell equal tokens apart without a first that differs.

In a text of one word repeated, every query sees equal values, so whatever the weights, the mixture
is that value, at each position and in each layer. A first token that differs breaks this, by less
and less: its share of an even attention is 1/t, and shares of neighbours differ by 1/(t² + t).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from positions.analysis.rows import Array
from positions.analysis.theory.decoder import BOS, DTYPES, VOCABULARY, Precision, to_precision
from positions.checks import check_choice, check_whole
from positions.model import EncodingSpec, LanguageModel, Trace, lengen_decoder

WORD = 1


def network(
    encoding: EncodingSpec = "nope",
    *,
    layers: int = 4,
    precision: Precision = "float64",
    longest: int = 512,
    seed: int = 0,
) -> LanguageModel:
    """Make the decoder of Kazemnejad et al. (2023), small, norms and all, with random weights.

    What an encoding learns starts at random too, as large as the embeddings. `longest` is the
    length of a learned table. Raises `UnknownNameError` for an unknown encoding or precision.
    """
    drawn = encoding in ("learned", "t5")
    spec = (str(encoding), {"std": 1.0}) if drawn else encoding
    config = lengen_decoder(
        "small", vocabulary=VOCABULARY, layers=layers, max_length=longest, dropout=0.0
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LanguageModel(config, spec).double().eval()
    return to_precision(model, precision)


def repeated(length: int, marked: bool) -> Tensor:
    """Return one word `length` times, (1, length); where it is `marked`, `<bos>` comes first."""
    check_whole("length", length, minimum=1)
    tokens = torch.full((1, length), WORD)
    if marked:
        tokens[0, 0] = BOS
    return tokens


@torch.no_grad()
def states(model: LanguageModel, tokens: Tensor) -> Array:
    """Return the hidden states after the last layer, (length, width), of one text."""
    trace = Trace()
    model.transformer(tokens, trace=trace)
    return np.asarray(trace.states[-1][0].double())


def spread(rows: Array) -> float:
    """Return the greatest difference, in any entry, between any two rows (length, width)."""
    return float((rows.max(axis=0) - rows.min(axis=0)).max())


def steps(rows: Array) -> Array:
    """Return how far each row lies from the one before, (length - 1,)."""
    return np.asarray(np.linalg.norm(np.diff(rows, axis=0), axis=1))


def first_merged(precision: Precision) -> int | None:
    """Return the first t, below 2^24, at which 1/t and 1/(t + 1) are the same number."""
    dtype = DTYPES[check_choice("precision", precision, DTYPES)]
    for start in range(1, 2**24, 2**20):
        shares = (1 / torch.arange(start, start + 2**20 + 1, dtype=torch.float64)).to(dtype)
        equal = (shares[1:] == shares[:-1]).nonzero()
        if len(equal):
            return start + int(equal[0])
    return None
