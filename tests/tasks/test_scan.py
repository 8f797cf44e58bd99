"""SCAN: the grammar against the published files, and an interpreter of the prompt's text."""

import gzip
from collections import Counter

import pytest

from positions import tasks
from positions.tasks.scan import commands

NAMES = {
    "I_WALK": "Walk",
    "I_RUN": "Run",
    "I_JUMP": "Jump",
    "I_LOOK": "Look",
    "I_TURN_LEFT": "Left",
    "I_TURN_RIGHT": "Right",
}


def read(path):
    """Return the published commands with their actions, renamed as in Kazemnejad et al.."""
    found = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        command, actions = line.removeprefix("IN: ").split(" OUT: ")
        found[command] = tuple(NAMES[action] for action in actions.split())
    return found


def follow(words):
    """Work out a command word by word, from the loosest word to the tightest."""
    for joint in ("and", "after"):
        if joint in words:
            at = words.index(joint)
            one, two = follow(words[:at]), follow(words[at + 1 :])
            return one + two if joint == "and" else two + one
    for word, times in (("twice", 2), ("thrice", 3)):
        if words[-1] == word:
            return follow(words[:-1]) * times
    if len(words) == 1:
        return [] if words[0] == "turn" else [words[0].capitalize()]
    turn = words[-1].capitalize()
    act = follow(words[:1])
    if words[1] == "around":
        return ([turn, *act]) * 4
    return [turn] * (2 if words[1] == "opposite" else 1) + act


def test_there_are_20910_commands():
    assert len(commands()) == 20_910
    assert max(map(len, commands().values())) == 48


def test_the_grammar_gives_the_published_commands(data_folder):
    assert read(data_folder / "scan/tasks.txt.gz") == commands()


def test_the_published_length_split(data_folder):
    task = tasks.build("scan", longest=22)
    parts = {"train": {}, "test": {}}
    for name, part in parts.items():
        for bin in task.bins(name):
            for number in range(task.existing(bin)):
                each = task.make(bin, number)
                command = each.source.removeprefix("Solve: ").removesuffix("[SEP] ")
                part[command] = tuple(each.target.split())
        published = data_folder / f"scan/length_split/tasks_{name}_length.txt.gz"
        assert part == read(published)
    assert (len(parts["train"]), len(parts["test"])) == (16_990, 3920)


def test_the_papers_split():
    data = tasks.build("scan").dataset()
    assert (len(data.train), len(data.validation), len(data.test)) == (15_997, 1777, 3136)
    assert len(data.validation_half(256788)) == 888
    pool = Counter(each.source for each in data.train + data.validation)
    assert max(pool.values()) == 1
    assert max(each.length for each in data.train + data.validation) == 25
    assert sorted({each.length for each in data.test}) == [26, 27, 28, 30, 32, 33, 36, 40, 48]
    assert len({each.source for each in data.test}) == 3136


@pytest.mark.parametrize("part", ["train", "test"])
def test_the_prompt_says_what_to_do(part):
    for each in getattr(tasks.build("scan").dataset(), part)[:3000]:
        assert each.source.startswith("Solve: ")
        assert each.source.endswith("[SEP] ")
        actions = follow(each.source[7:-6].split())
        assert each.target == each.answer == " ".join(actions)
        assert (each.length, each.category) == (len(actions), str(len(actions)))


def test_the_papers_examples():
    made = commands()
    assert made["walk after turn right"] == ("Right", "Walk")
    assert made["jump twice and run left"] == ("Jump", "Jump", "Left", "Run")


def test_smaller_sets_keep_the_lengths_in_proportion():
    data = tasks.build("scan").dataset(1, tasks.Sizes(1000, 300))
    assert (len(data.train), len(data.validation), len(data.test)) == (1000, 111, 300)
    share = sum(each.length == 48 for each in data.test) / 300
    whole = sum(len(actions) == 48 for actions in commands().values()) / 3136
    assert share == pytest.approx(whole, abs=1 / 300)
