"""ONE Transformer core, three heads on it, and generation."""

from positions.model.cache import Cache
from positions.model.checks import IGNORE
from positions.model.classifier import Classifier
from positions.model.config import DropoutRates, ModelConfig, TranslatorConfig
from positions.model.decoder import LanguageModel, next_tokens
from positions.model.exact_match import exact_match
from positions.model.generation import Generation, generate, translate
from positions.model.hosts import (
    bert_like,
    gpt2_like,
    iwslt_translator,
    lengen_decoder,
    study_classifier,
)
from positions.model.placement import EncodingSpec
from positions.model.trace import Trace
from positions.model.transformer import Memory, Transformer
from positions.model.translator import Translator

__all__ = [
    "IGNORE",
    "Cache",
    "Classifier",
    "DropoutRates",
    "EncodingSpec",
    "Generation",
    "LanguageModel",
    "Memory",
    "ModelConfig",
    "Trace",
    "Transformer",
    "Translator",
    "TranslatorConfig",
    "bert_like",
    "exact_match",
    "generate",
    "gpt2_like",
    "iwslt_translator",
    "lengen_decoder",
    "next_tokens",
    "study_classifier",
    "translate",
]
