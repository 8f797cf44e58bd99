"""Reading what a model wrote: back to the steps, and what is said of every kind of fault."""

import itertools
import random
import re

import pytest

from positions import tasks
from positions.errors import InvalidValueError
from positions.tasks.scratchpad import Step, Unreadable, conclusion, read

NAMES = ["addition", "summation", "parity", "sort_single", "sort_multi", "polynomial", "lego"]
FIELDS = ("input", "computation", "output", "variable", "remaining")


def spellings(name):
    variable = name in ("addition", "summation", "parity", "polynomial")
    return [
        "i{}_c{}_o{}_v{}_r{}".format(*flags)
        for flags in itertools.product((0, 1), repeat=5)
        if variable or not flags[3]
    ]


def one_blank(text):
    return " ".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_every_format_is_read_back(name):
    for spelt in spellings(name):
        task = tasks.build(name, scratchpad=spelt)
        tokenizer = task.tokenizer()
        written = dict(zip(FIELDS, (each[1] == "1" for each in spelt.split("_")), strict=True))
        for example in task.examples("test", 2, 8):
            steps = task.steps(example.source)
            expected = [
                Step(
                    **{
                        field: one_blank(getattr(step, field)) if written[field] else None
                        for field in FIELDS
                    }
                )
                for step in steps
            ]
            sentence = example.target.split(". Thus,  ")[1]
            for text in (
                example.target,
                example.source + example.target,
                tokenizer.decode(tokenizer.encode(example.target)),
            ):
                found = read(text, task.form)
                assert list(found.steps) == expected
                assert found.conclusion == sentence
                checked = task.check(text, example)
                assert checked.first_wrong is None
                assert checked.fault is None
                assert checked.share == 1
                assert len(checked.steps) == len(steps)
                assert all(step.written == step.expected for step in checked.steps)
                assert task.score(text, example)


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_field_is_found_where_it_is(name):
    task = tasks.build(name, scratchpad="full")
    for number, example in enumerate(task.examples("test", 3, 40)):
        steps = task.steps(example.source)
        place = number % len(steps)
        for field in task.form.fields:
            wrong = steps[place]._replace(**{field: f"{getattr(steps[place], field)} 9 9"})
            changed = [*steps[:place], wrong, *steps[place + 1 :]]
            text = tasks.scratchpad.write(changed, example.target.split(". Thus,  ")[1], task.form)
            checked = task.check(text, example)
            assert checked.first_wrong == place + 1
            assert checked.fault == field
            assert checked.share == pytest.approx(1 - 1 / len(steps))
            assert f"Step {place + 1} is wrong: its {field} is " in checked.message
            assert task.score(text, example), "wrong steps before a right answer cost nothing"


PARITY = tasks.build("parity", scratchpad="full", shortest=2, longest=3)
SOURCE = "Is the number of 1's even in the sequence [ 1, 0, 1 ] ? "
EXAMPLE = PARITY.example(SOURCE, "The answer is Yes.", "Yes", 3, "3")
FIRST = "in 1 comp 1 ** par = 1 ** 0 out 1 [ par: 1 ] re [ 0, 1 ]"
SECOND = "in 0 comp 0 ** par = 0 ** 1 out 1 [ par: 1 ] re [ 1 ]"
THIRD = "in 1 comp 1 ** par = 1 ** 1 out 0 [ par: 0 ] re [ ]"
OPENING, CLOSING = "Thinking step by step: ", " . Thus, The answer is Yes."


@pytest.mark.parametrize(
    ("text", "first", "fault", "share", "scored", "message"),
    [
        (
            f"{OPENING}{FIRST} # {SECOND} # {THIRD}{CLOSING}",
            None,
            None,
            1,
            True,
            "All steps are right.",
        ),
        (
            f"{OPENING}{FIRST} # {SECOND}{CLOSING}",
            3,
            "missing",
            0,
            True,
            "Step 3 is missing: the answer comes before it.",
        ),
        (
            f"{OPENING}{FIRST} # {SECOND} # {THIRD} # {THIRD}{CLOSING}",
            4,
            "extra",
            0,
            True,
            "Step 4 is one too many.",
        ),
        (
            f"{OPENING}{FIRST} # {SECOND}",
            3,
            "missing",
            0,
            False,
            "Step 3 is missing: the text ends before it.",
        ),
        (
            f"{OPENING}{FIRST} # in 0 comp 0 **",
            2,
            "unreadable",
            0,
            False,
            "Step 2 cannot be read: it has no output, which begins with 'out': the text ends "
            "within it.",
        ),
        (
            f"{OPENING}{FIRST} # {SECOND} # {THIRD}",
            None,
            None,
            1,
            False,
            "All steps are right, but '. Thus,' and an answer do not follow.",
        ),
        (
            f"{OPENING}{FIRST} # {SECOND.replace('in 0 ', '')} # {THIRD}{CLOSING}",
            2,
            "unreadable",
            0,
            True,
            "Step 2 cannot be read: it has no input, which begins with 'in'.",
        ),
        (
            f"{OPENING}{FIRST} # {SECOND.replace('par: 1 ]', 'par: 1')} # {THIRD}{CLOSING}",
            2,
            "unreadable",
            0,
            True,
            "Step 2 cannot be read: its variable does not end with ']'.",
        ),
        (
            f"{OPENING}{FIRST.replace('out 1', 'out 0')} # {SECOND} # {THIRD}{CLOSING}",
            1,
            "output",
            2 / 3,
            True,
            "Step 1 is wrong: its output is '0' and should be '1'.",
        ),
        (
            "The answer is Yes.",
            1,
            "missing",
            0,
            False,
            "Step 1 is missing: the text does not begin with 'Thinking step by step:'.",
        ),
        (
            "",
            1,
            "missing",
            0,
            False,
            "Step 1 is missing: the text does not begin with 'Thinking step by step:'.",
        ),
        (
            f"{OPENING}{CLOSING}",
            1,
            "unreadable",
            0,
            True,
            "Step 1 cannot be read: it has no input, which begins with 'in'.",
        ),
    ],
)
@pytest.mark.parametrize("prompt", ["", SOURCE])
def test_faults_are_told(text, first, fault, share, scored, message, prompt):
    checked = PARITY.check(prompt + text, EXAMPLE)
    assert (checked.first_wrong, checked.fault) == (first, fault)
    assert checked.share == pytest.approx(share)
    assert checked.message == message
    assert PARITY.score(prompt + text, EXAMPLE) is scored


