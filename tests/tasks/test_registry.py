"""Tasks by name."""

from collections import Counter

import pytest

from positions import tasks
from positions.errors import InvalidValueError, UnknownNameError


def test_there_are_the_papers_17_variants_in_three_groups():
    groups = Counter(tasks.build(name).group for name in tasks.names())
    assert groups == {"primitive": 8, "mathematical": 7, "classic": 2}


def test_an_unknown_task_is_answered_with_a_near_name():
    with pytest.raises(UnknownNameError, match=r"'copy_v1_repet'. Did you mean 'copy_v1_repeat'\?"):
        tasks.build("copy_v1_repet")


def test_an_unknown_option_is_answered_with_a_near_name():
    with pytest.raises(UnknownNameError, match=r"option of lego: 'longer'. Did you mean 'longest'"):
        tasks.build("lego", longer=9)


def test_what_makes_a_variant_is_no_option():
    with pytest.raises(UnknownNameError, match="option of copy_v1_repeat: 'times'"):
        tasks.build("copy_v1_repeat", times=3)
    assert "times" not in tasks.options("copy_v1_repeat")


@pytest.mark.parametrize("name", tasks.names())
def test_the_defaults_are_options_that_change_nothing(name):
    assert tasks.build(name, **tasks.options(name)) == tasks.build(name)


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("copy_v1_repeat", 6052),
        ("copy_v1_repeat_2x", 6052),
        ("copy_v2_replace", 78),
        ("copy_v3_multi", 100),
        ("copy_v3_multi_2x", 100),
        ("reverse_v1", 100),
        ("reverse_v1_2x", 100),
        ("reverse_v2_revcopy", 100),
        ("sort_single", 50),
    ],
)
def test_the_papers_numbers_of_symbols(name, symbols):
    assert tasks.options(name)["symbols"] == symbols


@pytest.mark.parametrize("bad", [["addition"], None, {}, 3])
def test_a_name_of_another_type_is_refused(bad):
    with pytest.raises(UnknownNameError, match=r"Unknown task .* Valid: .*addition"):
        tasks.build(bad)


@pytest.mark.parametrize("bad", [1, 0, -5, 2.0, "10", True, None, 10**12])
def test_a_bad_number_of_symbols_is_refused(bad):
    with pytest.raises(InvalidValueError, match=r"symbols is .*; it must be a whole number"):
        tasks.build("copy_v3_multi", symbols=bad)
    with pytest.raises(InvalidValueError, match="sort_single: symbols is"):
        tasks.build("sort_single", symbols=bad)
