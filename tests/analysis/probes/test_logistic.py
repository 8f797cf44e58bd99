import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from positions.analysis.probes import logistic
from positions.analysis.probes.pairs import draw
from positions.errors import InvalidValueError

ROWS = np.random.default_rng(0).standard_normal((80, 30)).cumsum(axis=0)
PAIRS = draw(80, 300, np.random.default_rng(1))
LABELS = PAIRS[:, 1] > PAIRS[:, 0]


def written_out(features: str) -> np.ndarray:
    first, second = ROWS[PAIRS[:, 0]], ROWS[PAIRS[:, 1]]
    return second - first if features == "difference" else np.concatenate([first, second], axis=1)


@pytest.mark.parametrize("features", ["concatenation", "difference"])
@pytest.mark.parametrize("strength", [1e-3, 1.0])
def test_weights_equal_scikit_learn(features: logistic.Features, strength: float) -> None:
    model = logistic.fit((ROWS, ROWS), PAIRS, LABELS, features, strength)
    independent = LogisticRegression(C=strength, max_iter=10_000, tol=1e-10)
    independent.fit(written_out(features), LABELS)
    found = model.scores((ROWS, ROWS), PAIRS)
    wanted = independent.decision_function(written_out(features))
    assert found == pytest.approx(wanted, abs=1e-3 * np.abs(wanted).max())


def test_difference_ties_the_two_sides() -> None:
    model = logistic.fit((ROWS, ROWS), PAIRS, LABELS, "difference")
    assert (model.first == -model.second).all()


def test_each_side_may_have_its_own_rows() -> None:
    """Scaling one side by a and its penalty's worth away gives the scores of scaled features."""
    sides = (ROWS / 2, ROWS * 3)
    model = logistic.fit(sides, PAIRS, LABELS)
    features = np.concatenate([ROWS[PAIRS[:, 0]] / 2, ROWS[PAIRS[:, 1]] * 3], axis=1)
    independent = LogisticRegression(max_iter=10_000, tol=1e-10).fit(features, LABELS)
    wanted = independent.decision_function(features)
    assert model.scores(sides, PAIRS) == pytest.approx(wanted, abs=2e-3 * np.abs(wanted).max())
    assert (model.predict(sides, PAIRS) == (model.scores(sides, PAIRS) > 0)).all()


def test_one_label_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="one label"):
        logistic.fit((ROWS, ROWS), PAIRS, np.ones(len(PAIRS), dtype=bool))
