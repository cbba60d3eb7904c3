"""The contract for filling a workspace anew, and for what is beside it and in its files."""

from __future__ import annotations

from typing import Final

from karte.core.assertions import LinkKind
from karte.core.granting import Grantee, Level
from karte.core.origins import Origin
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.ports import (
    AuditEntry,
    Block,
    Grant,
    Identity,
    KeptPlan,
    KeptReceipt,
    Lease,
    Likeness,
    Store,
    Token,
    Told,
    Writing,
)
from karte.testing.conformance.knowing import DECISIONS
from karte.testing.conformance.making import (
    DUDU,
    WORKSPACE,
    YUKI,
    assertion,
    document,
    found,
    keep,
    link,
    memory,
    segment,
    withdrawal,
)

_FILLING: Final = '{"filling": ["digest", "owners.ndjson", 0]}'
_SET: Final = Identity("spelling", "1", 2)
_BLOCK: Final = Block(b"\x01", "channel", "plan_1", "operator", 5)
_TOKEN: Final = Token("tok_1", b"\x02", "小雨", None, ("review",), 5)
_LINE: Final = AuditEntry(1, 5, "operator", "forget", "", "來源", "{}", b"", b"\x03")
_REVIEW: Final = Review("rev_1", ReviewKind.SHADOWED, "mem", 1, b"x", Origin("channel", "chat:7"), "", 1, 2, "{}", None)
_PLAN: Final = KeptPlan("plan_1", b"\x04", "{}", "done", 5, 9, "operator")


def _fill(unit: Writing) -> None:
    one = memory(1)
    keep(unit, one)
    keep(unit, one, namespace=WORKSPACE)
    unit.memories.reserve(DUDU, 1)
    unit.memories.reserve(WORKSPACE, 1)
    unit.records.add_assertion(DUDU, 1, assertion(one, parents=(b"p" * 16,), rests_on=(b"r" * 16,)))
    unit.records.add_link(DUDU, link(LinkKind.ALIAS, "ada", "countess"))
    unit.records.add_withdrawal(DUDU, withdrawal(assertion(one)))
    unit.timelines.replace(DUDU, 1, (), [segment(0, 5)])
    unit.lexicon.add(DUDU, [document(1, [10])])
    unit.receipts.keep(DUDU, "k", KeptReceipt(b"r", "{}"), 1)
    unit.likenesses.fingerprint(DUDU, 1, [10])
    unit.likenesses.link(DUDU, Likeness(1, 2, ""))
    unit.usages.count(DUDU, [1], 9)
    unit.archive.add(DUDU, [1], 9)
    unit.vectors.add(DUDU, unit.vectors.open_set(_SET), [(1, b"\x00\x3c\x00\x00")], 1)
    unit.reviews.add(DUDU, _REVIEW)
    unit.bursts.add(DUDU, b"bucket", Told(5, b"a", 1))
    unit.blocks.add(_BLOCK)
    unit.plans.keep(_PLAN)
    unit.tokens.keep(_TOKEN)
    unit.audit.append(_LINE)
    unit.domains.keep(DECISIONS)
    unit.domains.grant(Grant(DECISIONS.scope, Grantee.role("engineer"), Level.WRITE))


def _left(store: Store) -> list[object]:
    """What is there of all that `_fill` keeps, by name, where there is an agent of that name."""
    with found(store).writing() as unit:
        return [
            unit.memories.get(DUDU, [1]),
            unit.memories.get(WORKSPACE, [1]),
            unit.records.assertions(DUDU, [1]),
            unit.records.children(DUDU, [b"p" * 16]),
            unit.records.resting_on(DUDU, [b"r" * 16]),
            unit.records.all_name_links(DUDU),
            unit.records.withdrawals(DUDU, [assertion(memory(1)).identity]),
            unit.records.sources(DUDU),
            unit.timelines.segments(DUDU, 1, 0, 9),
            unit.lexicon.tail(DUDU),
            [unit.receipts.find(DUDU, "k")],
            unit.likenesses.alike(DUDU, [10], 9),
            unit.likenesses.of(DUDU, [1]),
            unit.usages.of(DUDU, [1]),
            unit.archive.of(DUDU, [1]),
            unit.vectors.sets(),
            unit.reviews.listed(DUDU, tuple(ReviewState), 9),
            unit.bursts.since(DUDU, b"bucket", 0),
            unit.plans.all(),
            [unit.audit.last()],
            unit.domains.all(),
            unit.domains.grants(),
        ]


class RestoringConformance:
    """A workspace can be emptied and filled anew; whoever read it before learns of that."""

    def test_an_emptied_workspace_keeps_blocks_tokens_and_leases_and_nothing_else(self, store: Store) -> None:
        with found(store).writing() as unit:
            _fill(unit)
            unit.leases.keep("restoring", Lease("me", 99))
        assert [bool(each) and each != [None] for each in _left(store)] == [True] * len(_left(store))
        with store.writing() as unit:
            unit.set_made_with(_FILLING)
            unit.empty()
            assert unit.agents.all() == []
        assert [each for each in _left(store) if each and each != [None]] == []
        with store.writing() as unit:
            assert (unit.blocks.all(), unit.tokens.all(), unit.leases.find("restoring")) == (
                [_BLOCK],
                [_TOKEN],
                Lease("me", 99),
            )
            assert [unit.memories.reserve(owner, 1) for owner in (DUDU, WORKSPACE)] == [1, 1]

    def test_an_emptied_workspace_takes_up_the_same_things_again(self, store: Store) -> None:
        with found(store).writing() as unit:
            _fill(unit)
        with store.writing() as unit:
            unit.set_made_with(_FILLING)
            unit.empty()
        with found(store).writing() as unit:
            _fill(unit)
        with store.reading() as unit:
            assert (unit.memories.count(DUDU), unit.audit.last()) == (1, _LINE)
            assert unit.records.sources(DUDU)[0].assertions == 1

    def test_whoever_read_in_bulk_learns_that_all_is_outdated(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.set_last_learned(1_000)
            before = [(unit.facts.erasures(owner), unit.vectors.generation(owner)) for owner in (DUDU, YUKI, WORKSPACE)]
            unit.outdate()
            once = [(unit.facts.erasures(owner), unit.vectors.generation(owner)) for owner in (DUDU, YUKI, WORKSPACE)]
            unit.outdate()
            twice = [(unit.facts.erasures(owner), unit.vectors.generation(owner)) for owner in (DUDU, YUKI, WORKSPACE)]
        assert (before, once, twice) == ([(0, 0)] * 3, [(1_000, 1_000)] * 3, [(1_001, 1_001)] * 3)

    def test_what_can_be_read_in_its_files_is_told_where_they_are_in_reach(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1, "部署到東京 every Friday"))
        assert store.traces(["部署到東京", "never said here"]) in (None, frozenset(["部署到東京"]))
        assert store.traces([]) in (None, frozenset())

    def test_a_text_beside_it_is_kept_where_there_is_a_place(self, store: Store) -> None:
        kept = [store.kept_outside()]
        for text in ("{}", '{"家": 1}'):
            store.keep_outside(text)
            kept.append(store.kept_outside())
        assert kept in ([None, None, None], [None, "{}", '{"家": 1}'])
