"""The tokenizer: one symbol one token, there and back, and the paper's sequence lengths."""

import numpy as np
import pytest
import torch

from positions import tasks
from positions.errors import InvalidValueError
from positions.tasks import Tokenizer

ALL = pytest.mark.parametrize("name", tasks.names())
COUNTED = [*tasks.names()[:10], "scan", "pcfg"]


def sample(name, size=300):
    task = tasks.build(name)
    return [each for split in ("train", "test") for each in task.examples(split, 5, size)]


@ALL
def test_text_comes_back(name):
    tokenizer = tasks.build(name).tokenizer()
    for each in sample(name):
        text = each.source + each.target
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == text
        assert tokenizer.encode(each.source) + tokenizer.encode(each.target) == ids
        assert tokenizer.decode(tokenizer.encode(each.target)) == each.target


@ALL
def test_the_whole_vocabulary_is_used(name):
    # But for the 6,052 symbols and 520 letters, of which a sample holds a part.
    options = {"symbols": 20} if "symbols" in tasks.options(name) else {}
    task = tasks.build(name, **options)
    size = 3000 if name == "pcfg" else 600
    examples = [each for split in ("train", "test") for each in task.examples(split, 5, size)]
    tokenizer = task.tokenizer()
    used = {id for each in examples for id in tokenizer.encode(each.source + each.target)}
    assert used == set(range(2, len(tokenizer)))


def test_a_symbol_is_one_token():
    tokenizer = tasks.build("copy_v3_multi").tokenizer()
    text = "Copy: k . , w99 ) [SEP] k . , w99 )"
    assert len(tokenizer.encode(text)) == len(text.split())
    sort = tasks.build("sort_single").tokenizer()
    assert [sort.tokens[each] for each in sort.encode("[ a, b ].")] == [
        "[",
        "a",
        "##,",
        "b",
        "]",
        "##.",
    ]


def test_padding_is_left_out_and_the_end_ends():
    tokenizer = tasks.build("parity").tokenizer()
    ids = tokenizer.encode("The answer is No.")
    assert (tokenizer.pad_id, tokenizer.end_id) == (0, 1)
    assert tokenizer.decode([0, 0, *ids, 0, 1, *ids]) == "The answer is No."
    assert tokenizer.decode([1]) == tokenizer.decode([]) == ""


def test_blanks_count_as_one():
    tokenizer = tasks.build("parity").tokenizer()
    assert tokenizer.encode("  The   answer is No.\n") == tokenizer.encode("The answer is No.")


@pytest.mark.parametrize(
    ("text", "symbol"),
    [("The answer is Maybe.", "'Maybe'"), ("The answer iz", "'iz'"), ("No?!", "'No\\?!'")],
)
def test_an_unknown_symbol_is_named(text, symbol):
    tokenizer = tasks.build("parity").tokenizer()
    with pytest.raises(InvalidValueError, match=f"Unknown symbol {symbol}"):
        tokenizer.encode(text)


def test_a_near_symbol_is_offered():
    with pytest.raises(InvalidValueError, match=r"'answr' \(in 'answr'\). Did you mean 'answer'"):
        tasks.build("parity").tokenizer().encode("The answr")


@pytest.mark.parametrize("bad", [-1, 22])
def test_an_unknown_id_is_named(bad):
    tokenizer = tasks.build("parity").tokenizer()
    assert len(tokenizer) == 22
    with pytest.raises(InvalidValueError, match=f"There is no token {bad}: .* are 0 to 21"):
        tokenizer.decode([2, bad])


def test_what_is_no_text_and_no_ids_is_refused():
    tokenizer = tasks.build("parity").tokenizer()
    for text in (None, 3, ["The answer"], b"The answer"):
        with pytest.raises(InvalidValueError, match=r"text is .*; it must be text"):
            tokenizer.encode(text)
    for ids in (None, 3, "The", [2.0], [None], [[2, 3]], torch.zeros(1, 2, dtype=torch.int64)):
        with pytest.raises(InvalidValueError, match=r"ids are .*; they must be whole numbers"):
            tokenizer.decode(ids)
    ids = tokenizer.encode("The answer is Yes.")
    for row in (np.array(ids), torch.tensor(ids), iter(ids)):
        assert tokenizer.decode(row) == "The answer is Yes."


