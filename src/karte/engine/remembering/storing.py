"""Storing: one transaction that keeps memories and assertions, refolds what they touch and indexes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from karte.core.assertions import Assertion, Details, digest, identify
from karte.core.memories import Layer, Memory, Wording
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.periods import FOREVER, Period
from karte.core.results import Outcome, Receipt
from karte.engine import indexing
from karte.engine.gathering import Frame
from karte.engine.remembering.drafting import Draft
from karte.engine.remembering.likeness import Text, link_alike
from karte.engine.remembering.placing import Placed, Placing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import FutureObservation, InvalidValue, KarteError, KeyReused, NotCurrent, UnknownMemory
from karte.ports import Document, Kept, KeptReceipt, Reading, Writing

MEMORY_PREFIX: Final = "mem_"
CHAIN_PREFIX: Final = "chn_"


@repeated
def store(services: Services, caller: Principal, drafts: Sequence[Draft]) -> list[Receipt]:
    """Store drafts in one transaction; gives a receipt for each, in order.

    Raises, with nothing changed, `FutureObservation` for an observation after now, `ReversedPeriod`, `NotCurrent` where
    `expect_current` is lost, `KeyReused`, `UnknownMemory` for a parent that is not there.
    """
    caller.require(Scope.WRITE)
    if not drafts:
        return []
    with services.store.writing() as unit:
        return Session(services, caller, unit, len(drafts)).store(drafts)


@dataclass
class Session:
    """One transaction of storing: its numbers, its system times, and what waits to be indexed at its end."""

    services: Services
    caller: Principal
    unit: Writing
    count: int
    documents: list[Document] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = self.services.clock.now()
        self.learned_at = self.unit.learn(self.now, self.count) - 1
        self.number = self.unit.memories.reserve(self.namespace, self.count) - 1
        self.frame = Frame(self.unit, self.namespace, self.services.tiers)
        self.hashed = indexing.hasher(self.unit.lexicon.key())

    @property
    def present(self) -> int:
        """The system time of the next record: the clock's, or just after the last one where the clock stands."""
        return self.learned_at + 1

    @property
    def namespace(self) -> Namespace:
        """Whose memories these are."""
        return self.caller.namespace

    def store(self, drafts: Sequence[Draft]) -> list[Receipt]:
        """Store each draft, then index all new texts at once."""
        receipts = [self._numbered(draft, number) for number, draft in enumerate(drafts, 1)]
        self.finish()
        return receipts

    def _numbered(self, draft: Draft, number: int) -> Receipt:
        """Store one draft of several; an error says which one it was."""
        try:
            return self._once(draft)
        except KarteError as error:
            if self.count > 1:
                error.message = f"Item {number}: {error.message}"
            raise

    def finish(self) -> None:
        """Index what was stored."""
        indexing.add(self.unit.lexicon, self.namespace, self.documents)

    def _once(self, draft: Draft) -> Receipt:
        key = draft.idempotency_key
        if key is None:
            return self.remember(draft)
        request = _request(draft)
        if kept := self.unit.receipts.find(self.namespace, key):
            if kept.request != request:
                raise KeyReused
            return Receipt.from_dict(json.loads(kept.receipt))
        receipt = self.remember(draft)
        memory = self.unit.memories.by_id(self.namespace, [receipt.memory_id])[receipt.memory_id].memory
        self.unit.receipts.keep(self.namespace, key, KeptReceipt(request, json.dumps(receipt.to_dict())), memory.number)
        return receipt

    def remember(self, draft: Draft) -> Receipt:
        """Store one draft."""
        self.learned_at += 1
        said = draft.statement.of(self.namespace.agent)
        kept = self.unit.memories.by_key(self.namespace, [said.key]).get(said.key)
        assertion = self._assertion(draft, kept.memory if kept else said)
        if draft.expect_current is not None:
            self._expect(draft.expect_current, kept.memory if kept else said)
        if kept is None:
            return self._first(said, assertion)
        if self.unit.records.has_assertion(self.namespace, kept.memory.number, assertion.identity):
            return self._receipt(kept.memory.id, Placed(kept.chain, kept.statement, Outcome.UNCHANGED))
        self.unit.records.add_assertion(self.namespace, kept.memory.number, assertion)
        placed = self._placing.further(kept, assertion)
        self._recall_from_archive(kept.memory, placed)
        return self._receipt(kept.memory.id, placed)

    @property
    def _placing(self) -> Placing:
        return Placing(self.frame, self.unit, self.learned_at)

    def _first(self, said: Memory, assertion: Assertion) -> Receipt:
        self.number += 1
        memory = said.kept_as(self.number, self.services.ids.new(MEMORY_PREFIX))
        self.unit.records.add_assertion(self.namespace, memory.number, assertion)
        placed = self._placing.first(memory, assertion)
        if placed.chain != memory.number:
            self._recall_from_archive(memory, placed)
        return self._receipt(memory.id, placed, tuple(self._index(memory)))

    def _recall_from_archive(self, memory: Memory, placed: Placed) -> None:
        """What is said again is no longer archived, in whatever words it was said."""
        same = self.unit.memories.in_chain(self.namespace, placed.chain, memory.content_key)
        self.unit.archive.remove(self.namespace, same)

    def _index(self, memory: Memory) -> list[str]:
        if memory.nothing:
            return []
        found = indexing.indexed_terms(memory)
        document = indexing.document(memory.number, found, self.hashed)
        self.documents.append(document)
        if memory.layer is Layer.SEMANTIC and memory.triple is None:
            return link_alike(self.unit, self.namespace, Text(memory, found, document), self.learned_at)
        return []

    def _assertion(self, draft: Draft, memory: Memory) -> Assertion:
        observed_at = self.learned_at if draft.observed_at is None else draft.observed_at
        if draft.observed_at is not None and draft.observed_at > max(self.now, self.learned_at):
            raise FutureObservation
        start = observed_at if draft.valid_from is None else draft.valid_from
        period = Period(start, FOREVER if draft.valid_until is None else draft.valid_until)
        details = self._expiring(draft, period)
        wording = Wording(draft.statement.content, draft.statement.triple, draft.statement.place)
        parents = self._parents(draft.derived_from)
        assertion = Assertion(
            memory.key,
            draft.origin,
            observed_at,
            period.start,
            period.end,
            draft.trust,
            details,
            wording,
            parents,
            self.learned_at,
        )
        return replace(assertion, identity=identify(assertion), wording=None if wording == memory.wording else wording)

    def _expiring(self, draft: Draft, period: Period) -> Details:
        expiry = draft.details.expires_at
        if draft.time_to_live is not None:
            expiry = self.learned_at + draft.time_to_live
        if expiry is None:
            return draft.details
        if expiry <= max(period.start, self.learned_at):
            raise InvalidValue(
                "The memory would expire before it holds or before it is stored; give a later expires_at."
            )
        return replace(draft.details, expires_at=expiry)

    def _parents(self, ids: Sequence[str]) -> tuple[bytes, ...]:
        if not ids:
            return ()
        kept = self.unit.memories.by_id(self.namespace, ids)
        if missing := [memory_id for memory_id in ids if memory_id not in kept]:
            raise UnknownMemory(f"There is no memory {missing[0]} to derive from.")
        return tuple(sorted({k.memory.key for k in kept.values()}))

    def _expect(self, expected: str, memory: Memory) -> None:
        kept = self.unit.memories.by_id(self.namespace, [expected]).get(expected)
        if kept is None:
            raise UnknownMemory(f"There is no memory {expected} that could be expected as current.")
        chain = self._placing.chain_of(memory)
        found = (
            self.unit.timelines.segments(self.namespace, chain, self.learned_at, self.learned_at + 1) if chain else []
        )
        if not found or found[0].statement != kept.statement:
            raise NotCurrent(f"{expected} is not in force now; nothing was changed.")

    def _receipt(self, memory_id: str, placed: Placed, similar: tuple[str, ...] = ()) -> Receipt:
        superseded: tuple[str, ...] = ()
        if placed.displaced is not None:
            displaced = self._memory(placed.displaced)
            superseded = () if displaced.nothing else (displaced.id,)
        chain_id = chain_name(self._head_id(memory_id, placed.chain))
        outcome = Outcome.STORED if placed.outcome is Outcome.SUPERSEDED and not superseded else placed.outcome
        return Receipt(outcome, memory_id, chain_id, superseded, similar=similar)

    def _head_id(self, memory_id: str, chain: int) -> str:
        return memory_id if chain == self.number else self._memory(chain).id

    def _memory(self, number: int) -> Memory:
        return self.unit.memories.get(self.namespace, [number])[number].memory


def chain_name(head: str) -> str:
    """The id of a chain, from the id of the memory that heads it."""
    return CHAIN_PREFIX + head.removeprefix(MEMORY_PREFIX)


def _request(draft: Draft) -> bytes:
    """What makes a request the same one again, whatever key it comes under."""
    return digest(repr(replace(draft, idempotency_key=None)))


def known(unit: Reading, namespace: Namespace, memory_id: str) -> Kept:
    """The memory of this id; raises `UnknownMemory`, also where it is another agent's."""
    kept = unit.memories.by_id(namespace, [memory_id]).get(memory_id)
    if kept is None:
        raise UnknownMemory(f"There is no memory {memory_id} here.")
    return kept
