"""SCAN and PCFG SET seen from their grammars, against published counts."""

from positions.book.pictures.tasks import languages
from positions.tasks.scan import commands


def test_scan_is_cut_at_22_and_at_25():
    frame = languages.scan_cuts().numbers
    parts = frame.groupby("part")["commands"].sum()
    first, moved, last = (parts[part] for part in languages.PARTS)
    assert first == 16_990  # the training set of the split published with SCAN
    assert last == 3_136
    assert first + moved + last == len(commands()) == 20_910


def test_every_long_command_goes_around():
    table = languages.scan_words()
    assert table.loc["around", "more than 25"] == "100 %"
    longest = [text for text, actions in commands().items() if len(actions) == 48]
    assert all("thrice" in text for text in longest)


def test_functions_do_what_their_names_say():
    table = languages.pcfg_functions().set_index("command")["result"]
    assert len(table) == 10
    assert table["reverse A1 B2 C3"] == "C3 B2 A1"
    assert table["repeat A1 B2 C3"] == "A1 B2 C3 A1 B2 C3"
    assert table["prepend A1 B2 , C3"] == "C3 A1 B2"
    assert table["remove_first A1 B2 , C3"] == "C3"
