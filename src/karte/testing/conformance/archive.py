"""The contract for the archive and for leases."""

from __future__ import annotations

from karte.core.periods import FOREVER
from karte.ports import Lease, Store
from karte.testing.conformance.making import DUDU, YUKI, found, keep, memory


class ArchiveConformance:
    """The archive marks memories of one namespace and changes nothing else of them; a lease is kept by its name."""

    def test_an_archived_memory_is_marked_with_the_instant(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.archive.add(DUDU, [2], 50)
        with store.reading() as unit:
            assert unit.archive.of(DUDU, [1, 2, 3]) == {2: 50}
            assert unit.archive.of(YUKI, [2]) == unit.archive.of(DUDU, []) == {}

    def test_a_mark_is_seen_by_the_unit_of_work_that_sets_it(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1))
            assert unit.archive.of(DUDU, [1]) == {}
            unit.archive.add(DUDU, [1], 50)
            assert unit.archive.of(DUDU, [1]) == {1: 50}

    def test_what_is_archived_again_keeps_its_instant(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1))
            unit.archive.add(DUDU, [1], 50)
            unit.archive.add(DUDU, [1], 60)
        with store.reading() as unit:
            assert unit.archive.of(DUDU, [1]) == {1: 50}

    def test_what_is_not_there_is_not_archived(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.archive.add(DUDU, [1], 50)
            assert unit.archive.of(DUDU, [1]) == {}

    def test_a_mark_is_taken_away_and_nothing_else(self, store: Store) -> None:
        one = memory(1)
        with found(store).writing() as unit:
            keep(unit, one, memory(2))
            unit.archive.add(DUDU, [1, 2], 50)
            unit.archive.remove(DUDU, [1, 3])
        with store.reading() as unit:
            assert unit.archive.of(DUDU, [1, 2]) == {2: 50}
            assert unit.memories.get(DUDU, [1])[1].memory == one

    def test_what_was_archived_by_an_instant_comes_in_pages_newest_first(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, *(memory(number) for number in (1, 2, 3, 4)))
            for number, at in ((1, 30), (2, 10), (3, 20), (4, 40)):
                unit.archive.add(DUDU, [number], at)
        with store.reading() as unit:
            entered = unit.archive.entered
            assert entered(DUDU, 30, FOREVER, 2) == [(3, 20), (2, 10)]
            assert entered(DUDU, 30, 2, 2) == [(1, 30)]
            assert entered(DUDU, FOREVER, FOREVER, 9) == [(4, 40), (3, 20), (2, 10), (1, 30)]
            assert entered(DUDU, 9, FOREVER, 9) == entered(YUKI, FOREVER, FOREVER, 9) == []

    def test_an_erased_memory_leaves_no_mark_for_another_of_its_number(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.archive.add(DUDU, [1, 2], 50)
            unit.memories.erase(DUDU, [1])
        with store.writing() as unit:
            keep(unit, memory(1, "ein anderes"))
            assert unit.archive.of(DUDU, [1, 2]) == {2: 50}

    def test_a_lease_is_kept_by_its_name_until_it_is_removed(self, store: Store) -> None:
        with store.writing() as unit:
            unit.leases.keep("維持", Lease("run_1", 50))
            unit.leases.keep("maintain", Lease("run_1", 50))
            unit.leases.keep("maintain", Lease("run_2", 2**62))
        with store.writing() as unit:
            assert unit.leases.find("maintain") == Lease("run_2", 2**62)
            unit.leases.remove("maintain")
            unit.leases.remove("nothing")
        with store.reading() as unit:
            assert (unit.leases.find("maintain"), unit.leases.find("維持")) == (None, Lease("run_1", 50))
