"""The steps, executed by a reader of its own that knows the paper's description alone."""

import re
import string

import pytest

from positions import tasks
from positions.errors import InvalidValueError

FULL = re.compile(r"in (.*?) comp (.*?) out (.*?) \[ (.*?) \] re (.*) ")
WITHOUT_VARIABLE = re.compile(r"in (.*?) comp (.*?) out (.*?) re (.*) ")


def drawn(name, size=400, **options):
    task = tasks.build(name, scratchpad="full", **options)
    return [each for split in ("train", "test") for each in task.examples(split, 17, size)]


def opened(example, pattern):
    """Return the fields of each step and the answer sentence."""
    head, tail = "Thinking step by step:  ", " . Thus,  "
    assert example.target.startswith(head)
    body, conclusion = example.target.removeprefix(head).split(tail)
    steps = [pattern.fullmatch(step) for step in body.split(" # ")]
    assert None not in steps
    return [step.groups() for step in steps], conclusion


def number(text):
    return int(text.replace(" ", ""))


def digits(text):
    assert re.fullmatch(r"(- )?\d( \d)*", text)
    return number(text)


def total_of(sum_of_numbers):
    return sum(map(int, sum_of_numbers.split(" + ")))


def test_addition():
    for each in drawn("addition"):
        a, b = (number(part) for part in re.findall(r"\d(?: \d)*", each.source))
        steps, conclusion = opened(each, FULL)
        longest = max(len(str(a)), len(str(b)))
        assert len(steps) == longest + (a + b >= 10**longest)
        carry, outputs = 0, []
        for place, (read, computed, output, variable, rest) in enumerate(steps):
            x, y = a // 10**place % 10, b // 10**place % 10
            assert read == f"{x}, {y}"
            chain = computed.split(" = ")
            assert chain[0] == f"{x} + {y} + carry"
            assert len(chain) == 3
            assert len({total_of(side.replace("carry", str(carry))) for side in chain}) == 1
            assert chain[1] == f"{x + y} + {carry}"
            assert chain[2] == str(x + y + carry)
            assert int(output) == int(chain[2]) % 10
            carry = int(chain[2]) // 10
            assert variable == f"carry: {carry}"
            outputs.append(output)
            left, right = rest.split("+")
            assert rest == f"{left}+{right}"
            if place < longest - 1:
                assert digits(left.strip()) == a // 10 ** (place + 1)
                assert digits(right.strip()) == b // 10 ** (place + 1)
            else:
                assert rest == " + "
        assert carry == 0
        assert conclusion == f"The answer is {' '.join(reversed(outputs))}."
        assert int("".join(reversed(outputs))) == a + b == int(each.answer)


def test_summation():
    for each in drawn("summation"):
        terms = re.findall(r"\d", each.source)
        steps, conclusion = opened(each, FULL)
        total = 0
        for place, (read, computed, output, variable, rest) in enumerate(steps):
            assert read == terms[place]
            assert computed == f"{read} + sum = {read} + {total} ="
            assert digits(output) == int(read) + total
            name, before, total = re.fullmatch(r"(\w+): (.*) = (\d)", variable).groups()
            total = int(total)
            assert (name, before) == ("sum", output)
            assert total == digits(output) % 10
            assert [part for part in rest.split(" + ") if part] == terms[place + 1 :]
        assert len(steps) == len(terms)
        assert conclusion == f"The answer is {total} ."
        assert str(total) == each.answer


def test_parity():
    for each in drawn("parity"):
        bits = re.findall(r"[01](?=,| \])", each.source)
        steps, conclusion = opened(each, FULL)
        odd = False
        for place, (read, computed, output, variable, rest) in enumerate(steps):
            assert read == bits[place]
            assert computed == f"{read} ** par = {read} ** {int(odd)}"
            odd = odd != (read == "1")
            assert output == str(int(odd))
            assert variable == f"par: {output}"
            assert rest == f"[ {', '.join(bits[place + 1 :])} ]"
        assert len(steps) == len(bits)
        assert conclusion == f"The answer is {'No' if odd else 'Yes'}."


