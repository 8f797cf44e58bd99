import numpy as np
import pandas as pd
import pytest

from positions.book.pictures.efficiency import tables
from positions.published import load

FIVE = ["nope", "sinusoidal", "t5", "alibi", "rotary"]


def test_published_rows_keep_their_numbers_and_get_our_names() -> None:
    found = tables.theirs()
    known = load("length-generalization/runtime_efficiency")
    assert len(found) == len(known)
    assert set(found["variant"]) == {*FIVE}
    assert set(found["phase"]) == {"forward", "training", "generation"}
    at = found.set_index(["phase", "length", "variant"])
    assert at.loc[("forward", 2001, "t5"), "times_nope"] == pytest.approx(1.857, abs=1e-3)
    assert at.loc[("forward", 2001, "t5"), "mib_times_nope"] == pytest.approx(1.329, abs=1e-3)
    assert at.loc[("forward", 2001, "nope"), "tokens_per_second"] == pytest.approx(28_811, rel=1e-3)


def test_nope_is_its_own_unit_at_every_length() -> None:
    nope = tables.theirs().query("variant == 'nope'")
    assert len(nope) == 63
    assert (nope["times_nope"] == 1).all()
    assert (nope["mib_times_nope"] == 1).all()


def test_published_medians_have_no_quartiles() -> None:
    assert tables.theirs()[["ms_low", "times_nope_high"]].isna().all(axis=None)


def test_published_comes_first_and_machines_lose_their_trade_marks(record) -> None:
    found = tables.together([record()], FIVE)
    assert list(dict.fromkeys(found["machine"])) == [tables.PUBLISHED, "Quick CPU @ 2.00GHz"]
    assert all(pd.api.types.is_numeric_dtype(found[name]) for name in ("ms", "ms_low", "length"))


def test_only_the_encodings_asked_for_whatever_their_options(record) -> None:
    found = tables.together([record()], ["nope", "rotary"])
    assert set(found["variant"]) == {"nope", "rotary", "rotary, whole"}
    assert set(tables.ours([record()], ["t5"])["variant"]) == {"t5"}


def test_without_records_the_published_rows_remain() -> None:
    found = tables.together([], FIVE)
    assert set(found["machine"]) == {tables.PUBLISHED}
    np.testing.assert_array_equal(found["ms"], tables.theirs()["ms"])
    assert len(tables.ours([], FIVE)) == 0
