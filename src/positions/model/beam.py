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
    end: int | None
    alive: list[Beam] = field(default_factory=list)
    finished: list[Continuation] = field(default_factory=list)
    done: bool = False

    def __post_init__(self) -> None:
        # All beams are equal at first, so one counts.
        self._keep([Beam(0.0, 0, [])] if self.limit else [])

    def advance(self, totals: list[float], places: list[int], vocabulary: int) -> None:
        """Take the best extensions, best first; place = beam · vocabulary + token."""
        going: list[Beam] = []
        for rank, (total, place) in enumerate(zip(totals, places, strict=True)):
            if total == -math.inf or len(going) == self.beams:
                break
            parent, token = divmod(place, vocabulary)
            tokens = [*self.alive[parent].tokens, token]
            if token != self.end:
                going.append(Beam(total, parent, tokens))
            elif rank < self.beams:
                self._finish(total, True, tokens)
        at_limit = [beam for beam in going if len(beam.tokens) == self.limit]
        for beam in at_limit:
            self._finish(beam.total, False, beam.tokens)
        self._keep([] if at_limit or len(self.finished) == self.beams else going)

    def best(self) -> Continuation:
        """Return the continuation of the highest score, the earliest found of equal ones."""
        return max(self.finished, key=lambda found: found.score, default=Continuation(0, False, []))

    def _finish(self, total: float, ended: bool, tokens: list[int]) -> None:
        if len(self.finished) < self.beams:
            self.finished.append(Continuation(total / len(tokens) ** self.penalty, ended, tokens))

    def _keep(self, going: list[Beam]) -> None:
        """Go on with these beams, and idle ones so that every text has the same number."""
        self.done = not going
        self.alive = going + [Beam(-math.inf, 0, [0])] * (self.beams - len(going))


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
