import numpy as np

from positions.analysis.probes import selectivity

RNG = np.random.default_rng(0)
WALK = RNG.standard_normal((150, 200)).cumsum(axis=0)
NOISE = RNG.standard_normal((150, 200))


def test_the_control_task_is_a_fixed_permutation() -> None:
    first, again = selectivity.permutation(40, 2), selectivity.permutation(40, 2)
    assert sorted(first) == list(range(40))
    assert (first == again).all()


def test_index_is_selective_for_ordered_rows_only() -> None:
    walk = selectivity.of_index(WALK, 0)
    assert walk.real < 2
    assert walk.selectivity > 20
    noise = [selectivity.of_index(NOISE, seed).selectivity for seed in range(6)]
    assert abs(np.mean(noise)) < 10


def test_order_of_noise_is_memory_of_rows() -> None:
    shared = [selectivity.of_order(NOISE, seed) for seed in range(4)]
    assert np.mean([one.control for one in shared]) < 43
    assert abs(np.mean([one.selectivity for one in shared])) < 8
    apart = selectivity.of_order(WALK, 0, disjoint=True)
    assert apart.control > 40 > 10 > apart.real
