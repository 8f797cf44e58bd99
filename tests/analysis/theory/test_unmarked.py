import numpy as np
import pytest

from positions.analysis.theory.absolute import errors, read
from positions.analysis.theory.decoder import texts
from positions.analysis.theory.unmarked import unmarked


@pytest.mark.parametrize("longest", [2, 9, 100])
def test_two_layers_count_without_a_known_first_word(longest):
    model = unmarked(longest)
    tokens = texts(longest, 20, first="any")
    assert len(tokens.unique(dim=0)) > 5
    assert errors(model, tokens, layer=1).max() < 1e-9


def test_the_first_word_may_come_again():
    tokens = texts(40, 1, first="any")
    tokens[0, 0] = 3
    tokens[0, 1:] = 5
    tokens[0, 7::4] = 3
    assert errors(unmarked(40), tokens, layer=1).max() < 1e-9


def test_an_opening_run_of_equal_words_counts_as_one():
    tokens = texts(24, 1, first="any")
    tokens[0, :4], tokens[0, 4] = 5, 6
    found = read(unmarked(24), tokens, layer=1).position[0]
    np.testing.assert_allclose(found[:4], 1)
    np.testing.assert_allclose(found[7::4], [2, 3, 4, 5, 6])
