"""Parameters of chapters: wrong ones are refused before anything runs."""

from pathlib import Path

import nbformat
import pytest

from positions.book import parameters, toc
from positions.errors import DamagedFileError, InvalidValueError, UnknownNameError


@pytest.fixture
def sample(project: Path) -> Path:
    return toc.chapter("sample").path


def with_parameters(path: Path, source: str) -> Path:
    node = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source, metadata={"tags": ["parameters"]})]
    )
    nbformat.write(node, path)
    return path


def test_defaults_are_read_from_the_tagged_cell(sample: Path) -> None:
    assert parameters.read(sample) == {
        "preset": "laptop",
        "encodings": ["nope", "rotary"],
        "seeds": 2,
        "scale": 1.5,
    }


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"seeds": "5"}, {"seeds": 5}),
        ({"scale": "2"}, {"scale": 2.0}),
        ({"scale": 2}, {"scale": 2.0}),
        ({"encodings": "t5"}, {"encodings": ["t5"]}),
        ({"encodings": "t5, alibi"}, {"encodings": ["t5", "alibi"]}),
        ({"encodings": "['t5', 'alibi']"}, {"encodings": ["t5", "alibi"]}),
        ({"preset": "smoke"}, {"preset": "smoke"}),
    ],
)
def test_texts_become_values_of_the_defaults_type(sample: Path, given: dict, meant: dict) -> None:
    resolved = parameters.resolve(sample, given)
    assert resolved == meant
    assert {name: type(value) for name, value in resolved.items()} == {
        name: type(value) for name, value in meant.items()
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": "1"}, r"'seed'.*Did you mean 'seeds'.*encodings, preset, scale, seeds"),
        ({"preset": "lapdog"}, r"'lapdog'.*Did you mean 'laptop'.*gpu, laptop, paper, smoke"),
        ({"encodings": "nope,rotray"}, r"'rotray'.*Did you mean 'rotary'"),
    ],
)
def test_unknown_names_list_the_valid_ones(sample: Path, given: dict, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        parameters.resolve(sample, given)


@pytest.mark.parametrize("given", [{"seeds": "many"}, {"seeds": "1.5"}, {"seeds": "True"}])
def test_wrong_types_are_named(sample: Path, given: dict) -> None:
    with pytest.raises(InvalidValueError, match=r"seeds takes a whole number such as 2"):
        parameters.resolve(sample, given)


def test_an_encoding_that_the_notebook_registers_is_known(tmp_path: Path) -> None:
    path = tmp_path / "own.ipynb"
    source = nbformat.v4.new_code_cell("@register('zigzag')\nclass Zigzag(Encoding): ...")
    head = nbformat.v4.new_code_cell("encodings = ['nope']", metadata={"tags": ["parameters"]})
    nbformat.write(nbformat.v4.new_notebook(cells=[head, source]), path)
    assert parameters.resolve(path, {"encodings": "zigzag"}) == {"encodings": ["zigzag"]}


def test_annotated_parameters_are_read(tmp_path: Path) -> None:
    path = with_parameters(tmp_path / "a.ipynb", "preset: str = 'gpu'  # why\nseeds: int = -1")
    assert parameters.read(path) == {"preset": "gpu", "seeds": -1}


def test_a_default_that_is_computed_is_refused(tmp_path: Path) -> None:
    path = with_parameters(tmp_path / "a.ipynb", "seeds = len('abc')")
    with pytest.raises(InvalidValueError, match="must assign plain values"):
        parameters.read(path)


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"cells": 3, "nbformat": 4}'])
def test_what_is_no_notebook_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(content)
    with pytest.raises(DamagedFileError, match=r"a\.ipynb is no Jupyter notebook"):
        parameters.read(path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "tiny"}, "Valid: gpu, laptop, paper, smoke"),
        ({"encodings": ["nop"]}, "Did you mean 'nope'"),
        ({"encodings": "nope"}, "takes a list of names"),
        ({"tables": ["gtp2"]}, "Did you mean 'gpt2'"),
        ({"tasks": ["paritty"]}, "Did you mean 'parity'"),
        ({"tasks": "parity"}, "takes a list of names"),
        ({"seeds": 0}, "whole number from 1 up"),
        ({"seeds": True}, "whole number from 1 up"),
        ({"seed": -1}, "seed must be a whole number from 0 up, not -1"),
        ({"seed": "1"}, "seed must be a whole number from 0 up, not '1'"),
        ({"lengths": [5, 0]}, "lengths: each must be a whole number from 1 up, not 0"),
        ({"lengths": []}, "lengths is an empty list; it needs at least one whole number"),
        ({"lengths": 5}, "lengths takes a list of whole numbers, not 5"),
        ({"encodings": ["nope", "t5", "nope"]}, "encodings has 'nope' twice; name it once"),
        ({"tables": ["gpt2", "gpt2"]}, "tables has 'gpt2' twice"),
        ({"tasks": ["parity", "parity"]}, "tasks has 'parity' twice"),
        ({"live": []}, "live is an empty list; it needs at least one name. Valid: nope, sinus"),
        ({"live": ["nop"]}, "Unknown encoding 'nop'. Did you mean 'nope'"),
    ],
)
def test_check_refuses_what_does_not_exist(given: dict, message: str) -> None:
    with pytest.raises((UnknownNameError, InvalidValueError), match=message):
        parameters.check(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": "-1"}, "seed must be a whole number from 0 up, not -1"),
        ({"encodings": "t5,t5"}, "encodings has 't5' twice"),
        ({"live": "[]"}, "live is an empty list"),
        ({"lengths": "0"}, "lengths: each must be a whole number from 1 up"),
    ],
)
def test_they_are_refused_before_the_notebook_runs(
    tmp_path: Path, given: dict, message: str
) -> None:
    source = "encodings = ['nope']\nlive = ['t5']\nseed = 0\nlengths = [1, 5]"
    path = with_parameters(tmp_path / "a.ipynb", source)
    with pytest.raises(InvalidValueError, match=message):
        parameters.resolve(path, given)


def test_a_parameter_of_another_kind_is_the_notebooks_own(tmp_path: Path) -> None:
    path = with_parameters(tmp_path / "a.ipynb", "live = True\nseeds = [0, 1]")
    given = {"live": "False", "seeds": "[0]"}
    assert parameters.resolve(path, given) == {"live": False, "seeds": [0]}


def test_check_leaves_hub_models_files_and_controls_to_the_tables() -> None:
    parameters.check(tables=["gpt2", "someone/model", "own.npy", "shuffled:gpt2"])


def test_no_tasks_are_all_tasks() -> None:
    parameters.check(tasks=[])
