"""The table that a host is given."""

import numpy as np
import pytest

from positions import tables
from positions.errors import InvalidValueError
from positions.experiments.language_modelling.placed import Rows
from positions.experiments.language_modelling.start import SCALE, table_of

PLAIN = Rows()


def make(name: str, used: Rows = PLAIN, *, rows: int = 60, width: int = 8, seed: int = 0):
    return table_of(name, used, 12, rows, width, seed)


@pytest.mark.parametrize("used", [Rows(), Rows(0, 4), Rows(20, 1)])
@pytest.mark.parametrize("name", ["sinusoidal", "random-walk"])
def test_the_rows_used_are_brought_to_the_scale_of_the_words(name, used) -> None:
    table, digests = make(name, used)
    served = table[used.first :: used.stride][:12]
    assert served.mean() == pytest.approx(0, abs=1e-12)
    assert served.std() == pytest.approx(SCALE)
    assert set(digests) == {f"table {name}"}


def test_other_rows_are_moved_and_scaled_with_them() -> None:
    """One affine map for the whole table, so that a trained model can be given other rows."""
    one, other = (make("sinusoidal", used)[0].flatten() for used in (Rows(), Rows(0, 4)))
    assert np.corrcoef(one, other)[0, 1] == pytest.approx(1)


def test_a_table_as_wide_as_the_host_is_only_scaled() -> None:
    rows = tables.load("random-walk", positions=512, width=768, seed=0).rows
    table, _ = table_of("random-walk", Rows(), 128, 512, 768, 0)
    assert np.corrcoef(table.flatten(), rows.flatten())[0, 1] == pytest.approx(1)


def test_a_wider_one_keeps_its_distances_as_far_as_its_components_go() -> None:
    rows = tables.load("smooth-random", positions=512, width=768, seed=0).rows
    table, _ = table_of("smooth-random", Rows(), 128, 512, 64, 0)
    apart = [np.linalg.norm(each[0] - each[1:128], axis=1) for each in (rows, table)]
    assert np.corrcoef(*apart)[0, 1] > 0.99


def test_random_is_drawn_as_the_host_draws_its_own() -> None:
    table, digests = make("random", rows=512, width=128)
    assert table.std() == pytest.approx(SCALE, rel=0.02) and digests == {}
    assert not np.array_equal(table, make("random", rows=512, width=128, seed=1)[0])
    assert not make("zeros")[0].any()


def test_shuffled_has_the_same_rows_for_a_block_in_another_order() -> None:
    used = Rows(0, 4)
    plain, mixed = make("sinusoidal", used)[0], make("shuffled:sinusoidal", used)[0]
    served = [{tuple(row) for row in table[:48:4]} for table in (plain, mixed)]
    assert served[0] == served[1] and len(served[0]) == 12
    assert not np.array_equal(plain[:48:4], mixed[:48:4])
    rest = [row for row in range(60) if row % 4 or row >= 48]
    assert np.array_equal(plain[rest], mixed[rest])


def test_gpt2_keeps_its_first_rows_of_1024(data_folder) -> None:
    table, _ = table_of("gpt2", Rows(), 128, 512, 768, 0)
    rows = tables.load("gpt2").rows[:512]
    assert table.shape == (512, 768)
    assert np.corrcoef(table.flatten(), rows.flatten())[0, 1] == pytest.approx(1)


def test_a_table_that_is_too_small_is_said() -> None:
    with pytest.raises(InvalidValueError, match="512 rows, and 600 are asked for"):
        make("gaussian", rows=600)
    with pytest.raises(InvalidValueError, match="width = 900 can't be had"):
        make("gaussian", width=900)
