"""Read files of labelled sentences: one a line, the label first."""

from __future__ import annotations

from positions.errors import DamagedFileError

AGAIN = "Get the file again."


def parse(content: bytes, name: str, classes: int) -> list[tuple[int, str]]:
    r"""Return label and text of every line of a file, which messages call `name`.

    Decoded as latin-1 and cut at `\n` alone, as some lines hold the byte 0x85, which Python takes
    for a line break. A label with no text after it gives the text "". Raises `DamagedFileError`
    for a file that is empty or cut short, an empty line, and a label that is no whole number below
    `classes`; each says which line.
    """
    lines = content.decode("latin-1").split("\n")
    if lines.pop():
        raise DamagedFileError(
            f"{name} is cut short: its last line ({len(lines) + 1}) doesn't end. {AGAIN}"
        )
    if not lines:
        raise DamagedFileError(f"{name} is empty. {AGAIN}")
    return [_read(line, f"{name}, line {number}", classes) for number, line in enumerate(lines, 1)]


def _read(line: str, where: str, classes: int) -> tuple[int, str]:
    if not line.strip():
        raise DamagedFileError(f"{where} is empty; each line is a label and a text. {AGAIN}")
    label, _, text = line.partition(" ")
    if not (label.isascii() and label.isdigit() and int(label) < classes):
        raise DamagedFileError(
            f"{where} begins with {label[:20]!r}, which is no label: they are whole numbers from 0 "
            f"to {classes - 1}. {AGAIN}"
        )
    return int(label), text.strip()
