"""Sinusoidal absolute positions, added to the embeddings."""

from __future__ import annotations

import torch
from torch import Tensor

from positions.checks import check_choice, check_number
from positions.encodings.base import Encoding
from positions.encodings.checks import check_width
from positions.encodings.registry import register

LAYOUTS = ("interleaved", "concatenated")


def sinusoid(ids: Tensor, width: int, base: float = 10000.0, layout: str = "interleaved") -> Tensor:
    """Return the sinusoid of each id, float32 (*ids.shape, width), of amplitude 1.

    Vaswani et al. (2017), section 3.5: entry 2j of position t is sin(t · ω_j) and entry 2j + 1 is
    cos(t · ω_j), with ω_j = base^(-2j / width). `layout="concatenated"` keeps the same numbers in
    another order, all sines before all cosines, as the code of Kazemnejad et al. (2023) does. An
    odd width has one sine more than cosines.
    """
    entries = torch.arange(0, width, 2, dtype=torch.float32, device=ids.device)
    frequencies = 1.0 / base ** (entries / width)  # ω_j = base^(-2j / width)
    angles = ids[..., None].float() * frequencies  # t · ω_j
    sines, cosines = angles.sin(), angles.cos()
    if layout == "concatenated":
        return torch.cat([sines, cosines], dim=-1)[..., :width]
    return torch.stack([sines, cosines], dim=-1).flatten(-2)[..., :width]


@register("sinusoidal")
class Sinusoidal(Encoding):
    """Sinusoids of fixed frequencies, added to the token embeddings.

    Vaswani et al. (2017), section 3.5. Nothing is learned and no length is too long. `amplitude`
    is the sinusoids' size beside the embeddings; `base` sets the slowest wave (2π · base tokens);
    `layout` is "interleaved" or "concatenated" (see `sinusoid`).
    """

    def __init__(
        self,
        width: int,
        heads: int,
        max_length: int,
        *,
        amplitude: float = 1.0,
        base: float = 10000.0,
        layout: str = "interleaved",
    ) -> None:
        super().__init__(width, heads, max_length)
        self.amplitude = check_number("amplitude", amplitude, at_least=0)
        self.base = check_number("base", base, above=1)
        self.layout = check_choice("layout", layout, LAYOUTS)

    def embed(self, x: Tensor, ids: Tensor) -> Tensor:
        """Add amplitude · sinusoid(id) to each embedding."""
        check_width(x, self.width)
        waves = self.amplitude * sinusoid(ids, self.width, self.base, self.layout)
        return x + waves.to(x.dtype)
