"""The scratchpad's form: the worked examples to the byte, names, every choice of fields."""

import itertools

import pytest

from positions import tasks
from positions.errors import InvalidValueError, UnknownNameError
from positions.tasks import scratchpad
from positions.tasks.scratchpad import Format, Step, formats, write

NAMES = ["addition", "summation", "parity", "sort_single", "sort_multi", "polynomial", "lego"]
WITHOUT_VARIABLE = {"sort_single", "sort_multi", "lego"}


def written(name, source, conclusion, form="full"):
    task = tasks.build(name, scratchpad=form)
    return task.example(source, conclusion, "", 1, "").target


@pytest.mark.parametrize(
    ("name", "source", "conclusion", "form", "expected"),
    [
        (
            "addition",
            "Compute 9 5 + 8 ? ",
            "The answer is 1 0 3.",
            "full",
            "Thinking step by step:  in 5, 8 comp 5 + 8 + carry = 13 + 0 = 13 out 3 [ carry: 1 ] "
            "re 9 + 0  # in 9, 0 comp 9 + 0 + carry = 9 + 1 = 10 out 0 [ carry: 1 ] re  +   # "
            "in 0, 0 comp 0 + 0 + carry = 0 + 1 = 1 out 1 [ carry: 0 ] re  +   . Thus,  "
            "The answer is 1 0 3.",
        ),
        (
            "summation",
            "Compute: 7 + 9 + 4 .[SEP] ",
            "The answer is 0 .",
            "full",
            "Thinking step by step:  in 7 comp 7 + sum = 7 + 0 = out 7 [ sum: 7 = 7 ] re 9 + 4  # "
            "in 9 comp 9 + sum = 9 + 7 = out 1 6 [ sum: 1 6 = 6 ] re 4  # "
            "in 4 comp 4 + sum = 4 + 6 = out 1 0 [ sum: 1 0 = 0 ] re   . Thus,  The answer is 0 .",
        ),
        (
            "parity",
            "Is the number of 1's even in the sequence [ 1, 0, 1, 1 ] ? ",
            "The answer is No.",
            "full",
            "Thinking step by step:  in 1 comp 1 ** par = 1 ** 0 out 1 [ par: 1 ] re [ 0, 1, 1 ]  "
            "# in 0 comp 0 ** par = 0 ** 1 out 1 [ par: 1 ] re [ 1, 1 ]  "
            "# in 1 comp 1 ** par = 1 ** 1 out 0 [ par: 0 ] re [ 1 ]  "
            "# in 1 comp 1 ** par = 1 ** 0 out 1 [ par: 1 ] re [  ]  . Thus,  The answer is No.",
        ),
        (
            "parity",
            "Is the number of 1's even in the sequence [ 1, 0 ] ? ",
            "The answer is No.",
            "minimal",
            "Thinking step by step:  comp 1 ** par = 1 ** 0 out 1  # comp 0 ** par = 0 ** 1 out 1  "
            ". Thus,  The answer is No.",
        ),
        (
            "sort_single",
            "Sort the following list [ l, d, 4 ]. ",
            "The sorted list is [ 4, d, l ].",
            "full",
            "Thinking step by step:  in l comp The minimum of the unsorted portion out 4 "
            "re [ d, l ]  # in d comp The minimum of the unsorted portion out d re [ l ]  # "
            "in l comp The minimum of the unsorted portion out l re [  ]  . Thus,  "
            "The sorted list is [ 4, d, l ].",
        ),
        (
            "sort_multi",
            "Sort the following list [ 9 0, 1 2 3 ]. ",
            "The sorted list is [ 9 0, 1 2 3 ].",
            "full-C",
            "Thinking step by step:  in 9 0 out 9 0 re [ 1 2 3 ]  # in 1 2 3 out 1 2 3 re [  ]  "
            ". Thus,  The sorted list is [ 9 0, 1 2 3 ].",
        ),
        (
            "polynomial",
            "Evaluate at x = - 2 in - 3 * x ** 2 + 2 * x ** 3 ? ",
            "The answer is 2.",
            "full",
            "Thinking step by step:  in - 3 * x ** 2 comp - 3 * - 2 ** 2 = - 3 * 4 out - 1 2 "
            "[ sum: 0 + - 1 2 = 8 ] re 2 * x ** 3  # "
            "in 2 * x ** 3 comp 2 * - 2 ** 3 = 2 * - 8 out - 1 6 [ sum: 8 + - 1 6 = 2 ] re   "
            ". Thus,  The answer is 2.",
        ),
        (
            "lego",
            "If q = -1, t = - q, c = + t, f = - c. Then, what is the value of c? ",
            "The answer is +1.",
            "full",
            "Thinking step by step:  in q comp  out -1 re t = - q, c = + t, f = - c  # "
            "in t comp - q = - -1 out +1 re c = + t, f = - c  # "
            "in c comp + t = + +1 out +1 re f = - c  . Thus,  The answer is +1.",
        ),
    ],
)
def test_the_papers_examples_to_the_byte(name, source, conclusion, form, expected):
    assert written(name, source, conclusion, form) == expected