def total(tokenizer, each):
    return len(tokenizer.encode(each.source + each.target)) + 1


@pytest.mark.parametrize(
    ("names", "slope", "rest", "shortest", "longest"),
    [
        # Counted in the paper's records.
        (["copy_v1_repeat", "copy_v3_multi"], 2, 7, 11, 47),
        (["copy_v1_repeat_2x"], 3, 7, 13, 67),
        (["copy_v2_replace"], 2, 10, 14, 50),
        (["copy_v3_multi_2x"], 3, 12, 18, 72),
        (["reverse_v1"], 2, 8, 12, 48),
        (["reverse_v1_2x", "reverse_v2_revcopy"], 3, 13, 19, 73),
    ],
)
def test_the_papers_lengths_of_copying(names, slope, rest, shortest, longest):
    for name in names:
        task = tasks.build(name)
        tokenizer = task.tokenizer(paper_lengths=True)
        trained = {total(tokenizer, each) for each in task.examples("train", 1, 300)}
        assert (min(trained), max(trained)) == (shortest, longest)
        for each in task.examples("test", 1, 300):
            assert total(tokenizer, each) == slope * each.length + rest


def test_the_papers_lengths_of_summation():
    task = tasks.build("summation")
    tokenizer = task.tokenizer(paper_lengths=True)
    for split, limits in (("train", (19, 32)), ("test", (33, 48))):
        examples = task.examples(split, 1, 2000)
        counts = [total(tokenizer, each) for each in examples]
        assert (min(counts), max(counts)) == limits
        for each in examples:
            assert len(tokenizer.encode(each.source)) == 2 * each.length + 8


def test_the_papers_lengths_of_addition():
    task = tasks.build("addition")
    tokenizer = task.tokenizer(paper_lengths=True)
    data = task.dataset()
    # The minima are exact. The maxima depend on how many zeros were drawn: the paper's are 41, 68.
    for examples, least, most in ((data.train[:30_000], 12, 41), (data.test, 28, 68)):
        counts = [total(tokenizer, each) for each in examples]
        assert min(counts) == least
        assert abs(max(counts) - most) <= 3
    prompts = [len(tokenizer.encode(each.source)) for each in data.train[:30_000]]
    assert min(prompts) == 7
    assert abs(max(prompts) - 25) <= 3


def test_the_papers_lengths_of_scan():
    tokenizer = tasks.build("scan").tokenizer(paper_lengths=True)
    counts = [total(tokenizer, each) for each in tasks.build("scan").dataset().train]
    assert (min(counts), max(counts)) == (10, 45)


def test_the_papers_shortest_sequence_of_pcfg():
    tokenizer = tasks.build("pcfg").tokenizer(paper_lengths=True)
    counts = [total(tokenizer, each) for each in tasks.build("pcfg").examples("train", 1, 5000)]
    assert min(counts) == 13


@pytest.mark.parametrize("name", COUNTED)
def test_text_comes_back_at_the_papers_lengths(name):
    tokenizer = tasks.build(name).tokenizer(paper_lengths=True)
    for each in sample(name):
        text = each.source + each.target
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_lengths_that_are_not_known_are_refused():
    for name in tasks.names():
        if name not in COUNTED:
            with pytest.raises(InvalidValueError, match=f"token counts for {name} are not known"):
                tasks.build(name).tokenizer(paper_lengths=True)


def test_a_vocabulary_of_ones_own():
    tokenizer = Tokenizer(["a b, c?"], pieces={"b": 3})
    assert tokenizer.tokens[2:] == ("a", "b#piece1", "b#piece2", "b", "##,", "c", "##?")
    assert tokenizer.decode(tokenizer.encode("c, b? a")) == "c, b? a"
    assert len(tokenizer.encode("b")) == 3
