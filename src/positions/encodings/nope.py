"""No positional encoding: order reaches the model through the causal mask alone."""

from __future__ import annotations

from positions.encodings.base import Encoding
from positions.encodings.registry import register


@register("nope")
class NoPE(Encoding):
    """No positional encoding (NoPE): all four hooks are left as they are.

    Haviv et al. (2022); Kazemnejad et al. (2023), section 5. A decoder can still count, as its
    causal mask lets token t see t tokens; an encoder without a mask cannot.
    """
