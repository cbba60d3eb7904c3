"""The contract for agents, receipts, likenesses and counters."""

from __future__ import annotations

from karte.ports import Agent, KeptReceipt, Likeness, Store, Usage
from karte.testing.conformance.making import DUDU, YUKI, found, keep, memory


class NotesConformance:
    """Agents are known by name; receipts, likenesses and counters belong to one namespace."""

    def test_agents_are_known_by_name_in_order(self, store: Store) -> None:
        with found(store).reading() as unit:
            assert unit.agents.find("dudu") == Agent("dudu", "engineer", 1)
            assert unit.agents.find("nobody") is unit.agents.find("") is None
            assert unit.agents.all() == [Agent("dudu", "engineer", 1), Agent("ゆき", None, 2)]

    def test_a_new_store_has_no_agents(self, store: Store) -> None:
        with store.reading() as unit:
            assert unit.agents.all() == []

    def test_an_agent_gets_another_role_and_keeps_its_memories(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1))
            unit.agents.add(Agent("dudu", "reviewer", 1))
        with store.reading() as unit:
            assert unit.agents.find("dudu") == Agent("dudu", "reviewer", 1)
            assert unit.memories.count(DUDU) == 1

    def test_a_receipt_is_found_under_its_key(self, store: Store) -> None:
        kept = KeptReceipt(b"\x00digest", '{"status": "stored", "text": "家"}')
        with found(store).writing() as unit:
            keep(unit, memory(1))
            unit.receipts.keep(DUDU, "鍵", kept, 1)
        with store.reading() as unit:
            found_there = [
                unit.receipts.find(DUDU, "鍵"),
                unit.receipts.find(DUDU, "key"),
                unit.receipts.find(YUKI, "鍵"),
            ]
            assert found_there == [kept, None, None]

    def test_a_receipt_takes_the_place_of_the_one_under_its_key(self, store: Store) -> None:
        kept, later = KeptReceipt(b"\x00request", "{}", b"a"), KeptReceipt(b"\x00again", '{"later": 1}', b"b")
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.receipts.keep(DUDU, "k", kept, 1)
            unit.receipts.keep(DUDU, "k", later, 2)
        with store.reading() as unit:
            assert unit.receipts.find(DUDU, "k") == later
            assert unit.receipts.of(DUDU, [1, 2]) == [(2, "k", later)]

    def test_receipts_are_listed_by_memory_and_key(self, store: Store) -> None:
        first, second = KeptReceipt(b"\x00", "{}"), KeptReceipt(b"\xff", '{"家": 1}')
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2), memory(3))
            for key, kept, number in (("z", first, 2), ("鍵", second, 1), ("a", first, 1), ("b", first, 3)):
                unit.receipts.keep(DUDU, key, kept, number)
        with store.reading() as unit:
            listed = unit.receipts.of(DUDU, range(1, 3))
            assert sorted(listed, key=lambda row: row[:2]) == [(1, "a", first), (1, "鍵", second), (2, "z", first)]
            assert unit.receipts.of(DUDU, []) == unit.receipts.of(YUKI, [1]) == []

    def test_memories_that_share_a_band_are_alike(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.likenesses.fingerprint(DUDU, 2, [10, 20])
            unit.likenesses.fingerprint(DUDU, 1, [20, 2**62])
            unit.likenesses.fingerprint(YUKI, 3, [20])
        with store.reading() as unit:
            asked = [[10], [20, 10], [2**62], [30], []]
            assert [unit.likenesses.alike(DUDU, bands, 9) for bands in asked] == [[2], [1, 2], [1], [], []]

    def test_a_band_is_taken_where_any_memory_of_the_namespace_has_it(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.likenesses.fingerprint(DUDU, 2, [10, 20])
            unit.likenesses.fingerprint(DUDU, 1, [20, 2**62])
            unit.likenesses.fingerprint(YUKI, 3, [30])
            assert unit.likenesses.taken(DUDU, {10, 20, 30, 2**62}) == {10, 20, 2**62}
            unit.likenesses.forget(DUDU, 2, [10, 20])
            assert unit.likenesses.taken(DUDU, [10, 20, 30]) == {20}
            assert unit.likenesses.taken(DUDU, []) == set()

    def test_forgotten_bands_find_nothing(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.likenesses.fingerprint(DUDU, 1, [10, 20])
            unit.likenesses.fingerprint(DUDU, 2, [10])
            unit.likenesses.forget(DUDU, 1, [10, 20, 30])
        with store.reading() as unit:
            assert [unit.likenesses.alike(DUDU, [band], 9) for band in (10, 20)] == [[2], []]

    def test_a_likeness_is_found_from_either_side(self, store: Store) -> None:
        like = Likeness(2, 1, "value")
        with found(store).writing() as unit:
            unit.likenesses.link(DUDU, like)
        with store.reading() as unit:
            of = unit.likenesses.of
            assert of(DUDU, [1]) == of(DUDU, [2]) == of(DUDU, [1, 2]) == [like]
            assert of(DUDU, [3]) == of(YUKI, [1]) == of(DUDU, []) == []

    def test_recalls_are_counted_with_the_latest_time(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.usages.count(DUDU, [1, 2], 50)
        with store.writing() as unit:
            unit.usages.count(DUDU, [1], 40)
        with store.reading() as unit:
            assert unit.usages.of(DUDU, [1, 2, 3]) == {1: Usage(2, 50), 2: Usage(1, 50)}
            assert unit.usages.of(YUKI, [1]) == unit.usages.of(DUDU, []) == {}

    def test_counters_are_set_to_what_is_given(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.usages.count(DUDU, [1], 90)
            unit.usages.put(DUDU, {1: Usage(7, 50), 2: Usage(1, 2**60)})
            unit.usages.put(DUDU, {})
        with store.writing() as unit:
            assert unit.usages.of(DUDU, [1, 2]) == {1: Usage(7, 50), 2: Usage(1, 2**60)}
            unit.usages.count(DUDU, [1], 60)
            assert unit.usages.of(DUDU, [1]) == {1: Usage(8, 60)}

    def test_what_is_not_there_is_not_counted(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.usages.count(DUDU, [1], 50)
        with store.reading() as unit:
            assert unit.usages.of(DUDU, [1]) == {}
