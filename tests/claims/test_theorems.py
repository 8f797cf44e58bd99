from dataclasses import replace

import pytest

from positions import claims
from positions.experiments import Outcome
from positions.experiments.construction import EXPERIMENT, ConstructionConfig
from positions.runs import Store, execute


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def write(store, metrics, lengths=None, **settings):
    """Record made-up errors of a construction."""
    config = ConstructionConfig(**settings)
    found = {"share_error": 0.0, "without_mark": 512.0, "beyond": 512.0} | metrics
    series = {"length": list(lengths or config.lengths)}
    made_up = replace(EXPERIMENT, run=lambda config: Outcome(found, series))
    store.add(execute(made_up, config, "laptop"))


def verdict(store, number, preset="laptop"):
    evidence = claims.Evidence(store, preset)
    return claims.judge_one(claims.get(f"length-generalization/{number}"), evidence)


def first(store, error=1e-11, normed=1e-6, longest=512):
    write(store, {"error": error}, theorem="absolute", longest=longest)
    normal = {"shortest": 64, "longest": 64, "norm": "rms", "large": 1e4}
    write(store, {"error": normed}, theorem="absolute", **normal)


def second(store, error=1e-11, gap=1e-12):
    found = {"error": error, "attention_gap": gap, "state_gap": gap}
    write(store, found, theorem="relative", longest=512)


def test_small_errors_bear_both_theorems_out(store):
    first(store)
    second(store)
    c10, c11 = verdict(store, "C10"), verdict(store, "C11")
    assert (c10.status, c11.status) == ("reproduced", "reproduced")
    assert [figure.ours for figure in c10.figures] == pytest.approx([0.01, 1000])
    assert "1.0e-11" in c10.reason
    assert "reads 512 where N is 512" in c10.reason
    assert len(c10.records) == 2
    assert len(c11.records) == 1


@pytest.mark.parametrize("errors", [{"error": 2e-9}, {"normed": 2e-4}])
def test_an_error_that_is_no_rounding_refutes_the_first(store, errors):
    first(store, **errors)
    assert verdict(store, "C10").status == "not reproduced"


@pytest.mark.parametrize("errors", [{"error": 2e-9}, {"gap": 2e-9}])
def test_logits_or_weights_that_are_not_alibi_s_refute_the_second(store, errors):
    second(store, **errors)
    assert verdict(store, "C11").status == "not reproduced"


def test_one_bad_seed_is_enough(store):
    first(store)
    write(store, {"error": 1.0}, theorem="absolute", longest=512, seed=1)
    assert verdict(store, "C10").status == "not reproduced"


def test_coarse_numbers_norms_and_longer_texts_are_no_part_of_the_claim(store):
    first(store)
    alone = {"theorem": "absolute", "shortest": 512, "longest": 512}
    write(store, {"error": 3.0}, precision="bfloat16", **alone)
    write(store, {"error": 3.0}, norm="rms", queries="all", **alone)
    write(store, {"error": 3.0}, theorem="absolute", shortest=2048, longest=2048)
    assert verdict(store, "C10").status == "reproduced"


def test_every_length_is_asked_for(store):
    assert verdict(store, "C10").status == "not tested at this scale"
    first(store, longest=511)
    second(store)
    undone = verdict(store, "C10")
    assert undone.status == "not tested at this scale"
    assert "for every N up to 512" in undone.reason
    assert "positions sweep construction" in undone.reason


def test_an_error_that_is_not_finite_refutes(store):
    second(store, error=None)
    assert verdict(store, "C11").status == "not reproduced"
