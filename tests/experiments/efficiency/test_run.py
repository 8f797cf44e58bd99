"""What is measured is what is meant; how long it takes, no test asks."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch
from filelock import FileLock, Timeout

from positions.experiments.efficiency import EXPERIMENT, EfficiencyConfig
from positions.experiments.efficiency.config import machine
from positions.experiments.efficiency.measure import measuring
from positions.model import attend
from positions.runs.engine import execute
from positions.training import OutOfMemoryError

SPECS = ("nope", "sinusoidal", "learned", "t5", "alibi", "rotary fraction=0.5")
SETTINGS = {
    "encodings": SPECS,
    "attention": "written",
    "vocabulary": 8,
    "width": 16,
    "heads": 2,
    "layers": 2,
    "hidden": 16,
    "warmups": 1,
    "rounds": 4,
    "machine": machine("cpu"),
}


def config(phase: str = "forward", length: int = 64, **changes: object) -> EfficiencyConfig:
    return EfficiencyConfig(**{**SETTINGS, "phase": phase, "length": length, **changes})


@pytest.mark.parametrize("phase", ["forward", "training", "generation"])
def test_every_encoding_has_all_its_numbers(phase: str) -> None:
    asked = config(phase, 5)
    outcome = EXPERIMENT.run(asked)
    for text in SPECS:
        rounds = outcome.series[f"ms {text}"]
        assert len(rounds) == asked.rounds
        low, middle, high = (outcome.metrics[f"ms{end} {text}"] for end in ("_low", "", "_high"))
        assert 0 < min(rounds) <= low <= middle <= high <= max(rounds)
        speed = outcome.metrics[f"tokens_per_second {text}"]
        assert speed == pytest.approx(1e3 * 5 / middle, rel=1e-3)
    ratios = {outcome.metrics[f"times_nope{end} nope"] for end in ("_low", "", "_high")}
    assert ratios == {1.0}


def test_a_ratio_is_that_of_one_round() -> None:
    """Not of two medians, which may come from different rounds."""
    outcome = EXPERIMENT.run(config(length=3, rounds=3))
    rounds = zip(outcome.series["ms t5"], outcome.series["ms nope"], strict=True)
    middle = sorted(own / none for own, none in rounds)[1]
    assert outcome.metrics["times_nope t5"] == pytest.approx(middle, rel=1e-3)


@pytest.mark.parametrize("attention", ["written", "fastest"])
def test_a_bias_takes_memory_that_doing_nothing_does_not(attention: str) -> None:
    metrics = EXPERIMENT.run(config(attention=attention, rounds=1)).metrics
    bias = 2 * 64**2 * 4 / 2**20  # heads, queries x keys, float32
    for text in ("t5", "alibi"):
        assert metrics[f"mib {text}"] >= metrics["mib nope"] + 0.9 * bias
    for text in ("sinusoidal", "learned"):
        assert metrics[f"mib {text}"] == pytest.approx(metrics["mib nope"], rel=0.05)


def test_memory_of_attention_grows_with_the_square_and_more_in_training() -> None:
    short, long = (EXPERIMENT.run(config(length=n, rounds=1)).metrics for n in (64, 256))
    assert 8 < long["mib nope"] / short["mib nope"] < 18
    step = EXPERIMENT.run(config("training", rounds=1)).metrics
    assert step["mib nope"] > short["mib nope"]


def test_memory_of_generation_is_not_measured_on_a_cpu() -> None:
    assert EXPERIMENT.run(config("generation", 3, rounds=1)).metrics["mib t5"] is None


def test_the_encodings_take_turns_in_one_model() -> None:
    """Equal weights: whatever differs in what comes out is position."""
    with measuring(config(length=6)) as host, torch.no_grad():
        logits = {}
        for text in SPECS:
            host._bear(text)
            host.model.eval()
            logits[text] = host.model(host.tokens)
            (borne,) = host.model.transformer.placement.distinct()
            assert borne.name == text.split()[0]
        for text in SPECS[1:]:
            assert not torch.allclose(logits[text], logits["nope"])
            # the first token stands at 0, where nothing turns and no bias tells
            if text in ("alibi", "rotary fraction=0.5", "t5"):
                torch.testing.assert_close(logits[text][:, 0], logits["nope"][:, 0])


def test_a_step_trains_the_weights_and_the_encoding_in_turn_alone() -> None:
    with measuring(config("training", 6)) as host:
        t5, learned = (next(iter(host.encodings[name].parameters())) for name in ("t5", "learned"))
        weight = host.model.transformer.layers[0].attention.qkv.weight
        before = [each.detach().clone() for each in (t5, learned, weight)]
        host._bear("t5")
        host.action()()
        changed = [
            not torch.equal(each, old)
            for each, old in zip((t5, learned, weight), before, strict=True)
        ]
    assert changed == [True, False, True]


def test_generation_writes_as_many_tokens_as_the_length(monkeypatch) -> None:
    from positions.experiments.efficiency import measure

    written = []
    real = measure.generate

    def spy(*args, **kwargs):
        written.append(real(*args, **kwargs).tokens.shape)
        return real(*args, **kwargs)

    monkeypatch.setattr(measure, "generate", spy)
    with measuring(config("generation", 7, batch=2)) as host:
        for text in SPECS:
            host._bear(text)
            host.action()()
    assert set(written) == {(2, 7)}


def test_attention_is_computed_as_asked() -> None:
    device = torch.device("cpu")
    chosen = {}
    for way in ("written", "fastest"):
        with measuring(config(attention=way, length=1)):
            chosen[way] = attend.fastest(device, torch.float32, 64, learned=False, thin=False)
    assert chosen == {"written": "written", "fastest": "fused"}


def test_a_record_can_be_written_and_names_machine_and_threads() -> None:
    record = execute(EXPERIMENT, config(length=1, rounds=1), "smoke")
    assert record.config["machine"] == machine("cpu")
    assert record.provenance.device.startswith(machine("cpu"))
    assert record.provenance.threads >= 1
    assert all(value is None or math.isfinite(value) for value in record.metrics.values())


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_memory_that_does_not_suffice_is_told(monkeypatch, error: Exception) -> None:
    from positions.experiments.efficiency import measure

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(measure, "seconds", fail)
    with pytest.raises(OutOfMemoryError, match=r"2 x 9 tokens.*smaller length or batch"):
        EXPERIMENT.run(config(length=9, batch=2))


def test_other_errors_stay_what_they_are(monkeypatch) -> None:
    from positions.experiments.efficiency import measure

    def fail(*_: object) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr(measure, "seconds", fail)
    with pytest.raises(RuntimeError, match="something else"):
        EXPERIMENT.run(config(length=1))


@pytest.fixture
def worker(monkeypatch, tmp_path):
    """Let this process look like the worker of a sweep."""
    monkeypatch.setattr("multiprocessing.parent_process", lambda: SimpleNamespace(pid=7))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_workers_of_one_sweep_take_turns(worker) -> None:
    """While one of them measures, another one that is told not to wait gives up."""
    lock = FileLock(worker / "positions-measuring-7.lock", timeout=0, is_singleton=False)
    with measuring(config(length=1)), pytest.raises(Timeout):
        lock.acquire()
    lock.acquire()  # it is free again
    lock.release()


def test_without_a_place_for_the_lock_it_measures_all_the_same(worker, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(worker / "not there"))
    assert EXPERIMENT.run(config(length=1, rounds=1)).metrics["ms nope"] > 0


def test_outside_of_a_sweep_nothing_waits(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with measuring(config(length=1)):
        assert list(tmp_path.iterdir()) == []
