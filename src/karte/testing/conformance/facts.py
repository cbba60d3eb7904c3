"""The contract for memories in bulk."""

from __future__ import annotations

from dataclasses import replace

from karte.core.bulk import Fact, Held
from karte.core.memories import Triple
from karte.core.periods import FOREVER
from karte.core.timeline import Segment
from karte.ports import Head, Kept, Store
from karte.testing.conformance.making import DUDU, STRANGER, YUKI, assertion, city, found, keep, memory


class FactsConformance:
    """Triples, texts, spells and derivations of a whole namespace or of some memories, and what tells of changes."""

    def test_triples_come_by_number_as_written_and_in_normal_form(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(3, "ADA"), memory(2), city(1, "Mei", value=None))
        expected = [
            Fact(1, Triple("Mei", "lives in"), Triple("mei", "lives in")),
            Fact(3, Triple("ADA", "lives in", "Paris"), Triple("ada", "lives in", "paris")),
        ]
        with store.reading() as unit:
            assert list(unit.facts.triples(DUDU)) == list(unit.facts.triples(DUDU, [3, 2, 1, 9])) == expected
            empty = (unit.facts.triples(DUDU, [2]), unit.facts.triples(YUKI), unit.facts.triples(STRANGER))
            assert [list(facts) for facts in empty] == [[], [], []]

    def test_texts_are_those_of_memories_without_a_triple(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(4, "晴れ"), city(3), memory(1, "비가 온다"))
        with store.reading() as unit:
            assert list(unit.facts.texts(DUDU)) == [(1, "비가 온다"), (4, "晴れ")]
            assert list(unit.facts.texts(DUDU, [4, 3])) == [(4, "晴れ")]
            assert list(unit.facts.texts(YUKI)) == []

    def test_statements_of_nothing_are_neither_triples_nor_texts(self, store: Store) -> None:
        nothing = [replace(one, nothing=True, content="") for one in (city(1), memory(2))]
        with found(store).writing() as unit:
            keep(unit, *nothing)
            for one in nothing:
                unit.timelines.replace(DUDU, one.number, (), [_held(1, 9, one.number)])
        with store.reading() as unit:
            assert (list(unit.facts.triples(DUDU)), list(unit.facts.texts(DUDU))) == ([], [])
            assert unit.facts.spells(DUDU, [1, 2]) == []

    def test_a_memory_is_in_force_when_its_statement_holds_its_chain(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(1))
            unit.memories.add(DUDU, Kept(city(2, value="東京"), 1, 2), Head(2, None))
            unit.memories.add(DUDU, Kept(city(3, value="Paris!"), 1, 1), Head(3, None))
            unit.timelines.replace(DUDU, 1, (), [_held(0, 5, 1), _held(5, 9, 2), _held(9, FOREVER, 1, 20)])
            unit.timelines.replace(DUDU, 1, (), [_held(0, 9, 2)], free=True)
        ones = [(0, 5, None, 8_000), (9, FOREVER, 20, 8_000)]
        with store.reading() as unit:
            assert unit.facts.spells(DUDU, [3, 2, 1]) == [
                *(Held(1, *one) for one in ones),
                Held(2, 5, 9, None, 8_000),
                *(Held(3, *one) for one in ones),
            ]
            assert unit.facts.spells(YUKI, [1]) == []

    def test_parents_are_those_that_are_there_once_each(self, store: Store) -> None:
        one, two, three = memory(1), memory(2), memory(3)
        with found(store).writing() as unit:
            keep(unit, one, two, three)
            for observed_at, parents in ((1, (one.key, two.key)), (2, (two.key, b"gone" * 4))):
                unit.records.add_assertion(DUDU, 3, assertion(three, observed_at=observed_at, parents=parents))
        with store.reading() as unit:
            assert unit.facts.parents(DUDU, [1, 2, 3]) == [(3, 1), (3, 2)]
            assert unit.facts.parents(DUDU, [1]) == unit.facts.parents(YUKI, [3]) == []

    def test_all_members_of_a_chain_changed_when_it_did(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(1), memory(2), memory(7))
            unit.memories.add(DUDU, Kept(city(3, value="東京"), 1, 3), Head(3, None))
            unit.timelines.set_head(DUDU, 1, Head(20, 1))
        with store.reading() as unit:
            changed = unit.facts.changed
            assert [changed(DUDU, since) for since in (0, 2, 7, 20)] == [[1, 2, 3, 7], [1, 3, 7], [1, 3], []]
            assert changed(YUKI, 0) == changed(STRANGER, 0) == []

    def test_erasing_is_counted_in_its_namespace(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            before = unit.facts.erasures(DUDU)
            unit.memories.erase(DUDU, [1])
        with store.reading() as unit:
            assert unit.facts.erasures(DUDU) > before
            assert unit.facts.erasures(YUKI) == unit.facts.erasures(STRANGER) == 0


def _held(start: int, end: int, statement: int, expires_at: int | None = None) -> Segment:
    return Segment(start, end, (1, start, 3, 8_000, 0, 7), statement, expires_at)
