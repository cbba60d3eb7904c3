"""The contract for assertions, links and withdrawals."""

from __future__ import annotations

from dataclasses import replace

from karte.core.assertions import Details, LinkKind, MemoryType, Veracity
from karte.core.memories import Triple, Wording
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.ports import Store
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
        gone, stays = assertion(one, parents=(b"p" * 16,)), assertion(one, observed_at=1)
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
