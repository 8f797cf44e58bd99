"""Byte pairs: texts come back whole, pairs are the most frequent, and nothing is by chance."""

import subprocess
import sys
from itertools import pairwise

import pytest

from positions.errors import InvalidValueError
from positions.tasks.corpora import BytePairs

TEXTS = ("low lower lowest\n", "new newer newest", "wide <unk> wider , <unk> widest\n") * 20


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n\treturn x  # 漢字 é\r\n",
        "  two  blanks ",
        "\x00\x85\u2028",
        "",
        " <unk> <unk>x",
    ],
)
def test_any_text_comes_back_whole(text: str) -> None:
    pairs = BytePairs(TEXTS, 300, marks=(" <unk>",))
    assert pairs.decode(pairs.encode(text)) == text


def test_without_room_for_pairs_a_token_is_a_byte() -> None:
    pairs = BytePairs(TEXTS, 257)
    assert len(pairs) == 257
    text = "déjà vu"
    assert len(pairs.encode(text)) == len(text.encode())
    assert pairs.begin_id not in pairs.encode(text)


def test_the_most_frequent_pair_becomes_the_first_token() -> None:
    """By hand: "we" is in low-er, low-est, ne-w-er, ne-w-est; nothing is met more often."""
    bytes_only, one_more = BytePairs(TEXTS, 257), BytePairs(TEXTS, 258)
    words = [word for text in TEXTS for word in text.replace("<unk>", "").split()]
    counts: dict[str, int] = {}
    for word in words:
        for pair in pairwise(word):
            counts["".join(pair)] = counts.get("".join(pair), 0) + 1
    most = max(counts.values())
    best = [pair for pair, count in counts.items() if count == most]
    assert [pair for pair in best if len(one_more.encode(pair)) == 1]
    assert len(bytes_only.encode(best[0])) == 2


def test_a_mark_is_one_token_wherever_it_stands() -> None:
    pairs = BytePairs(TEXTS, 300, marks=(" <unk>",))
    assert pairs.encode(" <unk>") == [1]
    assert pairs.encode("a <unk> b <unk>").count(1) == 2


def test_more_pairs_make_texts_shorter() -> None:
    text = "".join(TEXTS)
    lengths = [len(BytePairs(TEXTS, size).encode(text)) for size in (257, 262, 270, 290)]
    assert lengths == sorted(lengths, reverse=True) and len(set(lengths)) == 4


def test_texts_with_few_pairs_give_fewer_tokens_than_asked_for() -> None:
    assert 257 <= len(BytePairs(("abc", "abd", "xyz"), 4_096)) < 270


def test_the_same_vocabulary_again_also_in_another_process() -> None:
    code = f"from positions.tasks.corpora import BytePairs as B; print(B({TEXTS!r}, 280).sha256)"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = BytePairs(TEXTS, 280).sha256
    assert here == BytePairs(TEXTS, 280).sha256 == other.stdout.strip()
    assert here != BytePairs(TEXTS, 281).sha256


def test_too_few_tokens_are_said() -> None:
    with pytest.raises(InvalidValueError, match=r"vocabulary = 200 is too small.*258 tokens"):
        BytePairs(TEXTS, 200, marks=(" <unk>",))
