"""The rules of beam search, one step at a time."""

from __future__ import annotations

import math

from positions.model.beam import Continuation, Search

END, VOCABULARY = 1, 10


def search(beams: int, limit: int, penalty: float = 1.0) -> Search:
    return Search(beams, limit, penalty, END)


def alive(one: Search) -> list[list[int]]:
    return [beam.tokens for beam in one.alive if beam.total > -math.inf]


def test_an_end_counts_only_among_the_best_extensions():
    """Of 2 beams' best four, [end, 5, end, 6], the third is no beam's choice."""
    one = search(beams=2, limit=9)
    one.advance([-1.0, -2.0, -3.0, -4.0], [END, 5, VOCABULARY + END, 6], VOCABULARY)
    assert one.finished == [Continuation(-1.0, True, [END])]
    assert alive(one) == [[5], [6]]
    assert not one.done


def test_beams_go_on_from_the_beam_they_extend():
    one = search(beams=2, limit=9)
    one.advance([-1.0, -2.0], [5, 6], VOCABULARY)
    one.advance([-3.0, -4.0], [VOCABULARY + 7, VOCABULARY + 8], VOCABULARY)
    assert alive(one) == [[6, 7], [6, 8]]
    assert [beam.parent for beam in one.alive] == [1, 1]


def test_scores_are_divided_by_length_and_the_best_wins():
    one = search(beams=2, limit=9)
    one.advance([-2.0, -2.4], [END, 5], VOCABULARY)
    one.advance([-3.0, -9.0], [END, 7], VOCABULARY)
    assert one.done
    assert one.best() == Continuation(-1.5, True, [5, END])
    flat = search(beams=2, limit=9, penalty=0.0)
    flat.advance([-2.0, -2.4], [END, 5], VOCABULARY)
    flat.advance([-3.0, -9.0], [END, 7], VOCABULARY)
    assert flat.best() == Continuation(-2.0, True, [END])


def test_at_the_limit_the_unfinished_count_as_they_are():
    one = search(beams=3, limit=2)
    one.advance([-1.0, -2.0], [5, 6], VOCABULARY)
    one.advance([-1.5, -2.5], [7, VOCABULARY + 8], VOCABULARY)
    assert one.done
    assert one.finished == [Continuation(-0.75, False, [5, 7]), Continuation(-1.25, False, [6, 8])]


def test_a_text_without_room_writes_nothing():
    one = search(beams=2, limit=0)
    assert one.done
    assert one.best() == Continuation(0.0, False, [])
