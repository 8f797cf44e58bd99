import math

import numpy as np
import pytest
import torch

from positions.encodings import build
from positions.encodings.sinusoidal import sinusoid
from positions.errors import InvalidValueError, UnknownNameError


@pytest.mark.parametrize("width", [1, 2, 7, 16])
def test_entries_are_those_of_the_formula(width):
    table = sinusoid(torch.arange(60), width)
    assert table.shape == (60, width)
    for t in (0, 1, 17, 59):
        for entry in range(width):
            angle = t / 10000 ** ((entry - entry % 2) / width)
            wave = math.cos(angle) if entry % 2 else math.sin(angle)
            assert table[t, entry].item() == pytest.approx(wave, abs=1e-5)


@pytest.mark.parametrize("width", [6, 7])
def test_layouts_hold_the_same_numbers_in_another_order(width):
    ids = torch.arange(40)
    neighbours = sinusoid(ids, width)
    blocks = sinusoid(ids, width, layout="concatenated")
    order = [*range(0, width, 2), *range(1, width, 2)]
    assert torch.equal(blocks, neighbours[:, order])


def test_dot_product_depends_on_distance_alone():
    table = sinusoid(torch.arange(200), 32).double()
    products = table @ table.T
    assert torch.allclose(products[:-50, :-50], products[50:, 50:], atol=1e-4)
    assert torch.allclose(products.diagonal(), torch.tensor(16.0).double(), atol=1e-4)


def test_shift_is_one_linear_map():
    table = sinusoid(torch.arange(300), 16, base=50.0).double().numpy()
    before, after = table[:-5], table[5:]
    fitted = np.linalg.lstsq(before[:100], after[:100], rcond=None)[0]
    np.testing.assert_allclose(before @ fitted, after, atol=1e-3)


@pytest.mark.parametrize("position", [1857, 32000])
def test_far_positions_are_as_exact_as_float32_angles_allow(position):
    exact = []
    for pair in range(8):
        angle = position / 10000 ** (2 * pair / 16)
        exact += [math.sin(angle), math.cos(angle)]
    spacing = np.spacing(np.float32(position))
    got = sinusoid(torch.tensor([position]), 16)[0]
    assert np.abs(got.numpy() - np.array(exact)).max() < 3 * spacing


def test_amplitude_and_base_reach_the_embeddings():
    ids = torch.arange(5)[None]
    encoding = build("sinusoidal", width=6, heads=1, max_length=4, amplitude=0.5, base=100.0)
    added = encoding.embed(torch.zeros(2, 5, 6), ids)
    assert torch.allclose(added, 0.5 * sinusoid(ids, 6, base=100.0).expand(2, 5, 6))


def test_bad_options_are_refused():
    sizes = {"width": 6, "heads": 1, "max_length": 4}
    with pytest.raises(UnknownNameError, match=r"layout 'blocks'.*concatenated, interleaved"):
        build("sinusoidal", **sizes, layout="blocks")
    with pytest.raises(InvalidValueError, match=r"amplitude is -1; .* at least 0"):
        build("sinusoidal", **sizes, amplitude=-1)
    with pytest.raises(InvalidValueError, match=r"base is 'ten'; .* above 1"):
        build("sinusoidal", **sizes, base="ten")
    with pytest.raises(InvalidValueError, match="base is nan"):
        build("sinusoidal", **sizes, base=float("nan"))
