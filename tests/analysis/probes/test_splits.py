import numpy as np
import pytest

from positions.analysis.probes.splits import blocks, rest, shuffled_folds, single_splits
from positions.errors import InvalidValueError


@pytest.mark.parametrize("count", [512, 514, 7])
def test_folds_hold_every_row_once(count: int) -> None:
    for folds in (shuffled_folds(count, 3), blocks(count)):
        assert sorted(np.concatenate(folds)) == list(range(count))
        assert {len(fold) for fold in folds} <= {count // 5, count // 5 + 1}


def test_shuffled_folds_follow_the_seed() -> None:
    first, again, other = (shuffled_folds(50, seed) for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert any((a != b).any() for a, b in zip(first, other, strict=True))


def test_blocks_are_consecutive() -> None:
    assert all((np.diff(block) == 1).all() for block in blocks(512))


def test_rest_is_what_is_not_held_out() -> None:
    assert list(rest(5, np.array([3, 0]))) == [1, 2, 4]


def test_single_splits_do_not_overlap() -> None:
    for train, test in single_splits(512).values():
        assert not set(train) & set(test)
        assert len(train) + len(test) == 512
    assert "first_128_to_rest" not in single_splits(128)


@pytest.mark.parametrize(("count", "folds"), [(4, 5), (10, 1)])
def test_too_few_rows_are_named(count: int, folds: int) -> None:
    with pytest.raises(InvalidValueError, match="folds"):
        blocks(count, folds)
