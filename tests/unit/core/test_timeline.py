"""Segments: folding, looking up, joining, and what the guard keeps out of force."""

import pytest

from karte.core.periods import FOREVER
from karte.core.timeline import Room, Segment, Spell, fold, in_force, insert, room_for, shadows, spells


def claim(start: int, end: int, statement: int, *, tier: int = 1, mark: int = 0) -> Segment:
    """A claim that ranks by its tier, then by its start."""
    return Segment(start, end, (tier, start, 0, 0, statement, mark), statement)


def shown(segments: list[Segment]) -> list[tuple[int, int, int]]:
    return [(s.start, s.end, s.statement) for s in segments]


def test_nothing_folds_to_nothing() -> None:
    assert fold([]) == []


def test_a_claim_without_width_claims_nothing() -> None:
    assert fold([claim(5, 5, 1), claim(6, 2, 1)]) == []


def test_segments_are_disjoint_and_leave_gaps_where_nobody_claims() -> None:
    told = [claim(0, 4, 1), claim(2, 6, 2), claim(8, FOREVER, 3)]
    assert shown(fold(told)) == [(0, 2, 1), (2, 6, 2), (8, FOREVER, 3)]


def test_a_claim_that_is_interrupted_goes_on_afterwards() -> None:
    assert shown(fold([claim(0, FOREVER, 1), claim(3, 5, 2)])) == [(0, 3, 1), (3, 5, 2), (5, FOREVER, 1)]


def test_a_claim_that_begins_and_ends_under_another_is_never_seen() -> None:
    assert shown(fold([claim(0, 9, 1, tier=2), claim(3, 5, 2)])) == [(0, 9, 1)]


def test_a_bound_of_a_claim_that_is_not_seen_cuts_nothing() -> None:
    assert len(fold([claim(0, FOREVER, 1, tier=2), claim(3, 5, 2), claim(4, 7, 3)])) == 1


@pytest.mark.parametrize(("at", "statement"), [(-1, None), (0, 1), (3, 1), (4, None), (5, 2), (FOREVER - 1, 2)])
def test_the_segment_that_covers_an_instant_is_found(at: int, statement: int | None) -> None:
    found = in_force([claim(0, 4, 1), claim(5, FOREVER, 2)], at)
    assert (found and found.statement) == statement


def test_nothing_is_in_force_where_there_are_no_segments() -> None:
    assert in_force([], 5) is None


def test_neighbours_of_one_statement_are_one_spell_and_neighbours_of_two_are_two() -> None:
    told = [claim(0, 2, 1), claim(2, 4, 1), claim(5, 6, 1), claim(6, 8, 2)]
    assert spells(told) == [Spell(0, 4, 1), Spell(5, 6, 1), Spell(6, 8, 2)]


def test_what_would_be_in_force_without_the_guard_is_shadowed_while_it_is_not() -> None:
    guarded = [claim(0, 9, 1)]
    free = [claim(0, 2, 1), claim(2, 4, 2), claim(4, 6, 2), claim(6, 9, 1)]
    assert shadows(guarded, free) == [Spell(2, 6, 2)]


def test_nothing_is_shadowed_where_both_agree() -> None:
    assert shadows([claim(0, 9, 1)], [claim(0, 5, 1), claim(5, 9, 1)]) == []


def test_a_claim_expires_at_its_instant() -> None:
    expiring = Segment(0, 5, (1, 0, 0, 0, 0, 0), 1, expires_at=5)
    assert [expiring.expired(at) for at in (4, 5)] == [False, True]
    assert claim(0, 5, 1).expired(FOREVER) is False


def test_without_the_guard_a_claim_ranks_without_its_tier() -> None:
    assert claim(3, 5, 2, tier=2).unguarded == claim(3, 5, 2, tier=0)


def test_the_room_for_a_claim_is_what_it_beats_and_the_gaps_within_its_period() -> None:
    kept = [claim(0, 2, 1), claim(3, 5, 2, tier=2), claim(7, 9, 3), claim(20, 30, 4)]
    assert room_for(claim(1, 12, 9, tier=1), kept) == Room((kept[0],), ((2, 3), (5, 7), (9, 12)))


def test_a_claim_that_fills_a_gap_and_beats_its_neighbour_is_one_segment() -> None:
    kept = [claim(0, 4, 1)]
    new = claim(2, 8, 2)
    assert shown(insert(new, room_for(new, kept))) == [(0, 2, 1), (2, 8, 2)]


def test_a_claim_without_room_changes_nothing() -> None:
    assert insert(claim(2, 4, 2), Room()) == []
