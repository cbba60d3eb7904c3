"""Holding back: what waits for a person is kept apart from the memories, so that no path can find it.

What is held is the memory and the assertion as they would be kept. Released, they enter as if they had just been
learned; until then nothing is folded, indexed or counted of them. What is told again while it waits is not held twice,
and what a person denied stays denied.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from karte.core.assertions import Assertion, identify
from karte.core.memories import Memory, prefix_of
from karte.core.namespaces import Principal
from karte.core.origins import Origin
from karte.core.periods import EARLIEST
from karte.core.results import Outcome, Receipt
from karte.core.reviews import REVIEW_PREFIX, WAITS, Review, ReviewKind, ReviewState
from karte.engine.gathering import Frame
from karte.engine.removing import Going, Removing
from karte.engine.rows.records import read_assertion, read_memory, write_assertion, write_memory
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.engine.trusting.bursts import Bursts
from karte.engine.trusting.gate import BURST, INJECTION, Judged
from karte.ports import Told, Writing

DENIED: Final = "denied"
"""The mark of what a person denied before."""


@dataclass(frozen=True)
class Held:
    """A memory and an assertion of it that are kept apart; the memory has its id, and a number where it is known."""

    memory: Memory
    assertion: Assertion

    def to_json(self) -> str:
        """Both as JSON."""
        rows = {
            "memory": write_memory(None, self.memory),
            "assertion": write_assertion(None, self.memory.number, self.assertion),
        }
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Held:
        """Both from JSON."""
        rows = json.loads(text)
        memory = read_memory(rows["memory"])
        return cls(memory, read_assertion(memory.key, rows["assertion"]))

    @staticmethod
    def key_in(text: str) -> str:
        """The key of the memory alone, in hexadecimal, from JSON; reading all of it costs many times more."""
        key: str = json.loads(text)["memory"]["key"]
        return key

    @property
    def sameness(self) -> bytes:
        """A digest of all that a person looks at, whenever it was told and however long it is to be kept."""
        said = self.assertion
        return identify(
            replace(
                said,
                observed_at=EARLIEST,
                valid_from=EARLIEST if said.valid_from == said.observed_at else said.valid_from,
                details=replace(said.details, expires_at=None),
                wording=said.wording or self.memory.wording,
            )
        )


@dataclass
class Holding:
    """Holds back what one transaction may not let in."""

    services: Services
    caller: Principal
    unit: Writing
    frame: Frame
    _filed: dict[Origin, dict[str, list[Review]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bursts = Bursts(self.frame, self.unit, self.services.guarding)

    def refused(self, judged: Judged) -> Receipt:
        """Keep nothing; gives a receipt that says so."""
        assert judged.refused is not None  # noqa: S101 - the caller has asked
        action = auditing.PROMPT_INJECTION if INJECTION in judged.marks else judged.refused.value
        auditing.record(self.unit, self.caller, action, origin=judged.draft.origin.kind.value)
        return Receipt(judged.refused, "", "", marks=judged.marks)

    def hold(self, memory: Memory, assertion: Assertion, judged: Judged) -> Receipt:
        """Hold back an assertion of a memory, known or new."""
        if again := self.again(memory, assertion, judged.marks):
            return again
        if INJECTION in judged.marks:
            auditing.record(self.unit, self.caller, auditing.PROMPT_INJECTION, **(judged.held or {}))
        return self._open(memory, assertion, judged.held or {}, judged.marks)

    def again(self, memory: Memory, assertion: Assertion, marks: tuple[str, ...]) -> Receipt | None:
        """What becomes of what was held back before: it waits as it did, or was denied; None where neither is so."""
        sameness = Held(memory, assertion).sameness
        filed = self._filed_of(assertion.origin).get(memory.key.hex(), [])
        same = [review for review in filed if review.held and Held.read(review.held).sameness == sameness]
        if not same:
            return None
        last = max(same, key=lambda review: (review.opened_at, review.id))
        if last.state is ReviewState.DENIED:
            return Receipt(Outcome.REJECTED, "", "", marks=(DENIED,))
        in_burst = (BURST,) if BURST in json.loads(last.why) else ()
        return Receipt(Outcome.QUARANTINED, last.memory_id, "", review_id=last.id, marks=(*marks, *in_burst))

    def _filed_of(self, origin: Origin) -> dict[str, list[Review]]:
        """The reviews of what exactly this origin told that wait or were denied, by the keys of their memories."""
        found = self._filed.get(origin)
        if found is None:
            found = self._filed[origin] = {}
            now, standing = self.unit.last_learned(), (ReviewState.OPEN, ReviewState.DENIED)
            for review in self.unit.reviews.from_origin(self.frame.namespace, origin):
                if review.held and review.origin == origin and review.state_at(now) in standing:
                    found.setdefault(Held.key_in(review.held), []).append(review)
        return found

    def hold_burst(
        self, bucket: bytes, before: Sequence[Told], memory: Memory, assertion: Assertion, marks: tuple[str, ...]
    ) -> Receipt:
        """Hold back an assertion with the earlier members of its burst."""
        why = {"burst": len(before) + 1}
        for told in before:
            if told.number is not None:
                self._take_back(told.number, told.identity, why)
                self.bursts.count(bucket, replace(assertion, learned_at=told.learned_at, identity=told.identity), None)
        known = self.unit.memories.by_key(self.frame.namespace, [memory.key]).get(memory.key)
        receipt = self._open(known.memory if known else replace(memory, number=0), assertion, why, (*marks, BURST))
        self.bursts.count(bucket, assertion, None)
        return receipt

    def _take_back(self, number: int, identity: bytes, why: Mapping[str, Any]) -> None:
        kept = self.unit.memories.get(self.frame.namespace, [number]).get(number)
        said = self.unit.records.assertions(self.frame.namespace, [number])
        for assertion in said:
            if kept is not None and assertion.identity == identity:
                self._open(kept.memory, assertion, why, (BURST,))
                Removing(self.services, self.frame.namespace, self.unit)(Going({number: {identity}}))

    def _open(self, memory: Memory, assertion: Assertion, why: Mapping[str, Any], marks: tuple[str, ...]) -> Receipt:
        named = memory if memory.id else replace(memory, id=self.services.ids.new(prefix_of(memory.layer)))
        worded = replace(assertion, wording=assertion.wording or named.wording)
        now = self.unit.last_learned()
        review = Review(
            self.services.ids.new(REVIEW_PREFIX),
            ReviewKind.QUARANTINE,
            named.id,
            None,
            assertion.identity,
            assertion.origin,
            self.caller.actor,
            now,
            now + WAITS,
            json.dumps(why, sort_keys=True, ensure_ascii=False),
            Held(named, worded).to_json(),
        )
        self.unit.reviews.add(self.frame.namespace, review)
        self._filed_of(assertion.origin).setdefault(memory.key.hex(), []).append(review)
        auditing.record(self.unit, self.caller, auditing.QUARANTINED, review.id, **why)
        return Receipt(Outcome.QUARANTINED, named.id, "", review_id=review.id, marks=marks)
