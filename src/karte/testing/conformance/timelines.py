"""The contract for the kept fold."""

from __future__ import annotations

from itertools import product

from karte.core.periods import FOREVER
from karte.core.timeline import Segment, insert, room_for
from karte.ports import MIXED, Head, Store
from karte.testing.conformance.making import DUDU, YUKI, found, keep, memory, segment

_KEPT = (segment(0, 4, 1, rank=3), segment(4, 6, 2, rank=5), segment(8, 12, 1, rank=2), segment(15, FOREVER, 3, rank=4))
_BOUNDS = (-2, 0, 2, 4, 5, 6, 7, 8, 10, 12, 13, 15, 20, FOREVER)


def _room(store: Store, claim: Segment) -> tuple[list[Segment], list[tuple[int, int]]]:
    with store.reading() as unit:
        room = unit.timelines.room_for(DUDU, 1, claim)
    return sorted(room.beaten, key=lambda s: s.start), sorted(room.gaps)


class TimelinesConformance:
    """Segments are kept by chain in time order; what holds at an instant is read from them."""

    def test_a_chain_has_a_head(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2), memory(3))
            unit.timelines.set_head(DUDU, 2, Head(77, None))
            unit.timelines.set_head(DUDU, 3, Head(78, MIXED))
        with store.reading() as unit:
            heads = unit.timelines.heads(DUDU, [1, 2, 3, 99])
            assert heads == {1: Head(1, 1), 2: Head(77, None), 3: Head(78, MIXED)}
            assert unit.timelines.heads(YUKI, [1]) == unit.timelines.heads(DUDU, []) == {}

    def test_segments_are_given_back_as_they_were_kept_in_time_order(self, store: Store) -> None:
        early = Segment(-(2**50), 0, (0, -5, 2**40, 3_000, 2**62, 2**55), 1, FOREVER - 1)
        with found(store).writing() as unit:
            unit.timelines.replace(DUDU, 1, (), [*reversed(_KEPT), early])
        with store.reading() as unit:
            assert unit.timelines.segments(DUDU, 1, -FOREVER, FOREVER) == [early, *_KEPT]

    def test_the_segments_of_a_period_are_those_that_overlap_it(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.timelines.replace(DUDU, 1, (), _KEPT)
        periods = [(start, end) for start, end in product(_BOUNDS, _BOUNDS) if start < end]
        expected = {p: [s for s in _KEPT if s.start < p[1] and p[0] < s.end] for p in periods}
        with store.reading() as unit:
            assert {period: unit.timelines.segments(DUDU, 1, *period) for period in periods} == expected

    def test_each_chain_has_its_own_segments_and_others_with_the_guard_off(self, store: Store) -> None:
        guarded, free, theirs = segment(0, 4), segment(0, 9), segment(1, 5)
        with found(store).writing() as unit:
            unit.timelines.replace(DUDU, 1, (), [guarded])
            unit.timelines.replace(DUDU, 1, (), [free], free=True)
            unit.timelines.replace(DUDU, 2, (), [theirs])
            unit.timelines.replace(YUKI, 1, (), [theirs])
        with store.reading() as unit:
            assert unit.timelines.segments(DUDU, 1, 0, 99) == [guarded]
            assert unit.timelines.segments(DUDU, 1, 0, 99, free=True) == [free]
            assert unit.timelines.segments(DUDU, 2, 0, 99) == unit.timelines.segments(YUKI, 1, 0, 99) == [theirs]
            assert unit.timelines.segments(DUDU, 3, 0, 99) == unit.timelines.segments(DUDU, 2, 0, 99, free=True) == []

    def test_new_segments_take_the_place_of_old_ones(self, store: Store) -> None:
        first, second, third = segment(0, 4), segment(4, 8), segment(8, 12)
        with found(store).writing() as unit:
            unit.timelines.replace(DUDU, 1, (), [first, second, third])
            unit.timelines.replace(DUDU, 1, [first, second], [segment(0, 2), second, segment(2, 4, 2)])
            assert unit.timelines.segments(DUDU, 1, 0, 99) == [segment(0, 2), segment(2, 4, 2), second, third]
            unit.timelines.replace(DUDU, 1, [second, third], ())
        with store.reading() as unit:
            assert unit.timelines.segments(DUDU, 1, 0, 99) == [segment(0, 2), segment(2, 4, 2)]

    def test_a_claim_finds_the_same_room_as_the_fold_finds(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.timelines.replace(DUDU, 1, (), _KEPT)
        for start, end, rank in product(_BOUNDS, _BOUNDS, (0, 3, 9)):
            if start < end:
                claim = Segment(start, end, (1, 9 if rank else -9, 3, 10_000, rank, 8), 4)
                expected = room_for(claim, _KEPT)
                assert _room(store, claim) == (list(expected.beaten), list(expected.gaps)), claim

    def test_a_claim_is_compared_by_every_part_of_its_rank(self, store: Store) -> None:
        kept = Segment(0, 9, (1, 5, 5, 5, 5, 5), 1)
        with found(store).writing() as unit:
            unit.timelines.replace(DUDU, 1, (), [kept])
        ranks = [
            (*kept.rank[:place], kept.rank[place] + step, *kept.rank[place + 1 :])
            for place in range(6)
            for step in (1, -1)
        ]
        beaten = [_room(store, Segment(0, 9, rank, 2))[0] for rank in ranks]  # type: ignore[arg-type]  # six numbers
        assert beaten == [[kept], []] * 6

    def test_a_claim_into_an_empty_chain_has_all_of_its_period(self, store: Store) -> None:
        claim = segment(3, 9)
        assert _room(found(store), claim) == ([], [(3, 9)])
        assert insert(claim, room_for(claim, ())) == [claim]

    def test_a_memory_holds_where_its_statement_is_in_force_and_not_expired(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2), memory(3), chain=1)
            unit.memories.place(DUDU, 3, 1, 1)
            unit.timelines.replace(DUDU, 1, (), [segment(0, 4), segment(4, 6, 2, expires_at=6), segment(8, 9)])
        asked = {-1: {}, 0: {1: 1, 3: 1}, 3: {1: 1, 3: 1}, 4: {2: 2}, 6: {}, 7: {}, 8: {1: 1, 3: 1}, 9: {}}
        with store.reading() as unit:
            assert {at: unit.timelines.holding(DUDU, [1, 2, 3, 99], at, 5) for at in asked} == asked
            assert unit.timelines.holding(DUDU, [1, 2], 4, 6) == {}
            assert unit.timelines.holding(DUDU, [2], 0, 0) == unit.timelines.holding(YUKI, [1], 0, 0) == {}

    def test_nothing_never_holds(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2, "", nothing=True), chain=1)
            unit.timelines.replace(DUDU, 1, (), [segment(0, 4), segment(4, FOREVER, 2)])
            keep(unit, memory(3, "", nothing=True))
            unit.timelines.replace(DUDU, 3, (), [segment(0, FOREVER, 3)])
        with store.reading() as unit:
            assert unit.timelines.holding(DUDU, [1, 2, 3], 5, 5) == {}
