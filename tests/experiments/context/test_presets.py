"""Presets: the paper's own settings to the letter, and grids that compare like with like."""

import json

import pytest
import torch

from positions import published
from positions.experiments import get
from positions.experiments.context.presets import contexts
from positions.model import LanguageModel

EXPERIMENT = get("context")


def test_the_papers_models_have_its_weights_and_its_contexts() -> None:
    configs = EXPERIMENT.configs("paper")
    assert [each.encoding for each in configs] == ["nope", "alibi", "rotary"]
    with torch.device("meta"):
        model = LanguageModel(configs[0].model(configs[0].vocabulary), configs[0].spec())
    assert sum(each.numel() for each in model.parameters()) / 1e9 == pytest.approx(1.26, abs=0.01)
    table = published.load("length-generalization/1b_perplexity")
    assert set(configs[0].contexts) == set(table.context_size)
    trained = configs[0].steps * configs[0].batch_size * configs[0].context
    assert trained == pytest.approx(30e9, rel=1e-4)


def test_the_paper_preset_is_left_out_with_one_reason(store) -> None:
    from positions.runs import run_missing

    report = run_missing(
        EXPERIMENT, EXPERIMENT.configs("paper"), store, "paper", jobs=0, progress=False
    )
    assert (report.recorded, report.failed) == (0, [])
    assert str(report).count("30 billion tokens") == 1


@pytest.mark.parametrize("preset", ["smoke", "laptop", "gpu"])
def test_all_encodings_get_the_same_text_model_and_training(preset) -> None:
    configs = EXPERIMENT.configs(preset)
    own = {"corpus", "encoding", "encoding_options", "seed"}
    shared = {json.dumps(each.model_dump(exclude=own), sort_keys=True) for each in configs}
    assert len(shared) == 1
    seeds = [each.seed for each in configs]
    assert seeds == sorted(seeds), "one seed is done before the next"
    kinds = {(each.corpus, each.encoding, each.encoding_options) for each in configs}
    assert len(configs) == len(kinds) * len(set(seeds))
    assert {corpus for corpus, *_ in kinds} == {"wikitext-2", "standard-library"}
    assert {name for _, name, _ in kinds} == {"nope", "sinusoidal", "t5", "alibi", "rotary"}


def test_the_laptop_has_pairs_of_corpus_and_seed_enough_to_judge_by() -> None:
    pairs = {(each.corpus, each.seed) for each in EXPERIMENT.configs("laptop")}
    assert 2.0 ** (1 - len(pairs)) < 0.05


def test_contexts_are_the_papers_multiples_and_beyond() -> None:
    assert contexts(128) == (64, 96, 128, 150, 175, 200, 225, 256, 320, 512, 1_024)
    assert {512, 1_024, 2_048, 2_560} < set(contexts(1_024))
