from pathlib import Path

import numpy as np
import pytest
from scipy import signal, stats

from positions import tables
from positions.analysis.geometry.spectrum import component_spectra, spectrum
from positions.errors import InvalidValueError

RNG = np.random.default_rng(0)
TURN = np.linalg.qr(RNG.standard_normal((9, 9)))[0]


def waves(count: int, *terms: tuple[float, float]) -> np.ndarray:
    """Columns amplitude * cos(2 pi frequency t / count + 0.3), by (amplitude, frequency)."""
    time = np.arange(count)
    columns = [a * np.cos(2 * np.pi * f * time / count + 0.3) for a, f in terms]
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("count", [64, 65])
def test_a_wave_shows_at_its_frequency_with_its_amplitude(count: int) -> None:
    found = spectrum(5.0 + waves(count, (2.0, 3), (2.0, 3), (2.0, 3), (0.5, 20)))
    assert list(found.peaks) == [3, 3, 3, 20]
    assert list(found.frequencies) == list(range(1, 33))
    assert found.upper[2] == pytest.approx(2.0)
    assert found.mean[2] == pytest.approx(1.5)
    assert found.mean[19] == pytest.approx(0.125)
    assert found.low_share == pytest.approx(12 / 12.25)
    assert found.energy.sum() == pytest.approx(1.0)


def test_the_fastest_wave_of_an_even_table_has_its_amplitude_too() -> None:
    rows = 0.7 * np.array([1.0, -1.0] * 8)[:, None]
    assert spectrum(rows).mean[-1] == pytest.approx(0.7)


@pytest.mark.parametrize("count", [60, 61])
def test_energy_is_scipys_periodogram(count: int) -> None:
    rows = RNG.standard_normal((count, 7)) * np.arange(1, 8)
    _, density = signal.periodogram(rows, axis=0, detrend="constant")
    found = spectrum(rows)
    together = density[1:].sum(axis=1) / density[1:].sum()
    assert found.energy == pytest.approx(together)
    assert found.entropy == pytest.approx(stats.entropy(together) / np.log(len(together)))
    assert found.low_share == pytest.approx(together[:9].sum())
    assert list(found.peaks) == list(density[1:].argmax(axis=0) + 1)


def test_entropy_tells_a_wave_from_noise() -> None:
    assert spectrum(waves(128, (1.0, 7))).entropy == pytest.approx(0.0, abs=1e-9)
    assert spectrum(RNG.standard_normal((128, 200))).entropy > 0.98


def test_rotation_leaves_the_energy_alone_and_the_mean_row_too() -> None:
    rows = RNG.standard_normal((50, 9)).cumsum(axis=0)
    assert spectrum(rows @ TURN + 3.0).energy == pytest.approx(spectrum(rows).energy)
    turned, found = component_spectra(rows @ TURN), component_spectra(rows)
    assert turned.energy == pytest.approx(found.energy)
    assert turned.explained == pytest.approx(found.explained)


def test_components_part_waves_that_share_columns() -> None:
    mixed = waves(100, (3.0, 2), (2.0, 11), (1.0, 30)) @ RNG.standard_normal((3, 9))
    orthogonal = waves(100, (3.0, 2), (2.0, 11), (1.0, 30)) @ TURN[:3]
    found = component_spectra(orthogonal)
    assert list(found.peaks) == [2, 11, 30]
    assert found.explained == pytest.approx(np.array([9, 4, 1]) / 14)
    assert np.diagonal(found.energy[:, [1, 10, 29]]) == pytest.approx(np.ones(3))
    # However mixed, three waves never make more than three components.
    assert component_spectra(mixed).energy.shape == (3, 50)
    assert component_spectra(mixed, count=2).energy.shape == (2, 50)


def test_constant_columns_have_no_peak() -> None:
    rows = np.column_stack([np.full(64, 0.1), waves(64, (1.0, 5))])
    assert list(spectrum(rows).peaks) == [5]


def test_bad_input_is_refused() -> None:
    for read in (spectrum, component_spectra):
        with pytest.raises(InvalidValueError, match="no wave"):
            read(np.full((8, 3), 0.1))
        with pytest.raises(InvalidValueError, match="at least 4 rows"):
            read(np.eye(3))
        with pytest.raises(InvalidValueError, match="not finite"):
            read(np.full((8, 3), np.nan))
        with pytest.raises(InvalidValueError, match="two axes"):
            read(np.ones(8))
    with pytest.raises(InvalidValueError, match="At least 1 component"):
        component_spectra(np.eye(8), count=0)


def test_gpt2_lies_below_10_cycles_and_bert_does_not(data_folder: Path) -> None:
    # Yamamoto & Matsuzaki 2023: GPT-2 only has frequencies below 10 cycles per 512.
    gpt2 = spectrum(tables.load("gpt2").rows[:512])
    bert = spectrum(tables.load("bert-base-uncased-finetuned-a").rows)
    assert gpt2.low_share > 0.9
    assert np.mean(gpt2.peaks < 10) > 0.99
    assert bert.low_share < 0.5
