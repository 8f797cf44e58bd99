"""A note in place of a picture that cannot be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from IPython.display import HTML, display


@dataclass(frozen=True)
class Note:
    """What a chapter says where it has nothing to draw; shown like a picture."""

    text: str

    def show(self) -> None:
        """Display the note."""
        title = '<p class="admonition-title">Nothing to draw</p>'
        display(HTML(f'<div class="admonition note">{title}<p>{escape(self.text)}</p></div>'))
