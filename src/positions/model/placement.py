"""Which encoding serves which layer of a stack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from torch import Tensor, nn

from positions.encodings import Encoding, build, check_options, options
from positions.errors import InvalidValueError
from positions.model.config import ModelConfig

OneEncoding = str | tuple[str, Mapping[str, object]] | Encoding
"""An encoding's name, its name and options, or the encoding itself."""
EncodingSpec = OneEncoding | Sequence[OneEncoding]
"""One encoding for all layers, or a list of one a layer."""


class Placement(nn.Module):
    """The encodings of a stack, each once, and the layers that each serves.

    Layers given the same object, or the same name and options, share one encoding: its ids are
    counted, its table is read and its bias is computed once per forward pass. An encoding's
    `embed` acts on the input of the first layer that it serves; of the first layer of all, that
    is the token embeddings. Raises `InvalidValueError` for a list of another length than the stack
    and for an encoding built for another width or number of heads.
    """

    def __init__(self, spec: EncodingSpec, config: ModelConfig) -> None:
        super().__init__()
        each = _one_a_layer(spec, config.layers)
        specs: list[OneEncoding] = []
        self.of_layer: list[int] = []
        for one in each:
            known = (n for n, other in enumerate(specs) if _same(one, other))
            number = next(known, len(specs))
            if number == len(specs):
                specs.append(one)
            self.of_layer.append(number)
        self.encodings = nn.ModuleList(make(one, config) for one in specs)
        self.first_layer = [self.of_layer.index(n) for n in range(len(specs))]

    def distinct(self) -> list[Encoding]:
        """Return each encoding once; `of_layer` says which of them serves a layer."""
        return cast(list[Encoding], list(self.encodings))

    def embed(self, layer: int, x: Tensor, ids: Tensor) -> Tensor:
        """Add position to the input x of a layer, where an encoding first serves it."""
        number = self.of_layer[layer]
        if self.first_layer[number] != layer:
            return x
        return self.distinct()[number].embed(x, ids)


def make(one: OneEncoding, config: ModelConfig) -> Encoding:
    """Build an encoding for a stack, or check one that is built already.

    Where an encoding has the option `bidirectional` and it is not given, it follows the stack:
    True where tokens see what stands after them. Raises `UnknownNameError`, `InvalidValueError`.
    """
    if isinstance(one, Encoding):
        if (one.width, one.heads) != (config.width, config.heads):
            raise InvalidValueError(
                f"The encoding {one.name!r} was built for width {one.width} and {one.heads} heads; "
                f"the model has width {config.width} and {config.heads} heads. "
                "Build it with the model's sizes, or give its name and options."
            )
        return one
    name, given = _name_and_options(one)
    check_options(name, given)
    if "bidirectional" in options(name):
        given.setdefault("bidirectional", not config.causal)
    return build(
        name, width=config.width, heads=config.heads, max_length=config.max_length, **given
    )


def _name_and_options(one: str | tuple[str, Mapping[str, object]]) -> tuple[str, dict[str, object]]:
    return (one, {}) if isinstance(one, str) else (one[0], dict(one[1]))


def _same(one: OneEncoding, other: OneEncoding) -> bool:
    """Say whether two layers share an encoding; tables given as options only where identical."""
    if one is other or isinstance(one, Encoding) or isinstance(other, Encoding):
        return one is other
    (name, given), (other_name, other_given) = _name_and_options(one), _name_and_options(other)
    plain = str | int | float | None
    return (name, given.keys()) == (other_name, other_given.keys()) and all(
        value is other_given[option] or (isinstance(value, plain) and value == other_given[option])
        for option, value in given.items()
    )


def _one_a_layer(spec: EncodingSpec, layers: int) -> list[OneEncoding]:
    if _is_one(spec):
        return [spec] * layers  # type: ignore[list-item]
    if not isinstance(spec, Sequence) or not all(_is_one(one) for one in spec):
        raise InvalidValueError(
            f"The encoding is {spec!r}; it must be a name, a pair (name, options), an Encoding, "
            "or a list of these with one for each layer."
        )
    if len(spec) != layers:
        raise InvalidValueError(
            f"{len(spec)} encodings are listed for {layers} layers; list one a layer, "
            "or give a single one for all."
        )
    return list(spec)  # type: ignore[arg-type]


def _is_one(spec: object) -> bool:
    if isinstance(spec, str | Encoding):
        return True
    pair = isinstance(spec, tuple | list) and len(spec) == 2
    return pair and isinstance(spec[0], str) and isinstance(spec[1], Mapping)  # type: ignore[index]
