"""The benchmarks run, and say what they must; how fast anything is, no test asks."""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path

import pytest
import torch

pytest.importorskip("x_transformers", reason="the peers are not installed: positions[bench]")

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.comparison import entries  # noqa: E402
from benchmarks.report import Row, table  # noqa: E402
from benchmarks.sizes import size  # noqa: E402

from benchmarks import __main__ as command  # noqa: E402
from benchmarks import (  # noqa: E402
    encodings,
    generation,
    machine,
    ours,
    timing,
    training,
    whole_run,
)

TINY = size("tiny")
EVERYONE = [(encoding, each) for encoding in ours.ENCODINGS for each in entries(encoding)]


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(("encoding", "entry"), EVERYONE, ids=lambda x: getattr(x, "name", x))
def test_every_contender_does_the_same_work(encoding, entry):
    """Each learns the same tokens, writes as many, and has about as many weights as ours."""
    tokens, targets = TINY.tokens()
    reference = sum(p.numel() for p in ours.build(encoding, TINY, 0.0).parameters())
    for attention in entry.attentions:
        torch.manual_seed(0)
        contender = entry.build(TINY, 0.0, attention)
        optimizer = torch.optim.AdamW(contender.parameters(), lr=1e-2)
        losses = []
        for _ in range(8):
            loss = contender.loss(tokens, targets)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        assert losses[-1] < losses[0] < 3 * math.log(TINY.vocabulary)
        learned = sum(p.numel() for p in optimizer.state)
        assert abs(learned / reference - 1) < 0.05


@pytest.mark.parametrize(("encoding", "entry"), EVERYONE, ids=lambda x: getattr(x, "name", x))
def test_every_contender_writes_what_its_own_logits_say(encoding, entry):
    """With its cache, each writes the likeliest tokens of a pass without one."""
    torch.manual_seed(0)
    contender = entry.build(TINY, 0.0, entry.attentions[0]).eval()
    prompts = TINY.prompts()
    for write in contender.writers().values():
        written = write(prompts, 3)
        with torch.no_grad():
            logits = contender.logits(torch.cat([prompts, written[:, :-1]], 1))
        assert torch.equal(logits[:, -3:].argmax(-1), written)


def test_the_command_writes_what_it_measured(tmp_path, capsys, monkeypatch):
    """One run, in processes as at any size: a table, and JSON with the machine beside the rows."""
    monkeypatch.setattr(ours, "ENCODINGS", ("learned",))
    file = tmp_path / "found.json"
    command.main(["training", "--size", "tiny", "--threads", "1", "--out", str(file)])
    found = json.loads(file.read_text())
    assert found["machine"]["cores"] >= 1
    assert torch.__version__.startswith(found["machine"]["versions"]["torch"].split("+")[0])
    names = [each.name for each in entries("learned")]
    assert {row["contender"] for row in found["rows"]} == {*names, training.FIT}
    for row in found["rows"]:
        assert row["tokens_per_second"]["median"] > 0
        assert row["times_faster"]["low"] <= row["times_faster"]["median"]
    printed = capsys.readouterr().out
    for name in {row["contender"] for row in found["rows"]}:
        assert name in printed


def test_generation_is_timed_on_the_tokens_asked_for():
    """Each way to write has a row of its own, and writes `new` tokens a row."""
    for each in entries("rotary"):
        rows = generation._settings(False, each)
        for settings in rows.values():
            action, facts = generation.make(each.name, "rotary", TINY, 0.0, settings[-1])
            assert action().shape == (TINY.batch, TINY.new)
            assert facts["weights"] > 0


def test_encodings_are_measured_beside_none_at_all():
    """The reference is its own unit, and a bias takes memory that doing nothing does not."""
    rows = encodings.run(lengths=(16,), rounds=1, seconds=0.0, tokens=64)
    forward = {row["encoding"]: row for row in rows if row["passes"] == "forward"}
    assert forward["nope"]["times_nope"]["median"] == 1
    assert forward["nope"]["mib_above_nope"] == 0
    assert forward["t5"]["peak_mib"] >= forward["nope"]["peak_mib"] > 0


def test_a_whole_run_is_accounted_for(monkeypatch):
    """Every part of a short run takes time, and the shares make up the whole."""
    monkeypatch.chdir(ROOT)
    begun = time.perf_counter()
    rows = whole_run.run(steps=2, train=100, test=20)
    assert sum(row["seconds"] for row in rows) < time.perf_counter() - begun
    assert [row["part"] for row in rows] == list(whole_run.PARTS)
    assert all(row["seconds"] >= 0 for row in rows)
    assert sum(row["percent"] for row in rows) == pytest.approx(100, abs=0.5)


def test_peak_memory_counts_what_is_held_at_once():
    """Two tensors of a megabyte one after the other are one, together they are two."""

    def one_by_one() -> None:
        for _ in range(2):
            torch.empty(2**20, dtype=torch.uint8)

    def together() -> None:
        _ = [torch.empty(2**20, dtype=torch.uint8) for _ in range(2)]

    assert encodings.peak_memory(one_by_one) == 2**20
    assert encodings.peak_memory(together) == 2 * 2**20


def test_turns_alternate():
    """The order turns round after each round, so that drift meets all alike."""
    order: list[str] = []

    def turn(name: str):
        def run(repeats: int) -> float:
            order.append(name)
            return 1.0

        return run

    timing.interleaved({"a": turn("a"), "b": turn("b")}, rounds=2, seconds=0.0)
    assert "".join(order) == "ab" + "abba"


def test_spreads_are_quartiles():
    """Five values: the second, third and fourth."""
    assert timing.Spread.of([5, 1, 4, 2, 3]) == timing.Spread(3, 2, 4)


def test_a_table_shows_every_row():
    """What a row lacks stays empty."""
    text = table([Row("speed", who="a", rate=1.5), Row("speed", who="b", note="slow")])
    assert text.splitlines()[2:] == [
        "| who | rate | note |",
        "|-----|------|------|",
        "| a   | 1.5  |      |",
        "| b   |      | slow |",
    ]


def test_the_name_of_a_machine_is_its_processor():
    """Trade marks and clock rates are left out."""
    facts = {"processor": "Intel(R) Xeon(R) CPU @ 2.00GHz", "cores": 2}
    assert machine.slug(facts) == "intel-xeon-cpu-2-cores"
