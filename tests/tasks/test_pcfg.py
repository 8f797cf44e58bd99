"""PCFG SET: the interpreter against every published pair, the generator against their counts."""

import gzip
import itertools
import re
from collections import Counter

import numpy as np
import pytest

from positions import tasks
from positions.errors import DamagedFileError, InvalidValueError, NotAtHandError
from positions.tasks.pcfg_language import ALPHABET, interpret

ONE = ("copy", "reverse", "shift", "swap_first_last", "repeat", "echo")
TWO = ("append", "prepend", "remove_first", "remove_second")
PAIRS = {"pcfgset/dev": 4860, "pcfgset/test": 9721, "productivity/test": 11_333}


def lines(folder, name):
    content = (folder / "pcfgset" / f"{name}.gz").read_bytes()
    return gzip.decompress(content).decode().splitlines()


def work_out(words):
    """Work out a command from the left; return its result and the words left over."""
    first, rest = words[0], words[1:]
    if first in ONE:
        x, rest = work_out(rest)
        match first:
            case "copy":
                return x, rest
            case "reverse":
                return list(reversed(x)), rest
            case "shift":
                return [*x[1:], x[0]], rest
            case "echo":
                return [*x, x[-1]], rest
            case "repeat":
                return x * 2, rest
            case _:
                y = list(x)
                y[0], y[-1] = x[-1], x[0]
                return y, rest
    if first in TWO:
        x, rest = work_out(rest)
        assert rest[0] == ","
        y, rest = work_out(rest[1:])
        results = {"append": x + y, "prepend": y + x, "remove_first": y, "remove_second": x}
        return results[first], rest
    end = words.index(",") if "," in words else len(words)
    return words[:end], words[end:]


def functions(words):
    return sum(word in ONE or word in TWO for word in words)


def string_lengths(words):
    """Return the lengths of the strings, between functions and commas."""
    marks = [i for i, word in enumerate(words) if word in (*ONE, *TWO, ",")] + [len(words)]
    return [b - a - 1 for a, b in itertools.pairwise(marks) if b - a > 1]


def levels(words):
    """Return how deep functions are nested, and the words left over."""
    if words[0] in ONE:
        depth, rest = levels(words[1:])
        return depth + 1, rest
    if words[0] in TWO:
        one, rest = levels(words[1:])
        two, rest = levels(rest[1:])
        return max(one, two) + 1, rest
    return 0, work_out(words)[1]


@pytest.fixture(scope="module")
def data():
    return tasks.build("pcfg").dataset()


def commands(examples):
    return [each.source.removeprefix("Solve: ").removesuffix("[SEP] ").split() for each in examples]


@pytest.mark.parametrize(("name", "pairs"), PAIRS.items())
def test_the_interpreter_gets_every_published_pair(data_folder, name, pairs):
    sources, targets = lines(data_folder, f"{name}.src"), lines(data_folder, f"{name}.tgt")
    assert len(sources) == len(targets) == pairs
    assert [" ".join(interpret(source)) for source in sources] == targets


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("shift prepend K10 R1 K12 , E12 F16", "F16 K10 R1 K12 E12"),
        ("echo append copy Q10 E4 , remove_second K15 D8 , H12", "Q10 E4 K15 D8 D8"),
        ("swap_first_last A1", "A1"),
        ("swap_first_last A1 B2 C3", "C3 B2 A1"),
        ("A1 B2", "A1 B2"),
    ],
)
def test_the_interpreter_by_hand(command, result):
    assert interpret(command) == result.split()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("revers A1", "'revers' is no function and no letter A1 to Z20"),
        ("reverse A21", "'A21' is no function"),
        ("append A1 B2", "'append' lacks an argument"),
        ("reverse", "'reverse' lacks an argument"),
        ("A1 , B2", "it leaves 2 strings"),
        ("", "it leaves 0 strings"),
    ],
)
def test_what_is_no_command_is_refused(command, message):
    with pytest.raises(InvalidValueError) as error:
        interpret(command)
    assert message in str(error.value)


def test_the_papers_sizes_and_lengths(data):
    assert (len(data.train), len(data.validation), len(data.test)) == (72_909, 8101, 11_333)
    assert len(data.validation_half(256788)) == 4050
    assert {each.length for each in data.train} == set(range(1, 9))
    assert min(each.length for each in data.test) == 9
    assert max(each.length for each in data.test) == 35


def test_the_prompt_says_what_to_do(data):
    for each in [*data.train[:3000], *data.test[:2000]]:
        words = each.source.removeprefix("Solve: ").removesuffix("[SEP] ").split()
        result, rest = work_out(words)
        assert rest == []
        assert each.target == each.answer == " ".join(result)
        assert (each.length, each.category) == (functions(words), str(functions(words)))
        assert {word for word in words if word not in (*ONE, *TWO, ",")} <= set(ALPHABET)
        assert set(string_lengths(words)) <= {2, 3, 4, 5}
        assert len(words) <= 71


def close(ours, theirs, keys, tolerance):
    """Compare two distributions over keys, share by share."""
    ours, theirs = Counter(ours), Counter(theirs)
    for key in keys:
        share, published = ours[key] / ours.total(), theirs[key] / theirs.total()
        assert abs(share - published) < tolerance, (key, share, published)


