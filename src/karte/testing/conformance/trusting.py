"""The contract for what persons decide about sources: reviews, bursts, blocks, plans, the audit log and tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from karte.core.origins import Origin
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.errors import UnknownAgent
from karte.ports import AuditEntry, Block, KeptPlan, Store, Token, Told
from karte.testing.conformance.making import CHAT, DUDU, STRANGER, YUKI, assertion, found, keep, memory

_HELD: Final = Review(
    "rev_1", ReviewKind.QUARANTINE, "mem_0009", None, b"", CHAT, "小雨", 10, 99, '{"rule": "注入"}', '{"content": "家"}'
)
_SHADOWED: Final = Review(
    "rev_2",
    ReviewKind.SHADOWED,
    "mem_0001",
    1,
    b"\x00" * 16,
    Origin("channel", "line:7", "m2"),
    "",
    20,
    2**61,
    "{}",
    None,
    ReviewState.APPROVED,
    "ゆき",
    30,
)
_BUCKET: Final = b"\x00" * 16
_BLOCK: Final = Block(b"\x00\x01", "channel", "plan_1", "operator", 5)
_PLAN: Final = KeptPlan("plan_1", b"\x00" * 32, '{"源": 1}', "planned", 5, 9, "operator")
_LINE: Final = AuditEntry(1, 5, "operator", "forget", "dudu", "來源", '{"n": 1}', b"", b"\x00" * 32)
_TOKEN: Final = Token("tok_1", b"\x00" * 32, "小雨", None, ("memory:read", "review"), 5)


def _reviewed(store: Store, *reviews: Review) -> Store:
    with found(store).writing() as unit:
        for review in reviews:
            unit.reviews.add(DUDU, review)
    return store


class TrustingConformance:
    """Reviews and bursts belong to a namespace, blocks, plans, tokens and the log to the workspace; each comes back whole."""

    def test_a_review_is_given_back_as_it_was_kept(self, store: Store) -> None:
        with _reviewed(store, _HELD, _SHADOWED).reading() as unit:
            assert unit.reviews.of_id(DUDU, ["rev_1", "rev_2", "rev_3"]) == {"rev_1": _HELD, "rev_2": _SHADOWED}
            assert unit.reviews.of_id(YUKI, ["rev_1"]) == unit.reviews.of_id(DUDU, []) == {}
            assert unit.reviews.of_id(STRANGER, ["rev_1"]) == {}

    def test_a_review_in_a_namespace_without_an_agent_cannot_be_kept(self, store: Store) -> None:
        with pytest.raises(UnknownAgent), store.writing() as unit:
            unit.reviews.add(STRANGER, _HELD)

    def test_a_decided_review_takes_the_place_of_the_open_one(self, store: Store) -> None:
        decided = replace(_HELD, state=ReviewState.DENIED, held=None, decided_by="ゆき", decided_at=50)
        with _reviewed(store, _HELD, _SHADOWED).writing() as unit:
            unit.reviews.replace(DUDU, decided)
        with store.reading() as unit:
            assert unit.reviews.of_id(DUDU, ["rev_1", "rev_2"]) == {"rev_1": decided, "rev_2": _SHADOWED}

    def test_reviews_are_listed_by_state_latest_first(self, store: Store) -> None:
        opened = [replace(_HELD, id=f"rev_{name}", opened_at=at) for name, at in (("a", 5), ("c", 7), ("b", 7))]
        late = replace(_HELD, id="rev_d", opened_at=6, state=ReviewState.EXPIRED)
        with _reviewed(store, *opened, late, _SHADOWED).reading() as unit:

            def listed(count: int, *states: ReviewState) -> list[str]:
                return [review.id for review in unit.reviews.listed(DUDU, states, count)]

            assert listed(9, ReviewState.OPEN) == ["rev_c", "rev_b", "rev_a"]
            assert listed(1, ReviewState.OPEN) == ["rev_c"]
            assert listed(3, ReviewState.OPEN, ReviewState.EXPIRED) == ["rev_c", "rev_b", "rev_d"]
            assert listed(1, ReviewState.OPEN, ReviewState.APPROVED) == ["rev_2"]
            assert listed(9, ReviewState.DENIED) == listed(9) == []
            assert unit.reviews.listed(YUKI, list(ReviewState), 9) == []

    def test_reviews_are_counted_in_whatever_state(self, store: Store) -> None:
        decided = replace(_HELD, id="rev_9", state=ReviewState.DENIED)
        with _reviewed(store, _HELD, _SHADOWED, decided).reading() as unit:
            assert [unit.reviews.count(owner) for owner in (DUDU, YUKI, STRANGER)] == [3, 0, 0]

    def test_reviews_are_found_by_the_memories_in_question(self, store: Store) -> None:
        other = replace(_SHADOWED, id="rev_0")
        with _reviewed(store, _HELD, _SHADOWED, other, replace(_SHADOWED, id="rev_3", number=2)).reading() as unit:
            assert unit.reviews.about(DUDU, [1, 9]) == [other, _SHADOWED]
            assert unit.reviews.about(DUDU, []) == unit.reviews.about(YUKI, [1]) == []

    def test_reviews_are_found_by_the_container_or_the_very_item_they_are_from(self, store: Store) -> None:
        other = replace(_HELD, id="rev_0", origin=Origin(CHAT.kind, CHAT.container, "m9"))
        with _reviewed(store, _HELD, _SHADOWED, other).reading() as unit:
            by = unit.reviews.from_origin
            assert by(DUDU, Origin(CHAT.kind, CHAT.container)) == [other, _HELD]
            assert by(DUDU, CHAT) == [_HELD]
            assert (
                by(DUDU, Origin("channel", "line:7", "m1")) == by(DUDU, Origin("import", "x")) == by(YUKI, CHAT) == []
            )

    def test_a_removed_review_is_gone_with_what_it_held(self, store: Store) -> None:
        with _reviewed(store, _HELD, _SHADOWED).writing() as unit:
            unit.reviews.remove(DUDU, ["rev_1", "rev_9"])
        with store.reading() as unit:
            assert unit.reviews.of_id(DUDU, ["rev_1", "rev_2"]) == {"rev_2": _SHADOWED}

    def test_an_erased_memory_takes_the_reviews_about_it_along(self, store: Store) -> None:
        with _reviewed(store, _HELD, _SHADOWED, replace(_SHADOWED, id="rev_3", number=2)).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.memories.erase(DUDU, [1])
        with store.reading() as unit:
            assert unit.reviews.of_id(DUDU, ["rev_1", "rev_2", "rev_3"]).keys() == {"rev_1", "rev_3"}

    def test_a_review_of_two_memories_is_found_from_either_of_them_and_gone_with_either(self, store: Store) -> None:
        between = [
            replace(_SHADOWED, id=f"rev_{name}", kind=ReviewKind.CONTRADICTION, number=number, against=against)
            for name, number, against in (("a", 1, 2), ("b", 2, 3), ("c", 3, 1))
        ]
        with _reviewed(store, _HELD, *between).writing() as unit:
            keep(unit, *map(memory, (1, 2, 3)))
        with store.reading() as unit:
            assert unit.reviews.about(DUDU, [1]) == [between[0], between[2]]
            assert unit.reviews.about(DUDU, [1, 2, 3, 4]) == between
            assert unit.reviews.about(DUDU, [4]) == []
            assert unit.reviews.of_id(DUDU, ["rev_c"]) == {"rev_c": between[2]}
        with store.writing() as unit:
            unit.memories.erase(DUDU, [1])
        with store.reading() as unit:
            assert unit.reviews.of_id(DUDU, ["rev_1", "rev_a", "rev_b", "rev_c"]) == {
                "rev_1": _HELD,
                "rev_b": between[1],
            }

    def test_bursts_are_told_by_bucket_in_the_order_of_time(self, store: Store) -> None:
        told = [Told(7, b"b", 1), Told(7, b"a"), Told(5, b"c", 2)]
        with found(store).writing() as unit:
            for each in told:
                unit.bursts.add(DUDU, _BUCKET, each)
            unit.bursts.add(DUDU, b"other", Told(6, b"d"))
        with store.reading() as unit:
            assert unit.bursts.since(DUDU, _BUCKET, 0) == [told[2], told[1], told[0]]
            assert unit.bursts.since(DUDU, _BUCKET, 6) == unit.bursts.since(DUDU, _BUCKET, 7) == [told[1], told[0]]
            assert unit.bursts.since(DUDU, b"none", 0) == unit.bursts.since(YUKI, _BUCKET, 0) == []

    def test_the_same_statement_again_takes_the_place_of_the_one_before(self, store: Store) -> None:
        with found(store).writing() as unit:
            for each in (Told(5, b"a"), Told(9, b"a", 3)):
                unit.bursts.add(DUDU, _BUCKET, each)
        with store.reading() as unit:
            assert unit.bursts.since(DUDU, _BUCKET, 0) == [Told(9, b"a", 3)]

    def test_what_was_told_before_an_instant_is_dropped(self, store: Store) -> None:
        with found(store).writing() as unit:
            for namespace in (DUDU, YUKI):
                for each in (Told(5, b"a"), Told(6, b"b")):
                    unit.bursts.add(namespace, _BUCKET, each)
            unit.bursts.drop_before(DUDU, 6)
        with store.reading() as unit:
            assert unit.bursts.since(DUDU, _BUCKET, 0) == [Told(6, b"b")]
            assert len(unit.bursts.since(YUKI, _BUCKET, 0)) == 2

    def test_bursts_go_with_their_assertions_and_memories(self, store: Store) -> None:
        one, other = memory(1), memory(2)
        said = [assertion(one), assertion(one, observed_at=1), assertion(other)]
        with found(store).writing() as unit:
            keep(unit, one, other)
            for number, each in zip((1, 1, 2), said, strict=True):
                unit.records.add_assertion(DUDU, number, each)
                unit.bursts.add(DUDU, _BUCKET, Told(5, each.identity, number))
        with store.writing() as unit:
            unit.records.remove_assertions(DUDU, 1, [said[0].identity])
            unit.memories.erase(DUDU, [2])
        with store.reading() as unit:
            assert unit.bursts.since(DUDU, _BUCKET, 0) == [Told(5, said[1].identity, 1)]

    def test_the_secret_for_sources_is_made_with_the_workspace_and_can_be_taken_over(self, store: Store) -> None:
        with store.reading() as unit:
            first = unit.blocks.key()
            assert (len(first), unit.blocks.key(), first != unit.lexicon.key()) == (32, first, True)
        with store.writing() as unit:
            assert unit.blocks.key() == first
            unit.blocks.set_key(b"\x00" * 32)
            assert unit.blocks.key() == b"\x00" * 32
        with store.reading() as unit:
            assert unit.blocks.key() == b"\x00" * 32

    def test_blocks_are_known_by_their_digests_and_the_first_one_stays(self, store: Store) -> None:
        with store.writing() as unit:
            assert unit.blocks.known([b"\x00\x01"]) == frozenset()
            unit.blocks.add(_BLOCK)
            unit.blocks.add(replace(_BLOCK, plan="plan_2", at=9))
            assert unit.blocks.known([b"\x00\x01"]) == {b"\x00\x01"}
        with store.reading() as unit:
            assert unit.blocks.known([b"\x00\x01", b"\x02"]) == {b"\x00\x01"}
            assert unit.blocks.known([b"\x02"]) == unit.blocks.known([]) == frozenset()
            assert unit.blocks.all() == [_BLOCK]

    def test_blocks_are_listed_in_the_order_of_time(self, store: Store) -> None:
        blocks = [Block(digest, "import", "", "", at) for digest, at in ((b"b", 7), (b"a", 7), (b"c", 5))]
        with store.writing() as unit:
            for block in blocks:
                unit.blocks.add(block)
        with store.reading() as unit:
            assert unit.blocks.all() == [blocks[2], blocks[1], blocks[0]]

    def test_a_removed_block_is_known_no_more(self, store: Store) -> None:
        with store.writing() as unit:
            unit.blocks.add(_BLOCK)
        with store.writing() as unit:
            unit.blocks.remove(b"\x00\x01")
            unit.blocks.remove(b"never there")
            assert unit.blocks.known([b"\x00\x01"]) == frozenset()
        with store.reading() as unit:
            assert (unit.blocks.known([b"\x00\x01"]), unit.blocks.all()) == (frozenset(), [])

    def test_a_plan_is_found_as_it_was_kept_last(self, store: Store) -> None:
        done = replace(_PLAN, state="done", approved_by="ゆき", receipt='{"removed": 3}')
        with store.writing() as unit:
            unit.plans.keep(_PLAN)
        with store.writing() as unit:
            assert unit.plans.find("plan_1") == _PLAN
            unit.plans.keep(done)
        with store.reading() as unit:
            assert (unit.plans.find("plan_1"), unit.plans.find("plan_2")) == (done, None)

    def test_plans_are_listed_in_the_order_of_time_until_they_are_removed(self, store: Store) -> None:
        plans = [replace(_PLAN, id=f"plan_{name}", made_at=at) for name, at in (("b", 7), ("a", 7), ("c", 5))]
        with store.writing() as unit:
            for plan in plans:
                unit.plans.keep(plan)
            assert unit.plans.all() == [plans[2], plans[1], plans[0]]
            for name in ("plan_a", "plan_z"):
                unit.plans.remove(name)
        with store.reading() as unit:
            assert unit.plans.all() == [plans[2], plans[0]]

    def test_the_audit_log_is_read_in_order_from_any_line(self, store: Store) -> None:
        lines = [replace(_LINE, sequence=number, digest=bytes([number])) for number in (1, 2, 3, 12)]
        with store.writing() as unit:
            assert unit.audit.last() is None
            for line in lines:
                unit.audit.append(line)
            assert unit.audit.last() == lines[3]
        with store.reading() as unit:
            assert list(unit.audit.after(0, 9)) == lines
            assert list(unit.audit.after(1, 2)) == lines[1:3]
            assert (list(unit.audit.after(12, 9)), unit.audit.last()) == ([], lines[3])

    def test_a_token_is_found_as_it_was_kept_last(self, store: Store) -> None:
        revoked = replace(_TOKEN, agent="dudu", expires_at=2**61, revoked_at=9)
        with store.writing() as unit:
            unit.tokens.keep(_TOKEN)
        with store.writing() as unit:
            assert unit.tokens.find("tok_1") == _TOKEN
            unit.tokens.keep(revoked)
        with store.reading() as unit:
            assert (unit.tokens.find("tok_1"), unit.tokens.find("tok_2")) == (revoked, None)

    def test_tokens_are_listed_in_the_order_of_time(self, store: Store) -> None:
        tokens = [replace(_TOKEN, id=f"tok_{name}", created_at=at) for name, at in (("b", 7), ("a", 7), ("c", 5))]
        with store.writing() as unit:
            for token in tokens:
                unit.tokens.keep(token)
        with store.reading() as unit:
            assert unit.tokens.all() == [tokens[2], tokens[1], tokens[0]]
