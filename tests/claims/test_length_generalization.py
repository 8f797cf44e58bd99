import pytest

from positions import claims
from positions.claims import length_figures
from positions.claims.length_ranks import RANK
from positions.claims.length_tests import EFFECT, SOLVED
from positions.runs import Store

# What the paper prints, or what its readers counted from its figures and logs.
PRINTED = {
    "C1": {"nope": 0.687, "t5": 0.549, "alibi": 0.502, "rotary": 0.330, "sinusoidal": 0.215},
    "C2": {"nope": 0.541, "t5": 0.510, "alibi": 0.363, "rotary": 0.235, "sinusoidal": 0.130},
    "C3": {"t5": 11, "alibi": 5, "rotary": 1, "sinusoidal": 0},
    "C4": {"nope": 0.973, "t5": 0.979, "alibi": 0.982, "rotary": 0.982, "sinusoidal": 0.974},
    "C6": {"mathematical: alibi": 0.593, "classic: t5": 0.708, "primitive: nope": 0.799},
    "C7": {"mean lead of nope": 0.050, "share of pairs": 18 / 30},
    "C8": {"t5": 1.86, "alibi": 1.09, "rotary": 1.10, "sinusoidal": 1.02},
    "C9": {"polynomial: alibi": 0.631, "lego: alibi": 0.797, "sort_multi: rotary": 0.751},
    "C12": {"nope, another seed": 0.265, "t5": 0.263, "alibi": 0.490, "rotary": 0.987},
    "C13": {"t5 below alibi": 1, "alibi below sinusoidal": 9 / 12},
    "C14": {"addition": 5, "summation": 4, "sort_multi": 2, "lego": 2, "parity": 1},
    "C16": {"nope: minimal": 0.368, "t5: full-R": 0.393, "rotary: full-C": 0.453},
    "C17": {"nope: near": 0.556, "nope: far": 0.225, "alibi: near": 0.822, "alibi: far": 0.026},
    "C18": {"nope at 1024": 2.73, "alibi at 1024": 2.81, "rotary at 1024": 2.68},
    "C19": {"rotary at 1800": 754, "nope at 1800": 35.1, "alibi at 1600": 4.39},
    "C20": {"nope at 2048": 136, "alibi at 2560": 145},
    "C22": {"nope": 100_000, "alibi": 60_000},
}


@pytest.mark.parametrize("number", PRINTED)
def test_published_figures_are_those_of_the_paper(number):
    found = claims.get(f"length-generalization/{number}").published()
    for name, value in PRINTED[number].items():
        assert found[name] == pytest.approx(value, rel=5e-3, abs=1e-9), name


def test_there_are_22_claims_with_words_and_an_effect_that_counts():
    listed = claims.claims("length-generalization")
    assert [claim.number for claim in listed] == [f"C{number}" for number in range(1, 23)]
    for claim in listed:
        assert claim.statement.endswith(".")
        assert claim.quantity
        assert claim.effect
        assert claim.test or claim.missing


@pytest.mark.parametrize(
    ("constant", "numbers"),
    [(RANK, ["C1", "C6"]), (EFFECT, ["C2", "C5", "C7", "C9", "C21"]), (1 - SOLVED, ["C4"])],
)
def test_effects_are_told_as_they_are_tested(constant, numbers):
    for number in numbers:
        assert claims.get(f"length-generalization/{number}").effect.startswith(f"{constant:.2f} ")


def test_without_experiments_nothing_of_ours_is_claimed(tmp_path):
    verdicts = claims.judge("length-generalization", Store(tmp_path))
    # only C22 is about the paper's runs alone
    untested = [verdict for verdict in verdicts if verdict.claim.number != "C22"]
    assert len(untested) == 21
    assert {verdict.status for verdict in untested} == {"not tested at this scale"}
    assert {verdict.ours for verdict in verdicts} == {""}
    assert all("it takes" in verdict.reason for verdict in untested)


def test_steps_of_the_published_runs_contradict_the_paper(tmp_path):
    (verdict,) = [
        item
        for item in claims.judge("length-generalization", Store(tmp_path))
        if item.claim.number == "C22"
    ]
    assert verdict.status == "not reproduced"
    assert "nope 100,000" in verdict.reason


def test_equal_steps_would_bear_the_claim_out(tmp_path):
    from dataclasses import replace

    claim = claims.get("length-generalization/C22")
    even = replace(claim, published=lambda: dict.fromkeys(length_figures.ENCODINGS, 40_000.0))
    evidence = claims.Evidence(Store(tmp_path), "laptop")
    assert claims.judge_one(even, evidence).status == "reproduced"
