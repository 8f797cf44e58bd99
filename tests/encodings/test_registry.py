import sys
import warnings

import pytest

from positions import encodings
from positions.encodings import Encoding, registry
from positions.errors import InvalidValueError, PositionsError, UnknownNameError

SIZES = {"width": 8, "heads": 2, "max_length": 16}
BUILT_IN = ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"]

PLUGIN = """
from positions.encodings import Encoding, register

class Plain(Encoding):
    "Named by its entry point alone."

@register("decorated")
class Decorated(Encoding):
    def __init__(self, width, heads, max_length, *, strength=2.0):
        super().__init__(width, heads, max_length)
        self.strength = strength
"""


@pytest.fixture(autouse=True)
def untouched_registry(monkeypatch):
    """Undo what a test registers."""
    monkeypatch.setattr(registry, "_classes", dict(registry._classes))
    registry._load_entry_points.cache_clear()
    yield
    registry._load_entry_points.cache_clear()


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a third party's package: a module and the entry points that its wheel declares."""

    def add(entry_points, module=PLUGIN):
        (tmp_path / "third_party.py").write_text(module)
        about = tmp_path / "third_party-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1.0\n")
        lines = [f"[{registry.GROUP}]", *entry_points]
        (about / "entry_points.txt").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "third_party", raising=False)

    yield add
    sys.modules.pop("third_party", None)


def test_names_of_this_package_come_first():
    assert encodings.names()[: len(BUILT_IN)] == BUILT_IN


@pytest.mark.parametrize("name", BUILT_IN)
def test_build_makes_the_named_encoding(name):
    encoding = encodings.build(name, **SIZES)
    assert encoding.name == name
    assert (encoding.width, encoding.heads, encoding.max_length) == (8, 2, 16)


def test_options_are_listed_with_defaults_and_reach_the_encoding():
    assert encodings.options("rotary") == {
        "fraction": 1.0,
        "base": 10000.0,
        "layout": "interleaved",
    }
    assert encodings.build("rotary", **SIZES, fraction=0.5).fraction == 0.5


def test_unknown_name_lists_all_and_guesses():
    with pytest.raises(UnknownNameError) as caught:
        encodings.build("rotery", **SIZES)
    assert "Did you mean 'rotary'?" in str(caught.value)
    assert all(name in str(caught.value) for name in BUILT_IN)


def test_unknown_option_lists_the_valid_ones():
    with pytest.raises(UnknownNameError, match=r"'slope'.*Valid: bidirectional\."):
        encodings.build("alibi", **SIZES, slope=1)
    with pytest.raises(UnknownNameError, match=r"'slope'.*Valid: none\."):
        encodings.build("nope", **SIZES, slope=1)


def test_decorator_makes_a_class_buildable_by_name():
    @encodings.register("mine")
    class Mine(Encoding):
        def __init__(self, width, heads, max_length, *, depth=3):
            super().__init__(width, heads, max_length)
            self.depth = depth

    assert "mine" in encodings.names()
    assert encodings.options("mine") == {"depth": 3}
    assert encodings.build("mine", **SIZES, depth=4).depth == 4
    assert Encoding.name == ""


def test_name_is_registered_once():
    class Other(Encoding):
        pass

    with pytest.raises(InvalidValueError, match=r"'alibi' is registered already.*ALiBi"):
        encodings.register("alibi")(Other)


def test_running_a_cell_again_replaces_its_class():
    def cell():
        @encodings.register("mine")
        class Mine(Encoding):
            pass

        return Mine

    cell()
    again = cell()
    assert encodings.get("mine") is again


def test_what_build_could_not_make_is_refused():
    class Narrow(Encoding):
        def __init__(self, width):
            super().__init__(width, 1, 1)

    with pytest.raises(InvalidValueError, match="lacks heads, max_length"):
        encodings.register("narrow")(Narrow)
    with pytest.raises(InvalidValueError, match="subclass of"):
        encodings.register("function")(lambda width, heads, max_length: None)
    with pytest.raises(InvalidValueError, match="non-empty text"):
        encodings.register("")(Encoding)


def test_entry_points_are_found(install):
    install(["plain = third_party:Plain", "decorated = third_party"])
    assert {"plain", "decorated"} <= set(encodings.names())
    assert encodings.build("plain", **SIZES).name == "plain"
    assert encodings.build("decorated", **SIZES, strength=5.0).strength == 5.0


def test_broken_entry_point_is_named_and_breaks_no_other(install):
    install(["plain = third_party:Plain", "gone = third_party:Absent", "lost = no_such_module"])
    with pytest.warns(UserWarning) as seen:
        assert "plain" in encodings.names()
    messages = [str(warning.message) for warning in seen]
    assert any("'gone'" in message and "Absent" in message for message in messages)
    assert any("'lost'" in message and "no_such_module" in message for message in messages)
    with pytest.raises(PositionsError, match="'gone' could not be loaded"):
        encodings.build("gone", **SIZES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert encodings.names()[: len(BUILT_IN)] == BUILT_IN


def test_entry_point_cannot_take_a_name_in_use(install):
    install(["alibi = third_party:Plain"])
    with pytest.warns(UserWarning, match=r"'alibi'.*registered already"):
        encodings.names()
    assert encodings.get("alibi").__name__ == "ALiBi"