def test_steps_are_shown_beside_what_they_should_be():
    text = f"{OPENING}{FIRST} # nonsense # {THIRD} # {THIRD}"
    rows = PARITY.check(text, EXAMPLE).steps
    assert [row.written for row in rows] == [FIRST, "nonsense", THIRD, THIRD]
    assert [row.expected for row in rows] == [FIRST, SECOND, THIRD, None]
    assert [row.fault for row in rows] == [None, "unreadable", None, "extra"]
    assert rows[0].reason is None
    assert isinstance(read(text, PARITY.form).steps[1], Unreadable)


def test_a_text_that_repeats_itself_gives_a_short_message():
    text = f"{OPENING}{FIRST.replace('[ 0, 1 ]', '[ 0, ' + 500 * '1, ')}"
    checked = PARITY.check(text, EXAMPLE)
    assert checked.fault == "remaining"
    assert checked.message.endswith("...' and should be '[ 0, 1 ]'.")
    assert len(checked.message) < 150
    assert checked.steps[0].written.count("1,") >= 500


def test_only_what_follows_the_closing_phrase_is_scored():
    wrong = f"{OPENING}The answer is Yes. . Thus, The answer is No. . Thus, The answer is Yes."
    assert conclusion(wrong) == "The answer is No."
    assert not PARITY.score(wrong, EXAMPLE)
    assert conclusion("The answer is Yes.") is None


@pytest.mark.parametrize("name", NAMES)
def test_a_text_cut_short_anywhere_is_read_and_scores_nothing(name):
    task = tasks.build(name, scratchpad="full", longest=6)
    (example,) = task.examples("train", 4, 1)
    words = example.target.split()
    stop = words.index("Thus,")
    for count in range(stop):
        text = " ".join(words[:count])
        checked = task.check(text, example)
        assert checked.conclusion is None
        assert checked.message
        assert not task.score(text, example)
    assert read(" ".join(words[: stop + 1]), task.form).conclusion == ""


def test_a_task_without_scratchpad_has_nothing_to_check():
    plain = tasks.build("parity")
    with pytest.raises(InvalidValueError, match=r"parity has no steps to check.*scratchpad='full'"):
        plain.check("The answer is Yes.", EXAMPLE)
    assert plain.score("The answer is Yes.", EXAMPLE)


def test_all_wrong_fields_of_a_step_are_told():
    second = SECOND.replace("in 0 comp 0", "in 1 comp 1").replace("re [ 1 ]", "re [ 0 ]")
    rows = PARITY.check(f"{OPENING}{FIRST} # {second} # nonsense{CLOSING}", EXAMPLE).steps
    assert [row.wrong for row in rows] == [(), ("input", "computation", "remaining"), ()]
    assert rows[1].fault == "input"


WHOLE = r"in ?(.*?) ?comp ?(.*?) ?out ?(.*?) ?\[ (.*?) \] re ?(.*)"


def by_pattern(text):
    """Read the steps of a text with one regular expression: another way than the library's."""
    body = text.split("Thinking step by step:")[1].split(". Thus,")[0]
    return [re.fullmatch(WHOLE, one_blank(step)).groups() for step in body.split("#")]


@pytest.mark.parametrize("name", ["addition", "parity", "polynomial", "summation"])
def test_another_reading_finds_the_same_first_fault(name):
    """Words of the steps exchanged at random; marks stay, so that a pattern can read the steps."""
    task = tasks.build(name, scratchpad="full")
    marks = {"in", "comp", "out", "[", "]", "re", "#", "Thinking", "step", "by", "step:", "."}
    draw = random.Random(name)
    found = set()
    for example in task.examples("test", 5, 60):
        words = example.target.split()
        free = [n for n, word in enumerate(words[: words.index("Thus,")]) if word not in marks]
        for place in draw.sample(free, draw.choice([0, 1, 2])):
            words[place] = draw.choice(["7", "0", "+"])
        text = " ".join(words)
        pairs = list(zip(by_pattern(text), by_pattern(example.target), strict=True))
        wrong = [n for n, (ours, right) in enumerate(pairs, 1) if ours != right]
        checked = task.check(text, example)
        assert checked.first_wrong == (wrong[0] if wrong else None)
        assert checked.share == pytest.approx(1 - len(wrong) / len(pairs))
        for step, (ours, right) in zip(checked.steps, pairs, strict=True):
            each = zip(FIELDS, ours, right, strict=True)
            assert step.wrong == tuple(field for field, one, other in each if one != other)
        found |= {checked.fault}
    assert len(found) >= 4
