"""Reversing: the prompt alone says what to write."""

import pytest

from positions import tasks


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("reverse_v1", lambda x: x[::-1]),
        ("reverse_v1_2x", lambda x: [*x[::-1], "[NEXT]", *x[::-1]]),
        ("reverse_v2_revcopy", lambda x: [*x[::-1], "[NEXT]", *x]),
    ],
)
def test_a_list_is_reversed(name, expected):
    task = tasks.build(name)
    for split in ("train", "test"):
        for each in task.examples(split, seed=11, size=600):
            assert each.source.startswith("Reverse: ")
            assert each.source.endswith(" [SEP] ")
            items = each.source.split()[1:-1]
            assert each.target.split(" ") == expected(items)
            assert each.answer == each.target
            assert (each.length, each.category) == (len(items), str(len(items)))
