"""A config is complete, frozen and checked; the hosts have the papers' sizes."""

from __future__ import annotations

import json

import pytest
import torch

from positions.errors import InvalidValueError, UnknownNameError
from positions.model import (
    Classifier,
    DropoutRates,
    LanguageModel,
    ModelConfig,
    Translator,
    TranslatorConfig,
    bert_like,
    gpt2_like,
    iwslt_translator,
    lengen_decoder,
    study_classifier,
)

SIZES = {"vocabulary": 9, "width": 8, "heads": 2, "layers": 1, "hidden": 16, "max_length": 4}


def weights(model: torch.nn.Module) -> int:
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"widht": 8}, r"unknown setting 'widht'. Did you mean 'width'\? Valid: .*vocabulary"),
        ({"width": "8"}, r"width = '8': .*valid integer"),
        ({"width": 8.0}, r"width = 8.0: .*valid integer"),
        ({"width": -8}, r"width = -8: .*greater than 0"),
        ({"layers": 0}, r"layers = 0: .*greater than 0"),
        ({"layers": True}, r"layers = True: .*valid integer"),
        ({"heads": 3}, r"width = 8 cannot be shared among heads = 3; .*1, 2, 4"),
        ({"norm": "batch"}, r"norm = 'batch': .*'layer', 'rms' or 'none'"),
        ({"norm_epsilon": float("nan")}, r"norm_epsilon = nan: .*finite"),
        ({"activation": "tanh"}, r"activation = 'tanh': .*'relu'"),
        ({"dropout": 1.0}, r"DropoutRates: embedding = 1.0: .*less than 1"),
        ({"dropout": {"final": -0.1}}, r"DropoutRates: final = -0.1: .*greater than or equal to 0"),
        ({"dropout": "0.1"}, r"dropout = '0.1'"),
        ({"init": "zeros"}, r"init = 'zeros': .*'t5'"),
    ],
)
def test_a_wrong_setting_is_named_with_its_value_and_what_is_valid(changes: dict, said: str):
    with pytest.raises(InvalidValueError, match=said) as caught:
        ModelConfig(**{**SIZES, **changes})
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_a_missing_setting_is_named():
    with pytest.raises(InvalidValueError, match=r"ModelConfig: setting 'width' is missing\.$"):
        ModelConfig(**{name: value for name, value in SIZES.items() if name != "width"})


def test_a_config_is_frozen_and_changed_ones_are_checked():
    config = ModelConfig(**SIZES)
    with pytest.raises(ValueError, match="frozen"):
        config.width = 16
    assert config.changed(width=16).per_head == 8
    assert config.width == 8
    with pytest.raises(InvalidValueError, match="cannot be shared"):
        config.changed(heads=3)
    assert config.changed(heads=3, head_width=5).inner == 15


def test_a_config_survives_json():
    for config in (lengen_decoder("small"), iwslt_translator(50, 60)):
        assert type(config)(**json.loads(json.dumps(config.model_dump(mode="json")))) == config


def test_one_dropout_rate_stands_for_all_places():
    assert ModelConfig(**SIZES, dropout=0.3).dropout == DropoutRates.everywhere(0.3)
    assert ModelConfig(**SIZES, dropout=0).dropout == DropoutRates()


def test_a_translator_needs_two_sides_that_fit():
    one = ModelConfig(**SIZES)
    with pytest.raises(InvalidValueError, match="encoder must have causal = False"):
        TranslatorConfig(encoder=one, decoder=one)
    with pytest.raises(InvalidValueError, match="width = 16 and the decoder's width = 8 differ"):
        TranslatorConfig(encoder=one.changed(width=16, causal=False), decoder=one)


def test_an_unknown_size_lists_the_valid_ones():
    with pytest.raises(UnknownNameError, match=r"'papre'. Did you mean 'paper'\?.*billion"):
        lengen_decoder("papre")


def test_weights_of_the_lengen_decoder_are_those_logged():
    """109,607,040 trainable, of which 384 are T5's table (32 buckets x 12 heads)."""
    with torch.device("meta"):
        assert weights(LanguageModel(lengen_decoder(), "t5")) == 109_607_040
        for encoding in ("nope", "sinusoidal", "alibi", ("rotary", {"fraction": 0.25})):
            assert weights(LanguageModel(lengen_decoder(), encoding)) == 109_607_040 - 32 * 12
        # the vocabulary of PCFG SET has 520 tokens more
        pcfg = lengen_decoder(vocabulary=32_620)
        assert weights(LanguageModel(pcfg, "t5")) == 110_006_400
        billion = lengen_decoder("billion", vocabulary=49_152)
        assert 1.2e9 < weights(LanguageModel(billion, "nope")) < 1.4e9


def test_weights_of_the_other_hosts_are_those_of_the_published_models():
    with torch.device("meta"):
        # GPT-2 and BERT have 124,439,808 and 109,514,298, with 1,024 and 512 positions;
        # BERT also has two segment rows.
        gpt2 = LanguageModel(gpt2_like(max_length=1_024), "learned")
        assert weights(gpt2) == 124_439_808
        bert = LanguageModel(bert_like(max_length=512), "learned")
        assert weights(bert) == 109_514_298 - 2 * 768
        # torch's layer: attention 4 · 256², feed-forward 2 · 256 · 512, biases, norms
        classifier = Classifier(study_classifier(5_000), "learned", classes=2)
        layer = 4 * 256**2 + 2 * 256 * 512 + 4 * 256 + 512 + 256 + 4 * 256
        assert weights(classifier) == 5_128 * 256 + layer + 512 + 2 * 256 + 2
        translator = Translator(iwslt_translator(8_000, 9_000), "nope", "nope")
        encoder = 4 * 512**2 + 4 * 512 + 2 * 512 * 1_024 + 1_024 + 512 + 4 * 512
        decoder = encoder + 4 * 512**2 + 4 * 512 + 2 * 512
        assert weights(translator) == 17_000 * 512 + 6 * (encoder + decoder)


def test_the_hosts_follow_the_papers():
    lengen = lengen_decoder()
    assert (lengen.scale, lengen.per_head, lengen.norm_epsilon) == (1.0, 64, 1e-6)
    assert lengen.dropout == DropoutRates.everywhere(0.1)
    assert lengen_decoder("billion").per_head == 128
    study = study_classifier(100)
    assert (study.layers, study.heads, study.max_length, study.causal) == (1, 8, 128, False)
    iwslt = iwslt_translator(10, 20)
    assert (iwslt.encoder.vocabulary, iwslt.decoder.vocabulary) == (10, 20)
    assert iwslt.decoder.dropout == DropoutRates(embedding=0.1, residual=0.1)
