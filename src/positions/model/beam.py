"""Beam search: several continuations of each text side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from positions.model.session import Session


class Continuation(NamedTuple):
    """A finished continuation of a text."""

    score: float
    ended: bool
    """Whether by end-of-text, and not by the limit."""
    tokens: list[int]


class Beam(NamedTuple):
    """One that goes on: its log-probability, the beam it extends and all its tokens."""

    total: float
    parent: int
    tokens: list[int]


@dataclass
class Search:
    """The search for one text."""

    beams: int
    limit: int
    penalty: float
    end: int
    alive: list[Beam] = field(default_factory=list)
    finished: list[Continuation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.alive = [Beam(0.0, 0, [])]  # all beams are equal at first, so one counts
        self._pad()

    @property
    def done(self) -> bool:
        """Whether nothing is left to look for."""
        return self.limit == 0 or len(self.finished) >= self.beams

    def advance(self, totals: list[float], places: list[int], vocabulary: int) -> None:
        """Take the best extensions, best first; place = beam · vocabulary + token."""
        before, self.alive = self.alive, []
        for rank, (total, place) in enumerate(zip(totals, places, strict=True)):
            if self.done or total == -math.inf or len(self.alive) == self.beams:
                break
            parent, token = divmod(place, vocabulary)
            tokens = [*before[parent].tokens, token]
            if token != self.end:
                self.alive.append(Beam(total, parent, tokens))
            elif rank < self.beams:
                self._finish(total, True, tokens)
        for beam in self.alive:
            if len(beam.tokens) == self.limit:
                self._finish(beam.total, False, beam.tokens)
        if self.done:
            self.alive = []
        self._pad()

    def best(self) -> Continuation:
        """Return the continuation of the highest score, the earliest found of equal ones."""
        return max(self.finished, key=lambda found: found.score, default=Continuation(0, False, []))

    def _finish(self, total: float, ended: bool, tokens: list[int]) -> None:
        if len(self.finished) < self.beams:
            self.finished.append(Continuation(total / len(tokens) ** self.penalty, ended, tokens))

    def _pad(self) -> None:
        """Fill up with idle beams, so that every text has the same number of rows."""
        self.alive += [Beam(-math.inf, 0, [self.end])] * (self.beams - len(self.alive))


def beam_search(
    session: Session, prompts: Tensor, mask: Tensor | None, searches: list[Search]
) -> list[Continuation]:
    """Return the best continuation of each text.

    Its score is its log-probability divided by (tokens, end-of-text included)^penalty. As in
    fairseq, each step looks at the 2 · beams best extensions; those among the first `beams` that
    end are finished, and a text is done when `beams` are finished, or at its limit, where the
    unfinished ones count as they are. `prompts` (batch · beams, length) hold each text `beams`
    times.
    """
    beams, device = searches[0].beams, prompts.device
    tokens, real = prompts, mask
    while not all(search.done for search in searches):
        alive = [beam for search in searches for beam in search.alive]
        totals = torch.tensor([beam.total for beam in alive], device=device)
        log_probabilities = session.feed(tokens, real).float().log_softmax(-1)
        vocabulary = log_probabilities.shape[-1]
        extended = (totals[:, None] + log_probabilities).view(len(searches), -1)
        top, places = extended.topk(min(2 * beams, extended.shape[1]), dim=1)
        for search, row, place in zip(searches, top.tolist(), places.tolist(), strict=True):
            search.advance(row, place, vocabulary)
        alive = [beam for search in searches for beam in search.alive]
        parents = [n // beams * beams + beam.parent for n, beam in enumerate(alive)]
        session.reorder(torch.tensor(parents, device=device))
        tokens = torch.tensor([beam.tokens[-1:] for beam in alive], device=device)
        going = torch.tensor([[beam.total > -math.inf] for beam in alive], device=device)
        real = None if bool(going.all()) else going
    return [search.best() for search in searches]
