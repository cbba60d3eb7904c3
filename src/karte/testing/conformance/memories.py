"""The contract for memories."""

from __future__ import annotations

from dataclasses import replace

import pytest

from karte.core.assertions import LinkKind
from karte.core.memories import LONGEST_CONTENT, Layer, Place, Triple, Wording
from karte.errors import UnknownAgent
from karte.ports import Asked, Head, Kept, KeptReceipt, Likeness, Store
from karte.testing.conformance.making import (
    DUDU,
    STRANGER,
    TEXTS,
    WORKSPACE,
    YUKI,
    assertion,
    city,
    found,
    keep,
    link,
    memory,
    withdrawal,
)


class MemoriesConformance:
    """Memories are kept as they are, found by number, key, id and names, and erased with all that names them."""

    def test_subjects_are_told_in_normal_form_of_those_that_have_one(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(1, "Ada"), memory(2))
        with store.reading() as unit:
            assert unit.memories.subjects(DUDU, [1, 2, 3]) == {1: "ada"}
            assert unit.memories.subjects(YUKI, [1]) == unit.memories.subjects(DUDU, []) == {}

    def test_reserved_numbers_follow_each_other_from_1_and_are_never_given_twice(self, store: Store) -> None:
        found(store)
        with store.writing() as unit:
            given = [unit.memories.reserve(DUDU, 3), unit.memories.reserve(DUDU, 1)]
        with store.writing() as unit:
            given.append(unit.memories.reserve(DUDU, 1))
        assert given == [1, 4, 5]

    def test_each_namespace_counts_for_itself(self, store: Store) -> None:
        found(store)
        with store.writing() as unit:
            given = [unit.memories.reserve(namespace, 2) for namespace in (DUDU, YUKI, WORKSPACE)]
        assert given == [1, 1, 1]

    def test_a_namespace_without_an_agent_cannot_be_written(self, store: Store) -> None:
        with pytest.raises(UnknownAgent), store.writing() as unit:
            unit.memories.reserve(STRANGER, 1)

    def test_a_namespace_without_an_agent_is_empty(self, store: Store) -> None:
        with store.reading() as unit:
            assert unit.memories.get(STRANGER, [1]) == {}
            assert unit.memories.count(STRANGER) == 0

    def test_a_memory_is_given_back_as_it_was_kept(self, store: Store) -> None:
        memories = [memory(number, text) for number, text in enumerate(TEXTS, 1)]
        memories += [
            memory(7, "x", layer=Layer.EPISODIC, told_in="chat"),
            memory(8, "x", place=Place("Architecture", "karte")),
            memory(9, "Über", Triple("Ｕser", "LIVES  in", "東京")),
            memory(10, "y", Triple("User", "lives in")),
            memory(11, "", nothing=True, ends=b"\x00\xff"),
            memory(12, "字" * (LONGEST_CONTENT // 3)),
        ]
        with found(store).writing() as unit:
            keep(unit, *memories)
        with store.reading() as unit:
            kept = unit.memories.get(DUDU, range(1, 13))
        assert kept == {m.number: Kept(m, m.number, m.number) for m in memories}

    def test_it_is_found_by_number_key_and_id_and_missing_ones_are_left_out(self, store: Store) -> None:
        one, other = memory(1), memory(2)
        with found(store).writing() as unit:
            keep(unit, one, other)
        with store.reading() as unit:
            assert unit.memories.get(DUDU, [2, 99]) == {2: Kept(other, 2, 2)}
            assert unit.memories.by_key(DUDU, [one.key, b"nobody's"]) == {one.key: Kept(one, 1, 1)}
            assert unit.memories.by_key(DUDU, [one.key]) == {one.key: Kept(one, 1, 1)}
            assert unit.memories.by_id(DUDU, [one.id, other.id, "mem_x"]).keys() == {one.id, other.id}
            assert (unit.memories.by_key(DUDU, []), unit.memories.by_id(DUDU, [])) == ({}, {})

    def test_what_another_namespace_keeps_is_missing(self, store: Store) -> None:
        one = city(1)
        with found(store).writing() as unit:
            keep(unit, one)
        with store.reading() as unit:
            memories = unit.memories
            assert (memories.get(YUKI, [1]), memories.by_key(YUKI, [one.key])) == ({}, {})
            assert memories.by_id(YUKI, [one.id]) == {}
            assert memories.answering(YUKI, Asked(["ada"])) == memories.with_predicate(YUKI, "lives in") == []
            assert (
                memories.with_object(YUKI, ["paris"]) == memories.in_chain(YUKI, 1) == memories.recent(YUKI, 9, 9) == []
            )
            assert memories.chain_answering(YUKI, Asked(["ada"], "lives in", "")) is None
            assert (memories.count(YUKI), memories.count(DUDU)) == (0, 1)

    def test_the_same_statement_of_two_owners_is_two_memories(self, store: Store) -> None:
        one = memory(1)
        with found(store).writing() as unit:
            keep(unit, one)
            keep(unit, one, namespace=YUKI)
        with store.reading() as unit:
            assert [unit.memories.count(namespace) for namespace in (DUDU, YUKI, WORKSPACE)] == [1, 1, 0]

    def test_a_question_is_answered_by_its_names_in_normal_form(self, store: Store) -> None:
        memories = [
            city(1),
            city(2, "Countess"),
            city(3, predicate="works in"),
            city(4, value="London"),
            city(5, value=None),
            memory(6, "z", Triple("Ada", "lives in", "Rome"), place=Place("work")),
            memory(7, "no triple"),
        ]
        with found(store).writing() as unit:
            keep(unit, *memories)
        asked = {
            Asked(("ada",)): [1, 3, 4, 5, 6],
            Asked(("ada", "countess")): [1, 2, 3, 4, 5, 6],
            Asked(("ada",), "lives in"): [1, 4, 5, 6],
            Asked(("ada",), "lives in", ""): [1, 4, 5],
            Asked(("ada",), None, "work"): [6],
            Asked(("ada",), "lives in", "", ("paris", "rome")): [1],
            Asked(("ada",), "lives in", "", ("", "london")): [4, 5],
            Asked(("ADA",)): [],
            Asked(()): [],
        }
        with store.reading() as unit:
            assert {question: sorted(unit.memories.answering(DUDU, question)) for question in asked} == asked

    def test_several_questions_are_answered_at_once_and_each_memory_once(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(1), city(2, "Countess"), city(3, predicate="works in"), city(4, value="London"), memory(5))
        one, other = Asked(["ada"], "lives in", ""), Asked(["countess", "nobody"], "lives in", "")
        with store.reading() as unit:
            assert sorted(unit.memories.answering(DUDU, one, other, one)) == [1, 2, 4]
            assert sorted(unit.memories.answering(DUDU, one, other, Asked(["ada"], "works in"))) == [1, 2, 3, 4]
            assert unit.memories.answering(YUKI, one, other) == unit.memories.answering(DUDU) == []

    def test_memories_are_found_by_predicate_and_by_object(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(1), city(2, predicate="works in"), city(3, value="London"), city(4, value=None))
        with store.reading() as unit:
            assert sorted(unit.memories.with_predicate(DUDU, "lives in")) == [1, 3, 4]
            assert sorted(unit.memories.with_object(DUDU, ["paris", "oslo"])) == [1, 2]

    def test_the_chain_of_a_question_is_that_of_any_memory_that_answers_it(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, city(1), city(2, value="London"), chain=1)
            keep(unit, city(3, predicate="likes", value="tea"), city(4, predicate="likes", value=None))
        with store.reading() as unit:
            assert unit.memories.chain_answering(DUDU, Asked(["ada"], "lives in", "")) == 1
            assert unit.memories.chain_answering(DUDU, Asked(["ada"], "lives in", "work")) is None
            assert unit.memories.chain_answering(DUDU, Asked(["ada"], "likes", "", ["tea"])) == 3
            assert unit.memories.chain_answering(DUDU, Asked(["ada"], "likes", "", [""])) == 4
            assert unit.memories.chain_answering(DUDU, Asked(["ada"], "likes", "", ["coffee"])) is None

    def test_a_chain_has_its_head_and_the_others_as_members(self, store: Store) -> None:
        one, other = memory(1, "same"), memory(2, "other")
        with found(store).writing() as unit:
            keep(unit, one, other, chain=1)
            keep(unit, memory(3))
        with store.reading() as unit:
            assert sorted(unit.memories.in_chain(DUDU, 1)) == [1, 2]
            assert unit.memories.in_chain(DUDU, 1, one.content_key) == [1]
            assert unit.memories.in_chain(DUDU, 1, other.content_key) == [2]
            assert unit.memories.in_chain(DUDU, 2) == []

    def test_a_memory_is_placed_in_another_chain_and_statement(self, store: Store) -> None:
        one, other = memory(1), memory(2)
        with found(store).writing() as unit:
            keep(unit, one, other)
            unit.memories.place(DUDU, 2, 1, 1)
        with store.reading() as unit:
            assert unit.memories.get(DUDU, [1, 2]) == {1: Kept(one, 1, 1), 2: Kept(other, 1, 1)}
            assert sorted(unit.memories.in_chain(DUDU, 1)) == [1, 2]

    def test_the_recent_ones_are_the_highest_numbers_below_a_bound_descending(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, *(memory(number) for number in (1, 2, 4, 7)))
        with store.reading() as unit:
            assert unit.memories.recent(DUDU, 7, 2) == [4, 2]
            assert unit.memories.recent(DUDU, 100, 100) == [7, 4, 2, 1]
            assert unit.memories.recent(DUDU, 1, 5) == []

    def test_statements_of_nothing_are_not_counted(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2, "", Triple("Ada", "lives in"), nothing=True))
        with store.reading() as unit:
            assert unit.memories.count(DUDU) == 1

    def test_a_reworded_memory_shows_other_words_and_is_found_as_before(self, store: Store) -> None:
        one, free = city(1), memory(2, "部署到東京")
        words = Wording("ADA  lives in PARIS", Triple("ADA", "Lives in", "PARIS"), Place("家", "Karte"))
        with found(store).writing() as unit:
            keep(unit, one, free)
            unit.memories.reword(DUDU, 1, words)
            unit.memories.reword(DUDU, 2, Wording("部署到東京。"))
        shown = replace(one, content=words.content, triple=words.triple, place=words.place)
        with store.reading() as unit:
            assert unit.memories.get(DUDU, [1]) == {1: Kept(shown, 1, 1)}
            assert unit.memories.by_key(DUDU, [one.key]) == {one.key: Kept(shown, 1, 1)}
            assert unit.memories.answering(DUDU, Asked(["ada"], "lives in", None, ["paris"])) == [1]
            assert unit.memories.get(DUDU, [2])[2].memory == replace(free, content="部署到東京。")

    def test_erasing_takes_all_that_names_a_memory_along_and_nothing_else(self, store: Store) -> None:
        gone, stays = city(1), city(2, value="London")
        said, also = (assertion(one, rests_on=(b"r" * 16,)) for one in (gone, stays))
        joined = link(LinkKind.SUPERSEDES, stays, gone)
        with found(store).writing() as unit:
            keep(unit, gone, stays)
            for number, one in ((1, said), (2, also)):
                unit.records.add_assertion(DUDU, number, one)
                unit.records.add_withdrawal(DUDU, withdrawal(one))
            unit.records.add_link(DUDU, joined)
            unit.records.add_withdrawal(DUDU, withdrawal(joined))
            unit.receipts.keep(DUDU, "k1", KeptReceipt(b"r", "{}"), 1)
            unit.receipts.keep(DUDU, "k2", KeptReceipt(b"r", "{}"), 2)
            unit.likenesses.link(DUDU, Likeness(2, 1, ""))
            unit.usages.count(DUDU, [1, 2], 9)
        with store.writing() as unit:
            unit.memories.erase(DUDU, [1, 99])
        with store.reading() as unit:
            assert unit.memories.get(DUDU, [1, 2]).keys() == {2}
            assert unit.records.assertions(DUDU, [1, 2]) == [also]
            assert unit.records.resting_on(DUDU, [b"r" * 16]) == [2]
            assert unit.records.memory_links(DUDU, [gone.key, stays.key]) == []
            targets = [said.identity, also.identity, joined.identity]
            assert unit.records.withdrawals(DUDU, targets) == [withdrawal(also)]
            assert [unit.receipts.find(DUDU, key) for key in ("k1", "k2")] == [None, KeptReceipt(b"r", "{}")]
            assert unit.likenesses.of(DUDU, [1, 2]) == []
            assert unit.usages.of(DUDU, [1, 2]).keys() == {2}
            assert unit.timelines.heads(DUDU, [1, 2]) == {2: Head(2, 1)}

    def test_erasing_in_one_namespace_leaves_the_others(self, store: Store) -> None:
        one = memory(1)
        with found(store).writing() as unit:
            for namespace in (DUDU, YUKI):
                keep(unit, one, namespace=namespace)
                unit.records.add_assertion(namespace, 1, assertion(one))
        with store.writing() as unit:
            unit.memories.erase(DUDU, [1])
        with store.reading() as unit:
            assert (unit.memories.count(DUDU), unit.memories.count(YUKI)) == (0, 1)
            assert unit.records.assertions(YUKI, [1]) == [assertion(one)]
