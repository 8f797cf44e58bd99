"""What a model writes freely, and what is said of it."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from positions import tasks
from positions.experiments.length_generalization import measure, one_run
from positions.experiments.scratchpad import ScratchpadConfig, writing
from positions.model import generate

LEARNT = ScratchpadConfig(
    task="parity",
    encoding="t5",
    seed=1,
    scratchpad="i1_c0_o1_v0_r0",
    shortest=1,
    longest=2,
    test_longest=4,
    train=300,
    test=24,
    token_limit=60,
    width=32,
    heads=2,
    layers=2,
    hidden=64,
    dropout=0.0,
    steps=180,
    batch_size=16,
    learning_rate=0.01,
    evaluate_every=50,
)


@pytest.fixture(scope="module")
def trained():
    setup = one_run.set_up(LEARNT)
    one_run.train(LEARNT, setup)
    return setup


def write(setup, part, limit=LEARNT.token_limit):
    return writing.write(setup.model, part, LEARNT.build_task(), setup.tokenizer, limit)


def test_texts_are_those_of_greedy_decoding_one_by_one(trained):
    for part in (trained.validation, trained.test):
        written = write(trained, part)
        assert [each.example for each in written] == list(part.examples)
        for each in written[:6]:
            prompt = torch.tensor([trained.tokenizer.encode(each.example.source)])
            found = generate(
                trained.model,
                prompt,
                end=trained.tokenizer.end_id,
                max_new=LEARNT.token_limit - prompt.shape[1],
            )
            assert each.text == trained.tokenizer.decode(found.rows()[0])


def test_texts_do_not_depend_on_how_many_are_written_at_once(trained, monkeypatch):
    expected = [each.text for each in write(trained, trained.test)]
    monkeypatch.setattr(writing, "TOKENS_AT_ONCE", 3 * LEARNT.token_limit)
    assert [each.text for each in write(trained, trained.test)] == expected


def test_exact_match_is_a_lower_bound_of_the_score(trained):
    """Exact match by one forward pass holds exactly where the text is the expected one."""
    cases = Counter()
    for part in (trained.validation, trained.test):
        exact = measure.solved(trained.model, part).tolist()
        for each, same in zip(write(trained, part), exact, strict=True):
            assert same == (each.text.split() == each.example.target.split())
            assert each.right or not same
            assert (each.fault is None) <= each.right
            cases[same, each.right] += 1
    assert set(cases) == {(True, True), (False, True), (False, False)}, "all three must occur"


def test_what_is_longer_than_the_limit_is_not_written(trained):
    lengths = trained.test.data.lengths
    limit = int(lengths.max()) - 1
    cut = measure.test_set(trained.test.examples, trained.tokenizer, limit)
    assert 0 < len(cut.short) < len(cut.examples)
    for place, each in enumerate(write(trained, cut, limit)):
        if place not in cut.short:
            assert each.text == ""
            assert not each.right
            assert each.fault == "missing"
        else:
            used = len(trained.tokenizer.encode(each.example.source + each.text))
            assert 0 < used <= limit


# What is said of given texts.

TASK = tasks.build("parity", scratchpad="minimal", shortest=2, longest=3)
OPENING = "Thinking step by step: "


def judged(bits, text):
    listed = ", ".join(bits)
    answer = "No" if bits.count("1") % 2 else "Yes"
    source = f"Is the number of 1's even in the sequence [ {listed} ] ? "
    example = TASK.example(source, f"The answer is {answer}.", answer, len(bits), "")
    return writing.judge(TASK, example, example.target if text is None else text)


A, B = "comp 1 ** par = 1 ** 0 out 1", "comp 0 ** par = 0 ** 1 out 1"
TEXTS = [
    judged("10", None),  # right
    judged("10", f"{OPENING}{A} # {B} . Thus, The answer is Yes."),  # answer
    judged("10", f"{OPENING}{A} # {B}"),  # no conclusion
    judged("10", f"{OPENING}{A} # {A} . Thus, The answer is No."),  # computation of step 2
    judged("100", f"{OPENING}{B} # {B} # {B}"),  # computation of step 1
    judged("100", f"{OPENING}{A} # {B} . Thus, The answer is No."),  # step 3 is missing
    judged("10", f"{OPENING}{A} # {B} # {B} . Thus, The answer is No."),  # one too many
    judged("10", "The answer is No."),  # nothing that is asked for
]


def test_faults():
    assert [each.fault for each in TEXTS] == [
        None,
        "answer",
        "no conclusion",
        "computation",
        "computation",
        "missing",
        "extra",
        "missing",
    ]
    assert [each.right for each in TEXTS] == [True, False, False, True, False, True, True, False]
    assert writing.faults(TEXTS) == {
        "answer": 1,
        "no conclusion": 1,
        "computation": 2,
        "missing": 2,
        "extra": 1,
    }
    assert TEXTS[1].message == "All steps are right, but the answer is not: it should be 'No'."
    assert TEXTS[2].message.startswith("All steps are right, but '. Thus,'")
    assert TEXTS[5].message == "Step 3 is missing: the answer comes before it."


def test_first_wrong_steps():
    reached, wrong = writing.first_wrong(TEXTS, 3)
    assert reached == [8, 6, 1]
    assert wrong == [2, 1, 1]


def test_steps_right_follows_the_papers_rule():
    shares = [1, 1, 1, 1 / 2, 2 / 3, 0, 0, 0]
    assert [each.checked.share for each in TEXTS] == pytest.approx(shares)
    assert writing.steps_right(TEXTS) == pytest.approx(sum(shares) / 8)


def test_failures_are_few_and_the_shortest():
    found = writing.failures(TEXTS, 2)
    assert found["failure_length"] == [2, 3]
    assert found["failure_text"] == [TEXTS[1].text, TEXTS[4].text]
    assert found["failure_prompt"] == [TEXTS[1].example.source, TEXTS[4].example.source]
    assert found["failure_reason"] == [TEXTS[1].message, TEXTS[4].message]
    assert writing.failures(TEXTS, 1)["failure_length"] == [2]
    assert writing.failures(TEXTS[:1], 3)["failure_text"] == []


def test_without_scratchpad_only_the_answer_counts():
    plain = tasks.build("parity")
    (example,) = plain.examples("train", 1, 1)
    right = writing.judge(plain, example, example.target)
    wrong = writing.judge(plain, example, "The answer is Maybe.")
    assert (right.right, right.fault, right.checked) == (True, None, None)
    assert (wrong.right, wrong.fault) == (False, "answer")
    assert wrong.message == f"it should be {example.answer!r}."
    assert writing.steps_right([right, wrong]) is None
    assert writing.first_wrong([right, wrong], 0) == ([], [])
