"""Tasks with a scratchpad: all that a task can do stays as it is."""

import pytest

from positions import tasks
from positions.errors import InvalidValueError
from positions.tasks.scratchpad import formats

NAMES = ["addition", "summation", "parity", "sort_single", "sort_multi", "polynomial", "lego"]
WITHOUT_VARIABLE = {"sort_single", "sort_multi", "lego"}
CASES = [
    (name, form)
    for name in NAMES
    for form in (*formats(name not in WITHOUT_VARIABLE), "i0_c0_o0_v0_r0", "i0_c0_o0_v0_r1")
]


@pytest.mark.parametrize("name", NAMES)
def test_prompts_and_answers_are_the_same_with_and_without(name):
    plain = tasks.build(name)
    for form in ("minimal", "full"):
        task = tasks.build(name, scratchpad=form)
        for split in ("train", "test"):
            pairs = zip(plain.examples(split, 5, 60), task.examples(split, 5, 60), strict=True)
            for without, with_steps in pairs:
                assert with_steps._replace(target=without.target) == without
                assert with_steps.target.endswith(f" . Thus,  {without.target}")
        sizes = tasks.Sizes(100, 60)
        assert [each.source for each in task.dataset(1, sizes).test] == [
            each.source for each in plain.dataset(1, sizes).test
        ]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_bytes(name):
    one, other = (tasks.build(name, scratchpad="full") for _ in range(2))
    sizes = tasks.Sizes(120, 80)
    assert one.dataset(1, sizes).sha256 == other.dataset(1, sizes).sha256
    assert one.dataset(1, sizes).sha256 != one.dataset(2, sizes).sha256
    assert one.stream(3, 9, 20) == other.stream(3, 9, 20)
    minimal = tasks.build(name, scratchpad="minimal")
    assert minimal.dataset(1, sizes).sha256 != one.dataset(1, sizes).sha256


@pytest.mark.parametrize("name", NAMES)
def test_distinct_sets_stay_distinct(name):
    task = tasks.build(name, scratchpad="minimal")
    sets = task.dataset(1, tasks.Sizes(60, 40), distinct=True)
    prompts = [each.source for part in (sets.train, sets.validation, sets.test) for each in part]
    assert len(prompts) == len(set(prompts))


@pytest.mark.parametrize(("name", "form"), CASES)
def test_one_symbol_is_one_token_and_every_token_is_used(name, form):
    options = {"symbols": 20} if name == "sort_single" else {}
    task = tasks.build(name, scratchpad=form, **options)
    tokenizer = task.tokenizer()
    used = set()
    for split in ("train", "test"):
        for each in task.examples(split, 5, 250):
            ids = tokenizer.encode(each.target)
            used |= {*tokenizer.encode(each.source), *ids}
            assert tokenizer.decode(ids) == " ".join(each.target.split())
            # a mark that stands directly after a word is a token of its own
            pieces = [mark for word in each.target.split() for mark in word[1:] if mark in ",.?"]
            assert len(ids) == len(each.target.split()) + len(pieces)
    assert used == set(range(2, len(tokenizer)))


@pytest.mark.parametrize("name", NAMES)
def test_the_vocabulary_without_steps_comes_first_and_unchanged(name):
    plain = tasks.build(name).tokenizer().tokens
    full = tasks.build(name, scratchpad="full").tokenizer().tokens
    assert full[: len(plain)] == plain
    assert len(full) > len(plain)


def counts(task, size, split="train"):
    tokenizer = task.tokenizer(paper_lengths=True)
    texts = [each.source + each.target for each in task.examples(split, 1, size)]
    assert all(tokenizer.decode(tokenizer.encode(text)).split() == text.split() for text in texts)
    return [len(tokenizer.encode(text)) + 1 for text in texts]


def test_the_papers_lengths_of_addition():
    # The shortest is exact. The longest depend on how many zeros were drawn: theirs are 397, 854.
    one_digit = tasks.build("addition", scratchpad="full", shortest=1, longest=1)
    assert min(counts(one_digit, 200)) == 49
    eight = tasks.build("addition", scratchpad="full", shortest=8, longest=8)
    assert abs(max(counts(eight, 1796)) - 397) <= 12
    sixteen = tasks.build("addition", scratchpad="full", shortest=14, longest=15, test_longest=16)
    assert abs(max(counts(sixteen, 300, "test")) - 854) <= 20


@pytest.mark.parametrize(
    ("name", "form", "words"),
    [
        ("addition", "full-I", ["addition with scratchpad='full-I'", "none and full"]),
        ("summation", "full", ["summation with scratchpad='full'", "they are for none"]),
        ("parity", "full", ["token counts for parity are not known"]),
    ],
)
def test_lengths_that_are_not_known_are_refused(name, form, words):
    with pytest.raises(InvalidValueError) as error:
        tasks.build(name, scratchpad=form).tokenizer(paper_lengths=True)
    assert [word for word in words if word not in str(error.value)] == []


def test_flags_that_spell_a_known_format_count_as_it():
    spelt = tasks.build("addition", scratchpad="i1_c1_o1_v1_r1", longest=2)
    assert spelt == tasks.build("addition", scratchpad="full", longest=2)
    assert spelt.tokenizer(paper_lengths=True).tokens


def test_scratchpad_is_an_option():
    for name in NAMES:
        assert tasks.options(name)["scratchpad"] == "none"
    assert "scratchpad" not in tasks.options("scan")
