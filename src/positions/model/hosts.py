"""The papers' own models: one config each, with the exact sizes."""

from __future__ import annotations

from typing import Any

from positions.errors import unknown_name
from positions.model.config import DropoutRates, ModelConfig, TranslatorConfig

_LENGEN_SIZES: dict[str, dict[str, Any]] = {
    # Kazemnejad et al. (2023), T5-base's decoder; 109.6 million trainable weights
    "paper": {"vocabulary": 32_100, "width": 768, "heads": 12, "layers": 12, "hidden": 3_072},
    # appendix F, the 1.3-billion-weight model of code
    "billion": {
        "vocabulary": 49_152,
        "width": 1_024,
        "heads": 32,
        "head_width": 128,
        "layers": 24,
        "hidden": 16_384,
        "max_length": 1_024,
    },
    # ours, for one processor core
    "small": {"vocabulary": 64, "width": 64, "heads": 4, "layers": 2, "hidden": 256},
}


def lengen_decoder(size: str = "paper", **changes: Any) -> ModelConfig:
    """Return the decoder of Kazemnejad et al. (2023): "paper", "billion" or "small".

    T5's decoder without its encoder: RMS norm before each part, ReLU, no biases, logits without
    1/√d, and dropout 0.1 everywhere. `max_length` matters to learned tables alone. `changes`
    replace settings. Raises `UnknownNameError` for another size, `InvalidValueError` for
    wrong settings.
    """
    settings: dict[str, Any] = {
        "max_length": 512,
        "norm": "rms",
        "norm_epsilon": 1e-6,
        "activation": "relu",
        "attention_bias": False,
        "feedforward_bias": False,
        "attention_scale": "none",
        "output_scale": "1/sqrt(width)",
        "dropout": 0.1,
        "init": "t5",
    }
    return _sized("size of lengen_decoder", size, _LENGEN_SIZES, settings, changes)


def study_classifier(vocabulary: int, **changes: Any) -> ModelConfig:
    """Return the classifier of Wang & Chen (2020), section 5.1, as in their code.

    One post-norm encoder layer with a final norm, width 256, 8 heads, ReLU, 128 positions.
    """
    settings: dict[str, Any] = {
        "vocabulary": vocabulary,
        "width": 256,
        "heads": 8,
        "layers": 1,
        "hidden": 512,
        "max_length": 128,
        "causal": False,
        "norm_place": "post",
        "dropout": DropoutRates(embedding=0.1, attention=0.1, hidden=0.1, residual=0.1),
        "init": "default",
    }
    return ModelConfig(**{**settings, **changes})


_LANGUAGE_MODEL_SIZES: dict[str, dict[str, Any]] = {
    "base": {"width": 768, "heads": 12, "layers": 12, "hidden": 3_072},
    # ours, for one processor core
    "small": {"width": 128, "heads": 4, "layers": 2, "hidden": 512},
}


def bert_like(size: str = "base", **changes: Any) -> ModelConfig:
    """Return the masked language model of Wang & Chen (2020), section 5.2: "base" or "small".

    BERT's defaults, on blocks of 128 tokens, with the vocabulary of bert-base-uncased. Its segment
    embedding is left out: all tokens would get the same row of it.
    """
    settings: dict[str, Any] = {
        "vocabulary": 30_522,
        "max_length": 128,
        "causal": False,
        "norm_place": "post",
        "norm_epsilon": 1e-12,
        "final_norm": False,
        "embedding_norm": True,
        "activation": "gelu",
        "output_bias": True,
        "output_transform": True,
        "dropout": DropoutRates(embedding=0.1, attention=0.1, residual=0.1),
        "init": "normal",
    }
    return _sized("size of bert_like", size, _LANGUAGE_MODEL_SIZES, settings, changes)


def gpt2_like(size: str = "base", **changes: Any) -> ModelConfig:
    """Return the causal language model of Wang & Chen (2020), section 5.2: "base" or "small".

    GPT-2's defaults, on blocks of 128 tokens, with its vocabulary.
    """
    settings: dict[str, Any] = {
        "vocabulary": 50_257,
        "max_length": 128,
        "activation": "gelu_tanh",
        "dropout": DropoutRates(embedding=0.1, attention=0.1, residual=0.1),
        "init": "normal",
    }
    return _sized("size of gpt2_like", size, _LANGUAGE_MODEL_SIZES, settings, changes)


def iwslt_translator(
    source_vocabulary: int, target_vocabulary: int, **changes: Any
) -> TranslatorConfig:
    """Return the translator of Wang & Chen (2020), section 5.3: fairseq's transformer_iwslt_de_en.

    Six post-norm layers on either side, width 512, 4 heads, embeddings times √width. `changes`
    replace settings on both sides.
    """
    settings: dict[str, Any] = {
        "width": 512,
        "heads": 4,
        "layers": 6,
        "hidden": 1_024,
        "max_length": 1_024,
        "norm_place": "post",
        "final_norm": False,
        "embedding_scale": "sqrt(width)",
        "dropout": DropoutRates(embedding=0.1, residual=0.1),
        "init": "fairseq",
        **changes,
    }
    return TranslatorConfig(
        encoder=ModelConfig(**{"vocabulary": source_vocabulary, "causal": False, **settings}),
        decoder=ModelConfig(**{"vocabulary": target_vocabulary, **settings}),
    )


def _sized(
    kind: str,
    size: str,
    sizes: dict[str, dict[str, Any]],
    settings: dict[str, Any],
    changes: dict[str, Any],
) -> ModelConfig:
    if size not in sizes:
        raise unknown_name(kind, size, sizes)
    return ModelConfig(**{**settings, **sizes[size], **changes})
