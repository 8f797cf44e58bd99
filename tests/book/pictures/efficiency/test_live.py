import pytest

from positions.book.pictures.efficiency import live, tables
from positions.errors import InvalidValueError, UnknownNameError


def test_the_page_s_own_machine_is_measured() -> None:
    found = live.now(["t5", "rotary"], [1, 5], "smoke")
    assert [record.config["length"] for record in found] == [1, 5]
    assert {record.provenance.threads for record in found} == {1}
    table = tables.ours(found, ["nope", "t5", "rotary"])
    assert set(table["variant"]) == {"nope", "t5", "rotary", "rotary, whole"}
    assert (table["ms"] > 0).all()
    assert tables.readable(found[0].config["machine"]) in set(table["machine"])


def test_an_encoding_of_a_notebook_s_own_is_measured_beside(monkeypatch) -> None:
    from positions import encodings
    from positions.encodings import registry

    monkeypatch.setattr(registry, "_classes", dict(registry._classes))

    @encodings.register("mine")
    class Mine(encodings.Encoding):
        pass

    (record,) = live.now(["mine"], [2], "smoke")
    assert list(record.config["encodings"]) == ["nope", "mine"]


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises((UnknownNameError, InvalidValueError), match="sinusoidal"):
        live.now(["sinus"], [1], "smoke")
    with pytest.raises(InvalidValueError, match="length = 0"):
        live.now(["t5"], [0], "smoke")