def test_training_is_distributed_as_the_published_dev_set(data_folder, data):
    ours = commands(data.train)
    published = [line.split() for line in lines(data_folder, "pcfgset/dev.src")]
    theirs = [words for words in published if functions(words) <= 8]
    close(map(functions, ours), map(functions, theirs), range(1, 9), 0.02)
    binary = [sum(word in TWO for word in words) for words in ours]
    close(binary, (sum(word in TWO for word in words) for words in theirs), range(9), 0.02)
    close(
        (length for words in ours for length in string_lengths(words)),
        (length for words in theirs for length in string_lengths(words)),
        range(2, 6),
        0.015,
    )
    close((w for words in ours for w in words), (w for words in theirs for w in words), ONE, 0.005)
    close((w for words in ours for w in words), (w for words in theirs for w in words), TWO, 0.005)
    # Not fitted, and yet near: how deep functions are nested, how long commands and results are.
    close((levels(words)[0] for words in ours), (levels(w)[0] for w in theirs), range(1, 9), 0.05)
    assert np.mean([*map(len, ours)]) == pytest.approx(np.mean([*map(len, theirs)]), rel=0.03)
    results = [len(each.target.split()) for each in data.train]
    known = [len(interpret(" ".join(words))) for words in theirs]
    assert np.median(results) == pytest.approx(np.median(known), abs=1)
    assert np.percentile(results, 90) == pytest.approx(np.percentile(known, 90), abs=2)


def test_the_generated_test_is_distributed_as_the_official_one(data_folder, data):
    ours = commands(data.test)
    theirs = [line.split() for line in lines(data_folder, "productivity/test.src")]
    assert Counter(map(functions, ours)) == Counter(map(functions, theirs))
    assert np.mean([*map(len, ours)]) == pytest.approx(np.mean([*map(len, theirs)]), rel=0.02)
    close(
        (length for words in ours for length in string_lengths(words)),
        (length for words in theirs for length in string_lengths(words)),
        range(2, 6),
        0.015,
    )


def test_trees_of_equal_counts_are_equally_likely():
    # Two functions of one argument and one of two have six trees.
    task = tasks.build("pcfg", shortest=3, longest=3)
    marks = {**dict.fromkeys(ONE, "1"), **dict.fromkeys(TWO, "2"), ",": ","}
    drawn = commands(task.examples("train", 1, 20_000))
    shapes = Counter("".join(marks.get(word, "x") for word in words) for words in drawn)
    trees = Counter()
    for shape, count in shapes.items():
        if shape.count("2") == 1:
            trees[re.sub("x+", "x", shape)] += count
    assert set(trees) == {"112x,x", "12x,1x", "121x,x", "2x,11x", "21x,1x", "211x,x"}
    expected = trees.total() / 6
    assert max(abs(count - expected) for count in trees.values()) < 5 * np.sqrt(expected)
    strings = sum(520**length for length in range(2, 6))
    assert task.existing((3, 1)) == 6 * 6**2 * 4 * strings**2


def test_the_official_test(data_folder):
    task = tasks.build("pcfg", official_test=True)
    data = task.dataset(1, tasks.Sizes(100, 11_333))
    theirs = zip(
        lines(data_folder, "productivity/test.src"),
        lines(data_folder, "productivity/test.tgt"),
        strict=True,
    )
    expected = {(f"Solve: {source}[SEP] ", target) for source, target in theirs}
    assert {(each.source, each.target) for each in data.test} == expected
    assert len(data.test) == 11_333
    some = task.examples("test", 1, 100)
    assert {(each.source, each.target) for each in some} <= expected
    assert len(task.dataset(1, tasks.Sizes(100, 500), distinct=True).test) == 500


def test_more_than_the_official_test_holds_is_refused(data_folder):
    task = tasks.build("pcfg", official_test=True)
    with pytest.raises(InvalidValueError, match="Ask for a test size of 11333 at most"):
        task.dataset(1, tasks.Sizes(100, 11_400))
    with pytest.raises(InvalidValueError, match="only 11333 exist at the lengths 9 to 35"):
        task.dataset(1, tasks.Sizes(100, 11_400), distinct=True)


def test_the_official_test_begins_at_nine_functions():
    with pytest.raises(InvalidValueError, match="Choose test_shortest=9, or leave official_test"):
        tasks.build("pcfg", longest=4, official_test=True)
    assert tasks.build("pcfg", longest=4, test_shortest=9, official_test=True).test_lengths[0] == 9
    with pytest.raises(InvalidValueError, match="official_test is 1; it must be True or False"):
        tasks.build("pcfg", official_test=1)


def test_a_damaged_official_test_is_named(tmp_path, monkeypatch):
    folder = tmp_path / "pcfgset" / "productivity"
    folder.mkdir(parents=True)
    (folder / "test.src").write_text("reverse A1 B2\n")
    (folder / "test.tgt").write_text("B2 A1\n")
    monkeypatch.setenv("POSITIONS_DATA", str(tmp_path))
    task = tasks.build("pcfg", official_test=True)
    with pytest.raises((DamagedFileError, NotAtHandError), match=r"test\.src"):
        task.dataset(1, tasks.Sizes(10, 10))
