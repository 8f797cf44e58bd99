"""Whether greedy decoding would write exactly the target, by one forward pass."""

from __future__ import annotations

import torch
from torch import Tensor

from positions.errors import InvalidValueError
from positions.model.checks import check_mask
from positions.model.decoder import LanguageModel
from positions.model.session import evaluating


def exact_match(
    model: LanguageModel, tokens: Tensor, target: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Say for each row whether greedy decoding of its prompt gives its target, boolean (batch,).

    Greedy decoding writes a target if and only if each of its tokens is the most likely one after
    the prompt and the target's earlier tokens; so nothing needs to be decoded. `tokens`
    (batch, length) are prompt and target, end-of-text included; `target`, boolean of that shape,
    is True on the target; `mask` is as in `Transformer.forward`. Between equal logits the lower
    id is taken, as in decoding. Raises `InvalidValueError` where a row has no target, or a target
    token follows no real token.
    """
    check_mask(target, tokens, "target")
    before = torch.zeros_like(target)
    before[:, :-1] = target[:, 1:]
    follows_padding = bool(target[:, 0].any()) or (
        mask is not None and bool((before & ~mask).any())
    )
    if follows_padding or not bool(target.any(1).all()):
        raise InvalidValueError(
            "Every row needs a target, and every target token a real token right before it: "
            "put padding to the left of the prompt or to the right of the target."
        )
    with evaluating(model):
        choices = model(tokens, mask, chosen=before).argmax(-1)
    wrong = torch.zeros_like(target)
    wrong[target] = choices != tokens[target]
    return ~wrong.any(1)
