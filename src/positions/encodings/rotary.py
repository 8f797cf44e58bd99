"""Rotary positions: pairs of query and key entries turn by an angle that grows with position."""

from __future__ import annotations

import torch
from torch import Tensor

from positions.checks import check_choice, check_number
from positions.encodings.base import Encoding
from positions.encodings.registry import register
from positions.errors import InvalidValueError

LAYOUTS = ("interleaved", "half")


def turns(ids: Tensor, rotated: int, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """Return the cosine and sine of each pair's angle, float32 (batch or 1, 1, length, pairs).

    Su et al. (2024), equation 15: pair j of `rotated` entries turns by t · θ_j at position t, with
    θ_j = base^(-2j / rotated).
    """
    entries = torch.arange(0, rotated, 2, dtype=torch.float32, device=ids.device)
    frequencies = 1.0 / base ** (entries / rotated)  # θ_j = base^(-2j / rotated)
    angles = ids[:, None, :, None].float() * frequencies  # t · θ_j
    return angles.cos(), angles.sin()


def turn(x: Tensor, cosines: Tensor, sines: Tensor, layout: str = "interleaved") -> Tensor:
    """Turn the first entries of `x` (batch, heads, length, head_width), two to a pair.

    Su et al. (2024), equation 34: (a, b) becomes (a cos - b sin, a sin + b cos). Pairs are
    neighbours ("interleaved": RoFormer, GPT-J) or entries j and j + pairs ("half": GPT-NeoX,
    Llama). Entries past the pairs stay. Computed in float32 or better; returns x's type.
    """
    pairs = cosines.shape[-1]
    head, rest = x[..., : 2 * pairs], x[..., 2 * pairs :]
    if layout == "half":
        a, b = head.chunk(2, dim=-1)
        turned = torch.cat([a * cosines - b * sines, a * sines + b * cosines], dim=-1)
    else:
        # Neighbours are complex numbers already, and turning is one product:
        # several times as fast on a CPU as taking every second entry.
        wide = head.to(torch.promote_types(x.dtype, torch.float32))
        z = torch.view_as_complex(wide.unflatten(-1, (pairs, 2)).contiguous())
        turned = torch.view_as_real(z * torch.complex(cosines, sines)).flatten(-2)
    turned = turned.to(x.dtype)
    return torch.cat([turned, rest], dim=-1) if rest.shape[-1] else turned


@register("rotary")
class Rotary(Encoding):
    """Queries and keys turn with position, so that q · k depends on their distance.

    Su et al. (2024), section 3.2. `fraction` of each head turns and the rest knows no position:
    1.0 is what Kazemnejad et al. (2023) write, 0.25 what their code ran. `layout` says which
    entries make a pair (see `turn`); a trained model needs the layout it was trained with.
    Raises `InvalidValueError` where the fraction is no even number of entries.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        max_length: int,
        *,
        fraction: float = 1.0,
        base: float = 10000.0,
        layout: str = "interleaved",
    ) -> None:
        super().__init__(width, heads, max_length)
        self.fraction = check_number("fraction", fraction, above=0)
        self.base = check_number("base", base, above=1)
        self.layout = check_choice("layout", layout, LAYOUTS)
        self.rotated(self.width // self.heads)  # better refused now than in the first batch

    def rotated(self, head_width: int) -> int:
        """Return how many entries of a head turn."""
        rotated = round(self.fraction * head_width)
        exact = abs(rotated - self.fraction * head_width) < 1e-6
        if not exact or rotated % 2 or not 0 < rotated <= head_width:
            valid = ", ".join(f"{n / head_width:g}" for n in range(2, head_width + 1, 2))
            valid = valid or "none, the head is too narrow"
            raise InvalidValueError(
                f"fraction={self.fraction:g} of a head of width {head_width} is "
                f"{self.fraction * head_width:g} entries; rotary turns pairs, so it must be "
                f"an even number up to {head_width}. Valid fractions: {valid}."
            )
        return rotated

    def rotate(self, q: Tensor, k: Tensor, q_ids: Tensor, k_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Turn q and k, each by its own positions."""
        rotated = self.rotated(q.shape[-1])
        q_turns = turns(q_ids, rotated, self.base)
        k_turns = q_turns if k_ids is q_ids else turns(k_ids, rotated, self.base)
        return turn(q, *q_turns, self.layout), turn(k, *k_turns, self.layout)