@pytest.mark.parametrize(
    ("name", "options", "key"),
    [
        ("sort_single", {}, (string.digits + string.ascii_letters).index),
        # few symbols, so that many are equal
        ("sort_single", {"symbols": 3}, "012".index),
        ("sort_multi", {}, number),
    ],
)
def test_sorting(name, options, key):
    for each in drawn(name, **options):
        rest = re.search(r"\[ (.*) \]", each.source)[1].split(", ")
        steps, conclusion = opened(each, WITHOUT_VARIABLE)
        taken = []
        for read, computed, output, remaining in steps:
            assert read == rest[0]
            assert computed == "The minimum of the unsorted portion"
            assert key(output) == min(map(key, rest))
            where = rest.index(output)
            rest[0], rest[where] = rest[where], rest[0]
            taken.append(rest.pop(0))
            assert remaining == f"[ {', '.join(rest)} ]"
        assert rest == []
        assert conclusion == f"The sorted list is [ {', '.join(taken)} ]."
        assert taken == sorted(taken, key=key)


def test_polynomial():
    for each in drawn("polynomial"):
        x, listed = re.fullmatch(r"Evaluate at x = (.*) in (.*) \? ", each.source).groups()
        terms = listed.split(" + ")
        steps, conclusion = opened(each, FULL)
        total = 0
        for place, (read, computed, output, variable, rest) in enumerate(steps):
            assert read == terms[place]
            left, right = computed.split(" = ")
            assert left == read.replace("x", x)
            coefficient, power = right.split(" * ")
            assert digits(power) == number(x) ** int(read[-1])
            assert digits(output) == digits(coefficient) * digits(power)
            assert coefficient == read.split(" * ")[0]
            name, before, added, total_now = re.fullmatch(
                r"(\w+): (\d) \+ (.*) = (\d)", variable
            ).groups()
            assert (name, int(before), added) == ("sum", total, output)
            total = int(total_now)
            assert (total - int(before) - digits(output)) % 10 == 0
            assert [part for part in rest.split(" + ") if part] == terms[place + 1 :]
        assert len(steps) == len(terms)
        assert conclusion == f"The answer is {total}."
        assert str(total) == each.answer


def test_lego():
    for each in drawn("lego"):
        clauses, asked = re.fullmatch(r"If (.*)\. Then.* ([a-z])\? ", each.source).groups()
        clauses = clauses.split(", ")
        steps, conclusion = opened(each, WITHOUT_VARIABLE)
        known = {}
        for place, (read, computed, output, rest) in enumerate(steps):
            name, value = clauses[place].split(" = ")
            assert read == name
            if place == 0:
                assert computed == ""
                known[name] = int(value)
            else:
                sign, of = value.split()
                assert computed == f"{value} = {sign} {known[of]:+d}"
                known[name] = known[of] if sign == "+" else -known[of]
            assert output == f"{known[name]:+d}"
            assert rest == ", ".join(clauses[place + 1 :])
        assert read == asked
        assert conclusion == f"The answer is {known[asked]:+d}."


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("addition", "Compute 9 5 - 8 ? ", ["'Compute 9 5 + 8 ? '"]),
        ("summation", "Compute 9 5 + 8 ? ", ["is no prompt", "Compute: 7 + 9"]),
        ("parity", "Is the number of 1's even in the sequence [ 2 ] ? ", ["[ 1, 0 ]"]),
        ("sort_single", "Sort the following list [  ]. ", ["is no prompt"]),
        ("sort_single", "Sort the following list [ a, ? ]. ", ["'?'", "50 symbols"]),
        ("sort_multi", "Sort the following list [ 1 2, b ]. ", ["'b' is no number"]),
        ("polynomial", "Evaluate at x = 1 in 3 * y ** 2 ? ", ["'3 * y ** 2' is no prompt"]),
        ("lego", "If a = -1, c = + b. Then, what is the value of c? ", ["'c = + b' (clause 2"]),
        ("lego", "If a = -1. Then, what is the value of c? ", ["asks for c"]),
    ],
)
def test_what_is_no_prompt_is_refused(name, source, words):
    with pytest.raises(InvalidValueError) as error:
        tasks.build(name).steps(source)
    assert [word for word in words if word not in str(error.value)] == []
