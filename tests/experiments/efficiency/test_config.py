import pytest
import torch

from positions import encodings
from positions.errors import InvalidValueError, UnknownNameError
from positions.experiments.efficiency import EXPERIMENT, EfficiencyConfig
from positions.experiments.efficiency.config import machine, requires

SETTINGS = {
    "phase": "forward",
    "length": 4,
    "encodings": ("nope", "t5"),
    "vocabulary": 8,
    "width": 16,
    "heads": 2,
    "layers": 1,
    "hidden": 16,
    "warmups": 0,
    "rounds": 1,
    "machine": machine("cpu"),
}


def config(**changes: object) -> EfficiencyConfig:
    return EfficiencyConfig(**{**SETTINGS, **changes})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"phase": "inference"}, "forward"),
        ({"length": 0}, "length = 0"),
        ({"length": -3}, "length = -3"),
        ({"batch": 0}, "batch = 0"),
        ({"rounds": 0}, "rounds = 0"),
        ({"warmups": -1}, "warmups = -1"),
        ({"attention": "flash"}, "written"),
        ({"encodings": ("t5",)}, "'nope' is missing"),
        ({"encodings": ()}, "'nope' is missing"),
        ({"encodings": ("nope", "t5", "t5")}, "t5 stands twice"),
        ({"encodings": ("nope", "rotary fraction=1.0", "rotary  fraction=1.0")}, "stands twice"),
        ({"encodings": ("nope", "rotary fraction")}, "name=value"),
        ({"encodings": ("nope", "rotary fraction=2")}, "fraction"),
        ({"heads": 3}, "cannot be shared"),
        ({"device": "tpu"}, '"cuda:<number of the card>"'),
        ({"device": "auto"}, '"cpu"'),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(changes: dict, told: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        config(**changes)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_encoding_or_option_lists_the_valid_ones() -> None:
    with pytest.raises((UnknownNameError, InvalidValueError), match="Did you mean 'rotary'"):
        config(encodings=("nope", "rotry"))
    with pytest.raises((UnknownNameError, InvalidValueError), match="fraction"):
        config(encodings=("nope", "rotary part=0.5"))


def test_encodings_have_one_spelling_and_so_one_key() -> None:
    one = config(encodings=("nope", "rotary layout=half fraction=0.5"))
    other = config(encodings=(" nope", "rotary  fraction=0.5  layout=half"))
    assert EXPERIMENT.key(one) == EXPERIMENT.key(other)
    whole, real = (config(encodings=("nope", f"rotary fraction={one}")) for one in ("1", "1.0"))
    assert whole == real
    read_back = EfficiencyConfig(**one.canonical())
    assert read_back == one


def test_another_machine_has_a_key_of_its_own_and_runs_there_alone() -> None:
    here, there = config(), config(machine="another machine")
    assert EXPERIMENT.key(here) != EXPERIMENT.key(there)
    assert requires(here) is None
    told = requires(there)
    assert told is not None
    assert "another machine" in told
    assert machine("cpu") in told
    with pytest.raises(InvalidValueError, match=r"cannot be measured here.*another machine"):
        EXPERIMENT.run(there)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA card here")
def test_a_device_that_is_not_there_is_told() -> None:
    for device in ("cuda", "cuda:7"):
        absent = config(device=device, machine=machine(device))
        told = requires(absent)
        assert told is not None
        assert f"No device '{device}'" in told
        with pytest.raises(InvalidValueError, match="No device"):
            EXPERIMENT.run(absent)


def test_an_encoding_that_somebody_registers_can_be_measured(monkeypatch) -> None:
    from positions.encodings import registry

    monkeypatch.setattr(registry, "_classes", dict(registry._classes))

    @encodings.register("mine")
    class Mine(encodings.Encoding):
        pass

    assert "mine" in EXPERIMENT.configs("laptop")[0].encodings
    metrics = EXPERIMENT.run(config(encodings=("nope", "mine"))).metrics
    assert metrics["ms mine"] > 0
