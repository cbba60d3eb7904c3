"""The contract for assertions, links and withdrawals."""

from __future__ import annotations

from dataclasses import replace

from karte.core.assertions import Details, LinkKind, MemoryType, Veracity
from karte.core.memories import Place, Triple, Wording
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.ports import KeptReceipt, Source, Store
from karte.testing.conformance.making import (
    CHAT,
    DUDU,
    YUKI,
    assertion,
    city,
    found,
    keep,
    link,
    memory,
    withdrawal,
)

_EVERYTHING = Details(
    veracity=Veracity.TOOL,
    memory_type=MemoryType.PREFERENCE,
    importance=7.25,
    confidence=0.1 + 0.2,
    topic="旅行",
    tags=("家", "집", "home"),
    metadata='{"渠道":["x",1.5,null]}',
    source_event="call",
    expires_at=FOREVER - 1,
    session="s1",
    speaker="小雨",
)


class RecordsConformance:
    """Records are kept as they are, found by what they name, and never changed by a second one of the same."""

    def test_an_assertion_is_given_back_as_it_was_kept(self, store: Store) -> None:
        one = city(1)
        said = [
            assertion(one),
            assertion(one, details=_EVERYTHING, observed_at=-5, valid_from=-(2**40), valid_until=2**62, trust=0),
            assertion(one, wording=Wording("ADA lives\nin “Paris”", Triple("ADA", "lives in", "Paris"))),
            assertion(one, wording=Wording("no triple"), parents=(b"\x00" * 16, b"\xff" * 16)),
            assertion(one, origin=Origin("channel", "line:小雨:7")),
            assertion(one, rests_on=(b"\x00" * 16, b"\xfe" * 16), parents=(b"\x01" * 16,)),
        ]
        with found(store).writing() as unit:
            keep(unit, one)
            for each in said:
                unit.records.add_assertion(DUDU, 1, each)
        with store.reading() as unit:
            kept = unit.records.assertions(DUDU, [1])
        assert sorted(kept, key=lambda a: a.identity) == sorted(said, key=lambda a: a.identity)

    def test_the_assertions_are_those_of_the_memories_asked_for_and_known_by_identity(self, store: Store) -> None:
        one, other = memory(1), memory(2)
        with found(store).writing() as unit:
            keep(unit, one, other)
            unit.records.add_assertion(DUDU, 1, assertion(one))
            unit.records.add_assertion(DUDU, 2, assertion(other))
        with store.reading() as unit:
            records = unit.records
            assert records.assertions(DUDU, [2, 99]) == [assertion(other)]
            assert len(records.assertions(DUDU, [1, 2])) == 2
            assert records.assertions(DUDU, []) == records.assertions(YUKI, [1]) == []
            identity = assertion(one).identity
            asked = [(DUDU, 1, identity), (DUDU, 2, identity), (DUDU, 1, b"x"), (YUKI, 1, identity)]
            assert [records.has_assertion(*each) for each in asked] == [True, False, False, False]

    def test_removed_assertions_take_the_withdrawals_of_them_along(self, store: Store) -> None:
        one = memory(1)
        gone = assertion(one, parents=(b"p" * 16,), rests_on=(b"r" * 16,))
        stays = assertion(one, observed_at=1, rests_on=(b"s" * 16,))
        with found(store).writing() as unit:
            keep(unit, one)
            for each in (gone, stays):
                unit.records.add_assertion(DUDU, 1, each)
                unit.records.add_withdrawal(DUDU, withdrawal(each))
        with store.writing() as unit:
            unit.records.remove_assertions(DUDU, 1, [gone.identity])
        with store.reading() as unit:
            assert unit.records.assertions(DUDU, [1]) == [stays]
            assert unit.records.withdrawals(DUDU, [gone.identity, stays.identity]) == [withdrawal(stays)]
            assert unit.records.children(DUDU, [b"p" * 16]) == []
            assert [unit.records.resting_on(DUDU, [base * 16]) for base in (b"r", b"s")] == [[], [1]]

    def test_removed_assertions_take_the_receipts_that_they_earned_along(self, store: Store) -> None:
        one = memory(1)
        gone, stays = assertion(one), assertion(one, observed_at=1)
        kept = [KeptReceipt(b"r", "{}", said) for said in (gone.identity, stays.identity, b"")]
        with found(store).writing() as unit:
            keep(unit, one)
            for number, receipt in enumerate(kept):
                unit.receipts.keep(DUDU, f"鍵 {number}", receipt, 1)
        with store.writing() as unit:
            unit.records.remove_assertions(DUDU, 1, [gone.identity])
            unit.records.remove_assertions(DUDU, 1, [])
        with store.reading() as unit:
            found_there = [unit.receipts.find(DUDU, f"鍵 {number}") for number in range(3)]
            assert found_there == [None, kept[1], kept[2]]

    def test_memories_are_found_by_the_assertions_that_they_have(self, store: Store) -> None:
        memories = [memory(number) for number in (1, 2, 3)]
        said = [assertion(one) for one in memories]
        with found(store).writing() as unit:
            keep(unit, *memories)
            for number, each in enumerate(said, 1):
                unit.records.add_assertion(DUDU, number, each)
        with store.reading() as unit:
            assert unit.records.whose(DUDU, [said[2].identity, said[0].identity, b"nobody's"]) == [1, 3]
            assert unit.records.whose(DUDU, []) == unit.records.whose(YUKI, [said[0].identity]) == []

    def test_memories_are_found_by_what_any_of_their_assertions_rests_on(self, store: Store) -> None:
        one, other = memory(1), memory(2)
        with found(store).writing() as unit:
            keep(unit, one, other)
            unit.records.add_assertion(DUDU, 1, assertion(one, rests_on=(b"a" * 16, b"b" * 16)))
            unit.records.add_assertion(DUDU, 1, assertion(one, observed_at=1, rests_on=(b"a" * 16,)))
            unit.records.add_assertion(DUDU, 2, assertion(other, rests_on=(b"b" * 16,), parents=(b"c" * 16,)))
        with store.reading() as unit:
            on = unit.records.resting_on
            assert (on(DUDU, [b"a" * 16]), sorted(on(DUDU, [b"b" * 16, b"a" * 16]))) == ([1], [1, 2])
            assert on(DUDU, [b"c" * 16]) == on(DUDU, []) == on(YUKI, [b"a" * 16]) == []

    def test_derived_memories_are_told_each_once(self, store: Store) -> None:
        one, other, third = memory(1), memory(2), memory(3)
        with found(store).writing() as unit:
            keep(unit, one, other, third)
            unit.records.add_assertion(DUDU, 3, assertion(third, parents=(one.key, other.key)))
            unit.records.add_assertion(DUDU, 2, assertion(other, parents=(one.key,)))
            unit.records.add_assertion(DUDU, 2, assertion(other, observed_at=1))
        with store.reading() as unit:
            assert (unit.records.derived(DUDU), unit.records.derived(YUKI)) == ([2, 3], [])

    def test_an_assertion_is_reworded_and_stays_the_same_one(self, store: Store) -> None:
        one = city(1)
        said, other = assertion(one), assertion(one, observed_at=1)
        words = Wording("ADA lives in “Paris”", Triple("ADA", "lives in", "Paris"), Place("家", "karte"))
        with found(store).writing() as unit:
            keep(unit, one)
            for each in (said, other):
                unit.records.add_assertion(DUDU, 1, each)
            unit.records.reword(DUDU, 1, said.identity, words)
        with store.writing() as unit:
            kept = {each.identity: each for each in unit.records.assertions(DUDU, [1])}
            assert kept == {said.identity: replace(said, wording=words), other.identity: other}
            unit.records.reword(DUDU, 1, said.identity, None)
        with store.reading() as unit:
            assert {each.identity: each for each in unit.records.assertions(DUDU, [1])}[said.identity] == said

    def test_sources_are_listed_with_what_they_taught(self, store: Store) -> None:
        one = memory(1)
        file, chat = Origin("import", "紀錄.md", "1"), Origin("channel", "chat", "m1")
        alias = link(LinkKind.ALIAS, "ada", "countess", chat, learned_at=30)
        with found(store).writing() as unit:
            keep(unit, one)
            for learned_at, item in ((20, "1"), (10, "2"), (40, "")):
                said = assertion(one, origin=Origin(file.kind, file.container, item), learned_at=learned_at)
                unit.records.add_assertion(DUDU, 1, said)
            unit.records.add_link(DUDU, alias)
            unit.records.add_withdrawal(DUDU, withdrawal(alias, file, learned_at=50))
            unit.records.add_link(YUKI, link(LinkKind.ALIAS, "ada", "countess", CHAT, learned_at=5))
        with store.reading() as unit:
            assert unit.records.sources(DUDU) == [
                Source("channel", "chat", 0, 1, 0, 30, 30),
                Source("import", "紀錄.md", 3, 0, 1, 10, 50),
            ]
            assert unit.records.sources(YUKI) == [Source("user_direct", "chat:42", 0, 1, 0, 5, 5)]

    def test_what_was_removed_of_a_source_is_listed_no_more(self, store: Store) -> None:
        one, alias = memory(1), link(LinkKind.ALIAS, "ada", "countess", Origin("channel", "b"))
        said, revoked = assertion(one, origin=Origin("channel", "a")), withdrawal(alias, Origin("channel", "c"))
        with found(store).writing() as unit:
            keep(unit, one)
            unit.records.add_assertion(DUDU, 1, said)
            unit.records.add_link(DUDU, alias)
            unit.records.add_withdrawal(DUDU, revoked)
        with store.writing() as unit:
            unit.records.remove_assertions(DUDU, 1, [said.identity])
            left = [unit.records.sources(DUDU)]
        with store.writing() as unit:
            unit.records.remove_withdrawals(DUDU, [revoked])
            left.append(unit.records.sources(DUDU))
            unit.records.remove_links(DUDU, [alias.identity])
        with store.reading() as unit:
            left.append(unit.records.sources(DUDU))
        assert [[source.container for source in sources] for sources in left] == [["b", "c"], ["b"], []]

    def test_a_source_that_is_heard_again_in_the_unit_that_removed_it_is_kept(self, store: Store) -> None:
        one = memory(1)
        said, again = assertion(one), assertion(one, observed_at=9)
        with found(store).writing() as unit:
            keep(unit, one)
            unit.records.add_assertion(DUDU, 1, said)
        with store.writing() as unit:
            unit.records.remove_assertions(DUDU, 1, [said.identity])
            unit.records.add_assertion(DUDU, 1, again)
        with store.reading() as unit:
            assert unit.records.said_by(DUDU, CHAT, 0) == [(1, again)]

    def test_what_a_source_said_is_found_by_its_container_or_by_its_very_item(self, store: Store) -> None:
        origins = [
            Origin("user_direct", "chat:4", "m1"),
            Origin("user_direct", "chat:42", "m1"),
            Origin("user_direct", "chat:42", "m2"),
            Origin("user_direct", "chat:42"),
            Origin("channel", "chat:42", "m1"),
        ]
        memories = [memory(number) for number in range(1, 6)]
        with found(store).writing() as unit:
            keep(unit, *memories)
            for one, origin in zip(memories, origins, strict=True):
                unit.records.add_assertion(DUDU, one.number, assertion(one, origin=origin, learned_at=one.number))

        def numbers(origin: Origin, since: int = 0) -> list[int]:
            with store.reading() as unit:
                return sorted(number for number, _ in unit.records.said_by(DUDU, origin, since))

        assert numbers(Origin("user_direct", "chat:42")) == [2, 3, 4]
        assert numbers(Origin("user_direct", "chat:42"), since=3) == [3, 4]
        assert numbers(Origin("user_direct", "chat:42", "m1")) == [2]
        assert numbers(Origin("user_direct", "chat:4")) == [1]
        assert numbers(Origin("user_direct", "chat")) == numbers(Origin("import", "chat:42")) == []

    def test_only_what_the_source_itself_said_of_a_memory_is_given(self, store: Store) -> None:
        one = memory(1)
        theirs = assertion(one, origin=Origin("import", "notes.md"))
        with found(store).writing() as unit:
            keep(unit, one)
            for each in (assertion(one), theirs):
                unit.records.add_assertion(DUDU, 1, each)
        with store.reading() as unit:
            assert unit.records.said_by(DUDU, theirs.origin, 0) == [(1, theirs)]
            assert unit.records.said_by(YUKI, theirs.origin, 0) == []

    def test_children_are_found_by_any_of_their_parents(self, store: Store) -> None:
        memories = [memory(number) for number in range(1, 5)]
        with found(store).writing() as unit:
            keep(unit, *memories)
            for child, parents in ((3, memories[:2]), (4, memories[1:2])):
                said = assertion(memories[child - 1], parents=tuple(parent.key for parent in parents))
                unit.records.add_assertion(DUDU, child, said)
        with store.reading() as unit:
            assert unit.records.children(DUDU, [memories[0].key]) == [3]
            assert sorted(unit.records.children(DUDU, [m.key for m in memories])) == [3, 4]
            assert unit.records.children(YUKI, [memories[0].key]) == unit.records.children(DUDU, []) == []

    def test_links_about_names_are_found_by_either_name(self, store: Store) -> None:
        one, other = memory(1), memory(2)
        alias = link(LinkKind.ALIAS, "ada", "countess")
        many = link(LinkKind.MULTI_VALUED, "喜歡", "")
        with found(store).writing() as unit:
            for each in (alias, many, link(LinkKind.SAME_AS, one, other)):
                unit.records.add_link(DUDU, each)
        with store.reading() as unit:
            records = unit.records
            assert records.name_links(DUDU, ["ada"]) == records.name_links(DUDU, ["countess"]) == [alias]
            assert records.name_links(DUDU, ["喜歡"]) == [many]
            assert len(records.name_links(DUDU, ["ada", "countess", "喜歡"])) == 2
            assert records.name_links(DUDU, ["paris", one.key.hex()]) == []
            assert sorted(each.kind for each in records.all_name_links(DUDU)) == ["alias", "multi_valued"]
            assert records.name_links(YUKI, ["ada"]) == records.all_name_links(YUKI) == []
            assert (records.has_links(DUDU), records.has_links(YUKI)) == (True, False)

    def test_links_between_memories_are_found_by_either_key(self, store: Store) -> None:
        one, other, third = memory(1), memory(2), memory(3)
        kinds = (LinkKind.SUPERSEDES, LinkKind.SAME_AS, LinkKind.SAME_QUESTION)
        joined = [link(kind, one, other) for kind in kinds]
        with found(store).writing() as unit:
            for each in (*joined, link(LinkKind.ALIAS, one.key.hex(), "ada")):
                unit.records.add_link(DUDU, each)
        with store.reading() as unit:
            for end in (one, other):
                kept = unit.records.memory_links(DUDU, [end.key])
                assert sorted(kept, key=lambda a: a.identity) == sorted(joined, key=lambda a: a.identity)
            assert len(unit.records.memory_links(DUDU, [one.key, other.key])) == len(kinds)
            assert unit.records.memory_links(DUDU, [third.key]) == unit.records.memory_links(YUKI, [one.key]) == []

    def test_the_same_link_again_keeps_its_first_learned_at(self, store: Store) -> None:
        alias = link(LinkKind.ALIAS, "ada", "countess", learned_at=8)
        with found(store).writing() as unit:
            unit.records.add_link(DUDU, alias)
            unit.records.add_link(DUDU, replace(alias, learned_at=99))
        with store.reading() as unit:
            assert unit.records.all_name_links(DUDU) == [alias]

    def test_a_link_of_two_sources_is_two_links(self, store: Store) -> None:
        with found(store).writing() as unit:
            for item in ("m1", "m2"):
                unit.records.add_link(DUDU, link(LinkKind.ALIAS, "ada", "countess", Origin("operator", "x", item)))
        with store.reading() as unit:
            assert sorted(each.origin.item for each in unit.records.name_links(DUDU, ["ada"])) == ["m1", "m2"]

    def test_links_are_found_by_their_identities_and_by_who_made_them(self, store: Store) -> None:
        boxes = [Origin("operator", "x", "m1"), Origin("operator", "x", "m2"), Origin("operator", "y", "m1")]
        kept = [link(LinkKind.ALIAS, "ada", f"name {number}", origin) for number, origin in enumerate(boxes)]
        with found(store).writing() as unit:
            for each in kept:
                unit.records.add_link(DUDU, each)
        with store.reading() as unit:
            by = unit.records.links_by
            assert sorted(by(DUDU, Origin("operator", "x")), key=lambda each: each.right) == kept[:2]
            assert by(DUDU, boxes[1]) == unit.records.links_of(DUDU, [kept[1].identity, b"none"]) == [kept[1]]
            assert by(DUDU, Origin("import", "x")) == by(YUKI, boxes[0]) == unit.records.links_of(DUDU, []) == []
            assert unit.records.links_of(YUKI, [kept[1].identity]) == []

    def test_removed_links_take_the_withdrawals_of_them_along(self, store: Store) -> None:
        gone, stays = link(LinkKind.ALIAS, "ada", "countess"), link(LinkKind.ALIAS, "小雨", "雨")
        with found(store).writing() as unit:
            for each in (gone, stays):
                unit.records.add_link(DUDU, each)
                unit.records.add_withdrawal(DUDU, withdrawal(each))
        with store.writing() as unit:
            assert unit.records.has_links(DUDU)
            unit.records.remove_links(DUDU, [gone.identity, b"never there"])
            assert unit.records.has_links(DUDU)
        with store.writing() as unit:
            assert unit.records.all_name_links(DUDU) == [stays]
            assert unit.records.withdrawals(DUDU, [gone.identity, stays.identity]) == [withdrawal(stays)]
            assert unit.records.has_links(DUDU)
            unit.records.remove_links(DUDU, [stays.identity])
            assert not unit.records.has_links(DUDU)

    def test_withdrawals_are_found_by_who_made_them(self, store: Store) -> None:
        said = assertion(memory(1))
        boxes = [Origin("operator", "x", "m1"), Origin("operator", "x", "m2"), Origin("operator", "y", "m1")]
        made = [withdrawal(said, origin) for origin in boxes]
        with found(store).writing() as unit:
            for each in made:
                unit.records.add_withdrawal(DUDU, each)
        with store.reading() as unit:
            by = unit.records.withdrawals_by
            assert sorted(by(DUDU, Origin("operator", "x")), key=lambda each: each.origin.item) == made[:2]
            assert [by(DUDU, origin) for origin in boxes] == [[each] for each in made]
            assert by(DUDU, Origin("import", "x")) == by(YUKI, boxes[0]) == []

    def test_a_withdrawal_is_removed_by_its_target_origin_and_trust(self, store: Store) -> None:
        said, other = assertion(memory(1)), assertion(memory(2))
        gone = withdrawal(said)
        stay = [withdrawal(other), withdrawal(said, Origin("operator", "x")), replace(gone, trust=1)]
        with found(store).writing() as unit:
            for each in (gone, *stay):
                unit.records.add_withdrawal(DUDU, each)
        with store.writing() as unit:
            never = withdrawal(said, Origin("import", "never heard of"))
            unit.records.remove_withdrawals(DUDU, [replace(gone, reason="another", learned_at=77), never])
        with store.reading() as unit:
            kept = unit.records.withdrawals(DUDU, [said.identity, other.identity])
            assert sorted(kept, key=repr) == sorted(stay, key=repr)

    def test_withdrawals_are_found_by_their_targets(self, store: Store) -> None:
        said, alias = assertion(memory(1)), link(LinkKind.ALIAS, "ada", "countess")
        both = [withdrawal(said), withdrawal(alias)]
        with found(store).writing() as unit:
            for each in both:
                unit.records.add_withdrawal(DUDU, each)
        with store.reading() as unit:
            assert unit.records.withdrawals(DUDU, [said.identity]) == both[:1]
            assert unit.records.withdrawals(DUDU, [alias.identity, b"nothing's"]) == both[1:]
            assert unit.records.withdrawals(DUDU, []) == unit.records.withdrawals(YUKI, [said.identity]) == []

    def test_the_same_withdrawal_again_keeps_its_first_learned_at(self, store: Store) -> None:
        said = assertion(memory(1))
        with found(store).writing() as unit:
            unit.records.add_withdrawal(DUDU, withdrawal(said, learned_at=9))
            unit.records.add_withdrawal(DUDU, withdrawal(said, learned_at=99))
        with store.reading() as unit:
            assert unit.records.withdrawals(DUDU, [said.identity]) == [withdrawal(said, learned_at=9)]

    def test_withdrawals_of_one_target_by_two_sources_are_both_kept(self, store: Store) -> None:
        said = assertion(memory(1))
        with found(store).writing() as unit:
            unit.records.add_withdrawal(DUDU, withdrawal(said))
            unit.records.add_withdrawal(DUDU, withdrawal(said, Origin("operator", "x", "m2")))
        with store.reading() as unit:
            kept = unit.records.withdrawals(DUDU, [said.identity])
        assert sorted(each.origin.order for each in kept) == [("operator", "x", "m2"), CHAT.order]