def test_marks_stand_before_fields_and_blanks_after_them():
    step = Step("a", "b", "c", "d", "e")
    assert write([step, step], "f", Format()) == (
        "Thinking step by step:  in a comp b out c [ d ] re e  # in a comp b out c [ d ] re e  "
        ". Thus,  f"
    )
    nothing = Format(False, False, False, False, False)
    assert write([step, step], "f", nothing) == "Thinking step by step:   #  . Thus,  f"


def test_the_papers_formats():
    with_variable = {
        "minimal": "CO",
        "full": "ICOVR",
        "full-I": "COVR",
        "full-C": "IOVR",
        "full-O": "ICVR",
        "full-V": "ICOR",
        "full-R": "ICOV",
    }
    found = {
        name: "".join(field[0].upper() for field in form.fields)
        for name, form in formats(variable=True).items()
    }
    assert found == with_variable
    without = formats(variable=False)
    assert without.keys() == with_variable.keys() - {"full-V"}
    assert without["full"] == Format(variable=False)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_of_fields_can_be_had_and_named_ones_keep_their_name(name):
    variable = name not in WITHOUT_VARIABLE
    seen = set()
    for flags in itertools.product((0, 1), repeat=5):
        if flags[3] and not variable:
            continue
        spelt = "i{}_c{}_o{}_v{}_r{}".format(*flags)
        task = tasks.build(name, scratchpad=spelt)
        assert task.form == Format(*map(bool, flags))
        assert task.scratchpad in {spelt, *formats(variable)}
        assert tasks.build(name, scratchpad=task.scratchpad) == task
        seen.add(task.scratchpad)
    assert len(seen) == (32 if variable else 16)
    assert formats(variable).keys() < seen


@pytest.mark.parametrize("name", NAMES)
def test_the_default_is_no_scratchpad(name):
    task = tasks.build(name)
    assert task.scratchpad == scratchpad.NONE
    assert task.form is None


@pytest.mark.parametrize("bad", ["ful", "full-X", "i1_c1", "i2_c0_o0_v0_r0", "", None, True, 1, []])
def test_an_unknown_format_is_answered_with_all_valid_ones(bad):
    with pytest.raises(UnknownNameError) as error:
        tasks.build("addition", scratchpad=bad)
    message = str(error.value)
    assert message.startswith(f"Unknown scratchpad of addition: {bad!r}.")
    for valid in ("none", "minimal", "full, ", "full-I", "full-C", "full-O", "full-V", "full-R"):
        assert valid in message
    assert "i?_c?_o?_v?_r?" in message
    assert "\n" not in message


@pytest.mark.parametrize("name", sorted(WITHOUT_VARIABLE))
@pytest.mark.parametrize("bad", ["full-V", "i1_c1_o1_v1_r1", "i0_c0_o0_v1_r0"])
def test_a_variable_where_there_is_none_is_refused(name, bad):
    with pytest.raises(InvalidValueError) as error:
        tasks.build(name, scratchpad=bad)
    message = str(error.value)
    assert f"scratchpad is {bad!r}, and {name} has no variable V" in message
    assert "full-R" in message
    assert "v0" in message


def test_a_task_without_steps_has_no_such_option():
    with pytest.raises(UnknownNameError, match="option of copy_v3_multi: 'scratchpad'"):
        tasks.build("copy_v3_multi", scratchpad="full")
