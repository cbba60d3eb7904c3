"""The contract for vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from karte.core.memories import Wording
from karte.ports import Identity, Store, VectorSet, Writing
from karte.testing.conformance.making import DUDU, STRANGER, WORKSPACE, YUKI, found, keep, memory

_SPELLING: Final = Identity("spelling", "1", 2)
_MEANING: Final = Identity("意味", "1", 2)
_ONE, _TWO, _THREE = (1, b"\x00\x3c\x00\x00"), (2, b"\x00\x00\x00\x3c"), (3, b"\x00\xbc\x00\x00")


def _filled(store: Store) -> int:
    """A set of three vectors of DUDU, filled in up to the memory 4; gives its number."""
    with found(store).writing() as unit:
        number = unit.vectors.open_set(_SPELLING)
        keep(unit, *(memory(kept) for kept in (1, 2, 3, 4)))
        unit.vectors.add(DUDU, number, [_ONE, _TWO, _THREE], 4)
        return number


def _since(unit: Writing, number: int, after: int = 0) -> Sequence[tuple[int, bytes]]:
    return [(kept, vector) for kept, vector in unit.vectors.since(DUDU, number, after)]


class VectorsConformance:
    """Vectors belong to a set and a namespace; a set is filled in ever further, and whoever read it learns of losses."""

    def test_a_new_store_has_no_sets_of_vectors(self, store: Store) -> None:
        with store.reading() as unit:
            assert (unit.vectors.sets(), unit.vectors.generation(WORKSPACE)) == ([], 0)

    def test_a_set_is_found_by_the_whole_identity_of_its_embedder(self, store: Store) -> None:
        others = [Identity("spelling", "2", 2), Identity("spelling", "1", 3), _MEANING]
        with store.writing() as unit:
            numbers = [unit.vectors.open_set(identity) for identity in (_SPELLING, *others, _SPELLING)]
        assert (len(set(numbers)), numbers[0]) == (4, numbers[4])
        with store.reading() as unit:
            sets = zip(numbers, (_SPELLING, *others), strict=False)
            assert unit.vectors.sets() == [VectorSet(number, identity, active=False) for number, identity in sets]

    def test_one_set_serves_at_a_time(self, store: Store) -> None:
        with store.writing() as unit:
            one, other = unit.vectors.open_set(_SPELLING), unit.vectors.open_set(_MEANING)
            unit.vectors.activate(one)
            unit.vectors.activate(other)
        with store.reading() as unit:
            assert [(known.number, known.active) for known in unit.vectors.sets()] == [(one, False), (other, True)]

    def test_vectors_are_read_in_the_order_of_their_memories(self, store: Store) -> None:
        number = _filled(store)
        with store.reading() as unit:
            assert list(unit.vectors.since(DUDU, number, 0)) == [_ONE, _TWO, _THREE]
            assert list(unit.vectors.since(DUDU, number, 1)) == [_TWO, _THREE]
            assert list(unit.vectors.since(DUDU, number, 3)) == []
            assert unit.vectors.of(DUDU, number, [3, 1, 9]) == dict([_THREE, _ONE])
            assert unit.vectors.of(DUDU, number, []) == {}

    def test_vectors_of_another_namespace_or_set_are_not_seen(self, store: Store) -> None:
        number = _filled(store)
        with store.writing() as unit:
            other = unit.vectors.open_set(_MEANING)
            unit.vectors.add(YUKI, number, [_TWO], 2)
            unit.vectors.add(DUDU, other, [_THREE], 3)
        with store.reading() as unit:
            vectors = unit.vectors
            asked = [
                (DUDU, number),
                (YUKI, number),
                (DUDU, other),
                (YUKI, other),
                (WORKSPACE, number),
                (STRANGER, number),
            ]
            seen = [[kept for kept, _ in vectors.since(*who, 0)] for who in asked]
            assert seen == [[1, 2, 3], [2], [3], [], [], []]
            assert [sorted(vectors.of(*who, [1, 2, 3])) for who in asked] == seen
            assert [vectors.reached(*who) for who in asked] == [4, 2, 3, 0, 0, 0]

    def test_what_is_added_later_follows(self, store: Store) -> None:
        with found(store).writing() as unit:
            number = unit.vectors.open_set(_SPELLING)
            unit.vectors.add(DUDU, number, [_ONE], 1)
        with store.writing() as unit:
            unit.vectors.add(DUDU, number, [_TWO], 2)
            unit.vectors.add(DUDU, number, [], 7)
            assert (_since(unit, number, 1), unit.vectors.reached(DUDU, number)) == ([_TWO], 7)

    def test_a_vector_never_changes_and_a_set_is_never_filled_in_less(self, store: Store) -> None:
        number = _filled(store)
        with store.writing() as unit:
            unit.vectors.add(DUDU, number, [(1, b"\x00\xbc\x00\x00")], 1)
            assert (_since(unit, number)[0], unit.vectors.reached(DUDU, number)) == (_ONE, 4)
            assert unit.vectors.generation(DUDU) == 0

    def test_an_erased_memory_loses_its_vectors_in_every_set_and_readers_learn_of_it(self, store: Store) -> None:
        number = _filled(store)
        with store.writing() as unit:
            other = unit.vectors.open_set(_MEANING)
            unit.vectors.add(DUDU, other, [_ONE, _TWO], 2)
            unit.vectors.add(YUKI, number, [_ONE], 1)
            unit.memories.erase(DUDU, [1])
        with store.reading() as unit:
            left = [list(unit.vectors.since(*who, 0)) for who in ((DUDU, number), (DUDU, other), (YUKI, number))]
            assert left == [[_TWO, _THREE], [_TWO], [_ONE]]
            assert (unit.vectors.generation(DUDU) > 0, unit.vectors.generation(YUKI)) == (True, 0)
            assert unit.vectors.reached(DUDU, number) == 4

    def test_a_reworded_memory_waits_for_new_vectors_in_every_set_that_was_filled_in_beyond_it(
        self, store: Store
    ) -> None:
        number = _filled(store)
        with store.writing() as unit:
            other, beginning = unit.vectors.open_set(_MEANING), unit.vectors.open_set(Identity("new", "1", 2))
            unit.vectors.add(DUDU, other, [_ONE], 2)
            unit.vectors.add(DUDU, beginning, [_ONE], 1)
            unit.vectors.add(YUKI, number, [_TWO], 2)
        with store.writing() as unit:
            unit.memories.reword(DUDU, 2, Wording("other words"))
        with store.reading() as unit:
            vectors = unit.vectors
            assert [vectors.missing(DUDU, each) for each in (number, other, beginning)] == [[2], [2], []]
            assert list(vectors.since(DUDU, number, 0)) == [_ONE, _THREE]
            assert [vectors.reached(DUDU, each) for each in (number, other, beginning)] == [4, 2, 1]
            assert (vectors.generation(DUDU) > 0, vectors.generation(YUKI)) == (True, 0)
            assert (vectors.missing(YUKI, number), list(vectors.since(YUKI, number, 0))) == ([], [_TWO])

    def test_which_memories_wait_for_new_vectors_is_said_anew(self, store: Store) -> None:
        number = _filled(store)
        seen = []
        with store.writing() as unit:
            for waiting in ([3, 1], [2], []):
                unit.vectors.set_missing(DUDU, number, waiting)
                seen.append(unit.vectors.missing(DUDU, number))
        assert seen == [[1, 3], [2], []]

    def test_what_is_erased_or_dropped_waits_for_no_vector(self, store: Store) -> None:
        number = _filled(store)
        with store.writing() as unit:
            other = unit.vectors.open_set(_MEANING)
            for each in (number, other):
                unit.vectors.set_missing(DUDU, each, [1, 2])
            unit.memories.erase(DUDU, [1])
            assert [unit.vectors.missing(DUDU, each) for each in (number, other)] == [[2], [2]]
            unit.vectors.drop(number)
            assert [unit.vectors.missing(DUDU, each) for each in (number, other)] == [[], [2]]

    def test_readers_learn_of_a_vector_that_comes_below_the_highest(self, store: Store) -> None:
        number = _filled(store)
        with store.writing() as unit:
            unit.memories.reword(DUDU, 2, Wording("other words"))
            before = unit.vectors.generation(DUDU)
            unit.vectors.add(DUDU, number, [_ONE, (4, _ONE[1])], 4)
            unchanged = unit.vectors.generation(DUDU)
            unit.vectors.add(DUDU, number, [_TWO], 0)
            assert (before == unchanged, unit.vectors.generation(DUDU) > before) == (True, True)
            assert (_since(unit, number)[1], unit.vectors.reached(DUDU, number)) == (_TWO, 4)

    def test_each_loss_is_told_anew_and_what_had_no_vector_is_no_loss(self, store: Store) -> None:
        _filled(store)
        seen = []
        for erased in (1, 4, 2):
            with store.writing() as unit:
                unit.memories.erase(DUDU, [erased])
                seen.append(unit.vectors.generation(DUDU))
        assert seen[0] == seen[1] < seen[2]

    def test_a_dropped_set_leaves_nothing_and_its_readers_learn_of_it(self, store: Store) -> None:
        number = _filled(store)
        with store.writing() as unit:
            other = unit.vectors.open_set(_MEANING)
            unit.vectors.add(YUKI, other, [_ONE], 1)
            unit.vectors.activate(other)
            unit.vectors.drop(number)
        with store.writing() as unit:
            assert [known.number for known in unit.vectors.sets()] == [other]
            assert (unit.vectors.generation(DUDU) > 0, unit.vectors.generation(YUKI)) == (True, 0)
            assert list(unit.vectors.since(YUKI, other, 0)) == [_ONE]
            again = unit.vectors.open_set(_SPELLING)
            assert (_since(unit, again), unit.vectors.reached(DUDU, again)) == ([], 0)
