"""Whatever is recorded or asked for, every picture and sentence of the chapter comes out."""

import pytest

from positions.book import charts
from positions.book.pictures.length import (
    agreement,
    conclusion,
    curves,
    glance,
    leads,
    options,
    ranks,
    setup,
    weights,
)
from positions.book.pictures.note import Note

PICTURES = {
    "ranks": ranks.chart,
    "groups": lambda found: ranks.chart(found, groups=True),
    "curves": curves.chart,
    "within": glance.within,
    "beyond": glance.beyond,
    "leads": leads.chart,
    "agreement": agreement.chart,
    "weights": weights.chart,
    "sinusoids": lambda found: options.chart(found, options.amplitudes(found)),
    "rotaries": lambda found: options.chart(found, options.rotaries(found)),
}
SENTENCES = [
    setup.summary,
    ranks.headline,
    ranks.leader,
    glance.learned,
    conclusion.means,
    conclusion.winners,
    conclusion.reach,
    leads.against,
    agreement.said,
    weights.said,
    options.of_sinusoids,
    options.of_rotaries,
]


STATES = ["nothing", "diverged", "nothing learned", "a task", "no nope", "all"]


@pytest.fixture(scope="module", params=STATES)
def found(request, look, run, grid, as_published):
    records = {
        "nothing": [],
        "diverged": [run("parity", "nope", within=None, beyond=None)],
        "nothing learned": grid({"nope": 0.1, "t5": 0.1}, ["parity", "lego"], within=0.3),
    }.get(request.param, as_published)
    if request.param == "a task":
        return look(records, names=["scan"])
    return look(records, ["t5", "sinusoidal"]) if request.param == "no nope" else look(records)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(found, name):
    picture = PICTURES[name](found)
    if isinstance(picture, Note):
        assert picture.text.endswith(".")
    else:
        charts.figure(picture.chart, description=picture.description, data=picture.numbers)


@pytest.mark.parametrize(
    "sentence", SENTENCES, ids=lambda each: f"{each.__module__}.{each.__name__}"
)
def test_sentences(found, sentence):
    said = sentence(found)
    assert said.lstrip("-* ")[0].isupper() and said.endswith(".")
    assert "nan" not in said
