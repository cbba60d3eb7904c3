"""Storing: one transaction that keeps memories and assertions, refolds what they touch and indexes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from karte.core.assertions import Assertion, digest
from karte.core.memories import Memory, Wording, prefix_of
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.periods import FOREVER, Period
from karte.core.results import Outcome, Receipt
from karte.engine import indexing
from karte.engine.drafting import Draft
from karte.engine.gathering import Frame
from karte.engine.likeness import is_compared, link_alike
from karte.engine.remembering.dating import dated, expiring
from karte.engine.remembering.foreseeing import Foreseen, Foresight
from karte.engine.remembering.placing import Placed, Placing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.engine.trusting.gate import Gate, Judged
from karte.engine.trusting.holding import Holding
from karte.errors import FutureObservation, KarteError, KeyReused, NotCurrent, UnknownMemory
from karte.ports import Document, Kept, KeptReceipt, Reading, Told, Writing

CHAIN_PREFIX: Final = "chn_"
_AHEAD: Final = 500
"""So many drafts are looked at together: what is found out of them is at hand when they are stored."""


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
    admitted: bytes = b""
    _placed: Placed | None = None

    def __post_init__(self) -> None:
        self.now = self.services.clock.now()
        self.learned_at = self.unit.learn(self.now, self.count) - 1
        self.number = self.unit.memories.reserve(self.namespace, self.count) - 1
        self.frame = Frame(self.unit, self.namespace, self.services.tiers)
        self.gate = Gate(self.unit, self.services.guarding)
        self.ahead = Foresight(self.unit, self.namespace, self.gate, indexing.hasher(self.unit.lexicon.key()))
        self.holding = Holding(self.services, self.caller, self.unit, self.frame)

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
        receipts: list[Receipt] = []
        for start in range(0, len(drafts), _AHEAD):
            foreseen = self.ahead.look(drafts[start : start + _AHEAD])
            receipts += [self._numbered(each, number) for number, each in enumerate(foreseen, start + 1)]
        self.finish()
        return receipts

    def _numbered(self, foreseen: Foreseen, number: int) -> Receipt:
        """Store one draft of several; an error says which one it was."""
        try:
            return self._once(foreseen)
        except KarteError as error:
            if self.count > 1:
                error.message = f"Item {number}: {error.message}"
            raise

    def finish(self) -> None:
        """Index what was stored."""
        indexing.add(self.unit.lexicon, self.namespace, self.documents)
        self.documents.clear()

    def _once(self, foreseen: Foreseen) -> Receipt:
        draft, key = foreseen.draft, foreseen.draft.idempotency_key
        if key is None:
            return self.remember_foreseen(foreseen)
        request = _request(draft)
        if kept := self.unit.receipts.find(self.namespace, key):
            if kept.request != request:
                raise KeyReused
            return Receipt.from_dict(json.loads(kept.receipt))
        receipt = self.remember_foreseen(foreseen)
        if receipt.status.kept:
            self._keep_receipt(key, request, receipt, receipt.memory_id)
        return receipt

    def _keep_receipt(self, key: str, request: bytes, receipt: Receipt, memory_id: str) -> None:
        memory = self.unit.memories.by_id(self.namespace, [memory_id])[memory_id].memory
        kept = KeptReceipt(request, json.dumps(receipt.to_dict()), self.admitted)
        self.unit.receipts.keep(self.namespace, key, kept, memory.number)

    def judge(self, draft: Draft) -> Judged:
        """What the gate makes of a draft, for a command that does more than store it."""
        return self.gate.judge(draft)

    def remember(self, draft: Draft) -> Receipt:
        """Store one draft, if the gate lets it in; else it waits for a person, or nothing of it is kept."""
        return self.remember_foreseen(self.ahead.look([draft])[0])

    def remember_foreseen(self, foreseen: Foreseen) -> Receipt:
        """Store a draft that was looked at ahead."""
        self.learned_at += 1
        judged, said = foreseen.judged, foreseen.said
        if judged.refused is not None:
            return self.holding.refused(judged)
        draft, kept = judged.draft, self.ahead.kept(said)
        assertion = self._assertion(draft, kept.memory if kept else said)
        if draft.expect_current is not None:
            self._expect(draft.expect_current, kept.memory if kept else said)
        if judged.held is not None and not self._is_kept(kept, assertion):
            return self.holding.hold(kept.memory if kept else said, assertion, judged)
        return self.admit(kept or said, assertion, judged.marks)

    def admit(self, known: Kept | Memory, assertion: Assertion, marks: tuple[str, ...] = ()) -> Receipt:
        """Let in what the gate passed, unless it makes a burst: `known` is the memory as kept, or one that is new."""
        self.admitted = assertion.identity
        kept = known if isinstance(known, Kept) else None
        memory = known.memory if isinstance(known, Kept) else known
        if kept and self._is_kept(kept, assertion):
            return self._receipt(memory.id, Placed(kept.chain, kept.statement, Outcome.UNCHANGED), marks=marks)
        bucket = self.holding.bursts.bucket(memory, assertion)
        if bucket is not None and (again := self.holding.again(memory, assertion, marks)) is not None:
            return again
        if bucket is not None and (before := self.holding.bursts.before(bucket, assertion)) is not None:
            return self._held_with(bucket, before, memory, assertion, marks)
        receipt = self.let_in(kept or memory, assertion, marks)
        if bucket is not None:
            self.holding.bursts.count(bucket, assertion, kept.memory.number if kept else self.number)
        return receipt

    def _is_kept(self, kept: Kept | None, assertion: Assertion) -> bool:
        if kept is None:
            return False
        return self.unit.records.has_assertion(self.namespace, kept.memory.number, assertion.identity)

    def let_in(self, known: Kept | Memory, assertion: Assertion, marks: tuple[str, ...] = ()) -> Receipt:
        """Keep an assertion that is not kept yet, of a memory as kept or of a new one."""
        receipt = self._further(known, assertion) if isinstance(known, Kept) else self._first(known, assertion)
        return self._reviewed(replace(receipt, marks=marks) if marks else receipt, assertion)

    def _held_with(
        self, bucket: bytes, before: Sequence[Told], memory: Memory, assertion: Assertion, marks: tuple[str, ...]
    ) -> Receipt:
        """Hold back an assertion with the burst that it belongs to, what of that is kept already included."""
        self.finish()
        receipt = self.holding.hold_burst(bucket, before, memory, assertion, marks)
        self.learned_at = max(self.learned_at, self.unit.last_learned())
        return receipt

    def _reviewed(self, receipt: Receipt, assertion: Assertion) -> Receipt:
        """Open a review where a less trusted claim and a more trusted one disagree about what holds."""
        placed = self._placed
        if placed is None or placed.chain == self.number or not self.services.tiers:
            return receipt
        shadowing = Shadowing(self.services, self.unit, self.frame, self.caller.actor, assertion.identity)
        review = shadowing.of_chain(placed.chain, max(self.learned_at, assertion.valid_from))
        return replace(receipt, review_id=review) if review and receipt.status is Outcome.SHADOWED else receipt

    @property
    def _placing(self) -> Placing:
        return Placing(self.frame, self.unit, self.learned_at)

    def _further(self, kept: Kept, assertion: Assertion) -> Receipt:
        self.unit.records.add_assertion(self.namespace, kept.memory.number, assertion)
        placed = self._placing.further(kept, assertion)
        self._recall_from_archive(kept.memory, placed)
        return self._receipt(kept.memory.id, placed)

    def _first(self, said: Memory, assertion: Assertion) -> Receipt:
        self.number += 1
        memory = said.kept_as(self.number, said.id or self.services.ids.new(prefix_of(said.layer)))
        self.ahead.keep(memory)
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
        if not memory.indexed:
            return []
        text = self.ahead.entry(memory)
        self.documents.append(text.document)
        if not is_compared(memory):
            return []
        bands = self.ahead.bands(text)
        return link_alike(self.unit, self.namespace, text, bands, self.learned_at, alone=self.ahead.alone(bands))

    def _assertion(self, draft: Draft, memory: Memory) -> Assertion:
        parents = self._parents(draft.derived_from)
        draft = dated(draft, self.frame, parents, self.learned_at)
        observed_at = self.learned_at if draft.observed_at is None else draft.observed_at
        if draft.observed_at is not None and draft.observed_at > max(self.now, self.learned_at):
            raise FutureObservation
        start = observed_at if draft.valid_from is None else draft.valid_from
        period = Period(start, FOREVER if draft.valid_until is None else draft.valid_until)
        details = expiring(draft, period, self.learned_at)
        wording = Wording(draft.statement.content, draft.statement.triple, draft.statement.place)
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
            rests_on=draft.rests_on,
        )
        return assertion.identified(None if wording == memory.wording else wording)

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

    def _receipt(
        self, memory_id: str, placed: Placed, similar: tuple[str, ...] = (), *, marks: tuple[str, ...] = ()
    ) -> Receipt:
        superseded: tuple[str, ...] = ()
        self._placed = placed
        if placed.displaced is not None:
            displaced = self._memory(placed.displaced)
            superseded = () if displaced.nothing else (displaced.id,)
        chain_id = chain_name(self._head_id(memory_id, placed.chain))
        outcome = Outcome.STORED if placed.outcome is Outcome.SUPERSEDED and not superseded else placed.outcome
        return Receipt(outcome, memory_id, chain_id, superseded, similar=similar, marks=marks)

    def _head_id(self, memory_id: str, chain: int) -> str:
        return memory_id if chain == self.number else self._memory(chain).id

    def _memory(self, number: int) -> Memory:
        return self.unit.memories.get(self.namespace, [number])[number].memory


def chain_name(head: str) -> str:
    """The id of a chain, from the id of the memory that heads it."""
    return CHAIN_PREFIX + head.partition("_")[2]


def _request(draft: Draft) -> bytes:
    """What makes a request the same one again, whatever key it comes under."""
    return digest(repr(replace(draft, idempotency_key=None)))


def known(unit: Reading, namespace: Namespace, memory_id: str) -> Kept:
    """The memory of this id; raises `UnknownMemory`, also where it is another agent's."""
    kept = unit.memories.by_id(namespace, [memory_id]).get(memory_id)
    if kept is None:
        raise UnknownMemory(f"There is no memory {memory_id} here.")
    return kept
