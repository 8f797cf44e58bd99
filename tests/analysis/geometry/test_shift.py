from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from positions import tables
from positions.analysis.geometry.shift import PENALTIES, shift_operator, shift_reading
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
WALK = RNG.standard_normal((60, 5)).cumsum(axis=0)
TURN = np.linalg.qr(RNG.standard_normal((5, 5)))[0]


def weight(rows: np.ndarray, penalty: float) -> float:
    """The ridge's penalty in the units of the rows."""
    return penalty * float((rows**2).sum(axis=1).mean())


@pytest.mark.parametrize("held_out", ["scattered", "blocks"])
def test_shifts_of_the_sinusoid_are_exact(held_out: str) -> None:
    rows = tables.load("sinusoidal", positions=200, width=16).rows
    found = shift_reading(rows, held_out=held_out)
    assert found.r2 == pytest.approx(np.ones(6), abs=1e-6)
    assert found.composed_r2 == pytest.approx(np.ones(6), abs=1e-4)
    assert found.copy_r2.max() < 0.95


def test_the_operator_of_the_sinusoid_turns_each_pair_at_its_speed() -> None:
    rows = tables.load("sinusoidal", positions=400, width=8).rows
    found = shift_operator(rows, offset=3, energy=1.0)
    assert found.moduli == pytest.approx(np.ones(8), abs=1e-3)
    speeds = 3 * 10_000.0 ** (-np.arange(4) / 4)
    assert sorted(np.abs(found.angles)) == pytest.approx(sorted([*speeds, *speeds]), abs=1e-3)


def test_the_operator_takes_rows_to_later_rows() -> None:
    rows = tables.load("sinusoidal", positions=100, width=16).rows
    found = shift_operator(rows, offset=5, energy=1.0)
    moved = rows @ found.basis.T @ found.matrix @ found.basis
    assert moved[:-5] == pytest.approx(rows[5:], abs=1e-3)
    assert found.basis @ found.basis.T == pytest.approx(np.eye(len(found.basis)), abs=1e-9)


def test_energy_bounds_the_directions() -> None:
    rows = RNG.standard_normal((50, 3)) * [10.0, 3.0, 0.1]
    sizes = [len(shift_operator(rows, energy=energy).matrix) for energy in (0.5, 0.99, 1.0)]
    assert sizes == [1, 2, 3]


def test_noise_has_no_shift() -> None:
    found = shift_reading(RNG.standard_normal((200, 20)))
    assert found.r2.max() < 0.02
    assert found.copy_r2.max() < -0.5


@pytest.mark.parametrize("centre", [False, True])
def test_penalty_is_the_best_at_leaving_one_pair_out(centre: bool) -> None:
    rows = WALK - WALK.mean(axis=0) if centre else WALK
    errors = []
    for penalty in PENALTIES:
        model = Ridge(alpha=weight(rows[:-1], penalty), fit_intercept=False)
        left_out = cross_val_predict(model, rows[:-1], rows[1:], cv=LeaveOneOut())
        errors.append(((left_out - rows[1:]) ** 2).sum())
    assert shift_reading(WALK, [1], centre=centre).penalty == PENALTIES[int(np.argmin(errors))]


@pytest.mark.parametrize("step", [1, 4])
def test_reading_blocks_agrees_with_a_naive_form(step: int) -> None:
    found = shift_reading(WALK, [step], held_out="blocks")
    sums = np.zeros(4)
    for start in range(0, 60, 12):
        block = range(start, start + 12)
        seen = [i for i in range(60) if i not in block]
        pairs = [i for i in seen if i + step in seen]
        single = [i for i in seen if i + 1 in seen]
        direct, once = _matrix(pairs, step, found.penalty), _matrix(single, 1, found.penalty)
        guess = WALK[[i + step for i in pairs]].mean(axis=0)
        for i in (i for i in block if i + step in block):
            composed = WALK[i] @ np.linalg.matrix_power(once, step)
            for line, made in enumerate((WALK[i] @ direct, composed, WALK[i], guess)):
                sums[line] += ((WALK[i + step] - made) ** 2).sum()
    wanted = 1 - sums[:3] / sums[3]
    got = [found.r2[0], found.composed_r2[0], found.copy_r2[0]]
    assert got == pytest.approx(list(wanted), abs=1e-6)


def test_one_step_composed_once_is_itself_and_seeds_repeat() -> None:
    found = shift_reading(WALK, [1, 2], seed=3)
    assert found.composed_r2[0] == pytest.approx(found.r2[0])
    assert (shift_reading(WALK, [1, 2], seed=3).r2 == found.r2).all()
    assert (shift_reading(WALK, [1, 2], seed=4).r2 != found.r2).all()


@pytest.mark.parametrize("held_out", ["scattered", "blocks"])
def test_rotation_leaves_the_reading_alone(held_out: str) -> None:
    found, turned = (shift_reading(rows, [1, 3], held_out) for rows in (WALK, WALK @ TURN))
    assert turned.r2 == pytest.approx(found.r2)
    assert turned.composed_r2 == pytest.approx(found.composed_r2)
    assert shift_operator(WALK @ TURN).moduli == pytest.approx(shift_operator(WALK).moduli)


def test_a_wide_table_is_read_by_what_repeats() -> None:
    # Wider than long: without a penalty some matrix fits every training pair exactly.
    wide = tables.load("sinusoidal", positions=100, width=16).rows @ RNG.standard_normal((16, 300))
    found = shift_reading(wide + 0.1 * RNG.standard_normal((100, 300)), [1, 8])
    assert found.penalty > min(PENALTIES)
    assert found.r2.min() > 0.95


def test_bad_input_is_refused() -> None:
    for offset in (0, 12):
        with pytest.raises(InvalidValueError, match="1 to 11 positions"):
            shift_reading(WALK, [1, offset])
    with pytest.raises(InvalidValueError, match="none"):
        shift_reading(WALK, [])
    with pytest.raises(InvalidValueError, match="scattered"):
        shift_reading(WALK, held_out="random")
    with pytest.raises(InvalidValueError, match="1 to 59 positions"):
        shift_operator(WALK, offset=60)
    for energy in (0.0, 1.1):
        with pytest.raises(InvalidValueError, match="share of energy"):
            shift_operator(WALK, energy=energy)
    for read in (shift_reading, shift_operator):
        with pytest.raises(InvalidValueError, match="all zero"):
            read(np.zeros((60, 5)))
        with pytest.raises(InvalidValueError, match="are equal"):
            read(np.full((60, 5), 0.1), centre=True)
        with pytest.raises(InvalidValueError, match="at least 10 rows"):
            read(np.eye(9))
        with pytest.raises(InvalidValueError, match="not finite"):
            read(np.full((60, 5), np.nan))
        with pytest.raises(InvalidValueError, match="two axes"):
            read(np.ones(60))


def test_one_matrix_moves_gpt2_on_better_than_copying(data_folder: Path) -> None:
    found = shift_reading(tables.load("gpt2").rows[:512], [1, 16])
    assert found.r2.min() > 0.98
    assert (found.r2 > found.copy_r2).all()


def _matrix(pairs: list[int], step: int, penalty: float) -> np.ndarray:
    source, target = WALK[pairs], WALK[[i + step for i in pairs]]
    return Ridge(alpha=weight(source, penalty), fit_intercept=False).fit(source, target).coef_.T
