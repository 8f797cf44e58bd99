"""What a model is made of: one frozen config for every host that the papers use."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from positions.settings import Settings

Rate = Annotated[float, Field(ge=0, lt=1)]


class DropoutRates(Settings):
    """The share of entries dropped in training, place by place."""

    embedding: Rate = 0.0
    """On the token embeddings, after position was added."""
    attention: Rate = 0.0
    """On the attention probabilities."""
    hidden: Rate = 0.0
    """Inside the feed-forward part, after the activation."""
    residual: Rate = 0.0
    """On what a sub-layer adds to the residual stream."""
    final: Rate = 0.0
    """On the output of the stack."""

    @classmethod
    def everywhere(cls, rate: float) -> Self:
        """Return the same rate in all places."""
        return cls(**dict.fromkeys(cls.model_fields, rate))


class ModelConfig(Settings):
    """One stack of Transformer layers, its token embeddings and its output.

    Sizes count entries, `max_length` tokens. Position is not part of it: each model takes its
    encoding beside the config.
    """

    vocabulary: PositiveInt
    width: PositiveInt
    heads: PositiveInt
    layers: PositiveInt
    hidden: PositiveInt
    """The width inside the feed-forward part."""
    max_length: PositiveInt
    """The length an encoding is built for; only a learned table makes it a limit."""
    head_width: PositiveInt | None = None
    """The width of a head; None for width / heads."""
    causal: bool = True
    """Whether a token sees only itself and what stands before it."""
    norm: Literal["layer", "rms", "none"] = "layer"
    norm_place: Literal["pre", "post"] = "pre"
    norm_epsilon: Annotated[float, Field(gt=0)] = 1e-5
    final_norm: bool = True
    embedding_norm: bool = False
    activation: Literal["relu", "gelu", "gelu_tanh", "swiglu"] = "relu"
    attention_bias: bool = True
    feedforward_bias: bool = True
    attention_scale: Literal["1/sqrt", "none"] = "1/sqrt"
    embedding_scale: Literal["none", "sqrt(width)"] = "none"
    tied: bool = True
    """Whether the output matrix is the token embeddings."""
    output_scale: Literal["none", "1/sqrt(width)"] = "none"
    output_bias: bool = False
    output_transform: bool = False
    """Whether a dense layer, an activation and a norm come before the output matrix, as in BERT."""
    dropout: DropoutRates = DropoutRates()
    """A single number stands for that rate in all places."""
    init: Literal["t5", "normal", "fairseq", "default"] = "default"
    """How weights start: see `positions.model.initialise`."""

    @property
    def per_head(self) -> int:
        """The width of one head."""
        return self.head_width or self.width // self.heads

    @property
    def inner(self) -> int:
        """The width of all heads together."""
        return self.heads * self.per_head

    @property
    def scale(self) -> float:
        """What q · k is multiplied by."""
        return 1.0 if self.attention_scale == "none" else self.per_head**-0.5

    @field_validator("dropout", mode="before")
    @classmethod
    def _one_rate(cls, value: Any) -> Any:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return DropoutRates.everywhere(value)
        return DropoutRates(**value) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        if self.head_width is None and self.width % self.heads:
            fitting = [n for n in range(1, self.width + 1) if self.width % n == 0]
            near = sorted(fitting, key=lambda n: abs(n - self.heads))[:4]
            raise ValueError(
                f"width = {self.width} cannot be shared among heads = {self.heads}; give "
                f"head_width, or a number of heads that divides it, such as "
                f"{', '.join(map(str, sorted(near)))}"
            )
        return self


class TranslatorConfig(Settings):
    """An encoder and a decoder of the same width."""

    encoder: ModelConfig
    decoder: ModelConfig

    @field_validator("encoder", "decoder", mode="before")
    @classmethod
    def _side(cls, value: Any) -> Any:
        return ModelConfig(**value) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _sides_fit(self) -> Self:
        if self.encoder.width != self.decoder.width:
            raise ValueError(
                f"the encoder's width = {self.encoder.width} and the decoder's width = "
                f"{self.decoder.width} differ; the decoder reads the encoder's output, "
                "so give both the same"
            )
        if self.encoder.causal or not self.decoder.causal:
            raise ValueError("the encoder must have causal = False and the decoder causal = True")
        return self
