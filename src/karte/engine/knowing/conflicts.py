"""Conflicts: facts of one domain that answer one question differently are found when the second is written.

Where that is sure, both are joined to one question and the fold decides; else both stay in force, contested, until
somebody who may write in the domain resolves it. A pair is filed once, whatever became of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from karte.core.assertions import Assertion, Link, LinkKind, identify_link
from karte.core.conflicts import Relation, Said, Verdict, compare
from karte.core.memories import Layer
from karte.core.namespaces import Principal
from karte.core.periods import FOREVER
from karte.core.results import Item, Outcome, Receipt
from karte.core.reviews import REVIEW_PREFIX, Review, ReviewKind, ReviewState
from karte.core.text import terms
from karte.core.trust import basis_points, tier
from karte.engine.asking import When
from karte.engine.gathering import Frame, Refold
from karte.engine.reading.describing import Describing
from karte.engine.recalling.voices.lexical import LexicalVoice
from karte.engine.recalling.voices.vector import Sought, VectorVoice, hear
from karte.engine.remembering.storing import chain_name
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.engine.trusting import auditing
from karte.ports import Kept, Writing

MOST_CANDIDATES: Final = 20
_DEPTH: Final = 60
_NEAREST: Final = 10
KARTE: Final = "karte"
"""Who decided, where the fold did."""


@dataclass(frozen=True)
class Told:
    """A fact that was just written: its memory, the assertion that said it, what the write did so far."""

    kept: Kept
    assertion: Assertion
    receipt: Receipt


@dataclass(frozen=True)
class Detecting:
    """Looks for facts that contradict one that was just written, in its domain; `sought` is the vector of its text."""

    services: Services
    unit: Writing
    caller: Principal
    sought: Sought | None = None

    @cached_property
    def _frame(self) -> Frame:
        return Frame(self.unit, self.caller.namespace, self.services.tiers)

    def __call__(self, told: Told) -> Receipt:
        """The receipt of a write, with the conflicts that it gave rise to and what was decided."""
        number, now = told.kept.memory.number, self.unit.last_learned()
        at = now if told.assertion.valid_from <= now < told.assertion.ends_at else told.assertion.valid_from
        describing = Describing(self._frame, When(at, now))
        rivals = self._rivals(told, describing)
        new = describing.items([number]).get(number) if rivals else None
        found = [self._file(told, new, old, verdict) for old, verdict in rivals] if new else []
        ids = tuple(review_id for review_id in found if review_id)
        return replace(self._settled(told, at), conflicts=ids) if ids else told.receipt

    def _rivals(self, told: Told, describing: Describing) -> list[tuple[Item, Verdict]]:
        """The facts in force that the new one contradicts, or may, nearest first."""
        mine = _said(told.kept, told.assertion.details.topic)
        likeness = self._likeness()
        near = self._near(told, likeness)
        holding = self.unit.timelines.holding(self.caller.namespace, near, describing.when.at, describing.when.now)
        items = describing.items([number for number in near if number in holding])
        compared = (
            (item, compare(mine, _said_by(item), likeness.get(number) if likeness else None))
            for number, item in items.items()
        )
        return [(item, verdict) for item, verdict in compared if verdict.relation.surfaced]

    def _near(self, told: Told, likeness: Mapping[int, float]) -> list[int]:
        """Facts of the same domain and of other chains that share words with the new one, or are near to it."""
        memory = told.kept.memory
        words = dict.fromkeys(terms(f"{told.assertion.details.topic or ''}\n{memory.content}"))
        voice = LexicalVoice(self.unit.lexicon, self.caller.namespace, list(words))
        first = next(voice.batches(_DEPTH), [])
        nearest = sorted(likeness, key=lambda number: -likeness[number])[:_NEAREST]
        kept = self.unit.memories.get(self.caller.namespace, [*first, *nearest])
        near = [
            number
            for number in dict.fromkeys([*nearest, *first])
            if number in kept and self._comparable(memory.scope, told.kept.chain, kept[number])
        ]
        return near[:MOST_CANDIDATES]

    def _comparable(self, scope: str, chain: int, other: Kept) -> bool:
        """Whether a memory is a fact of the same domain that answers another question so far."""
        memory = other.memory
        return memory.layer is Layer.SEMANTIC and memory.scope == scope and other.chain != chain and not memory.nothing

    def _likeness(self) -> dict[int, float]:
        """How near other memories are to the new one, 0..1 between what is unrelated and what is equal."""
        if self.sought is None:
            return {}
        voice = hear(self.unit, self.services.embeddings, self.caller.namespace, self.sought)
        if not isinstance(voice, VectorVoice):
            return {}
        rest, span = self.sought.rest, max(self.sought.full - self.sought.rest, 1e-6)
        near = voice.score(next(voice.batches(_DEPTH), []))
        return {number: min(max((cosine - rest) / span, 0.0), 1.0) for number, cosine in near.items()}

    def _file(self, told: Told, new: Item, old: Item, verdict: Verdict) -> str | None:
        """Put a pair on record, and join the two where that is sure; None where it was on record before."""
        other = self.unit.memories.get(self.caller.namespace, [old.memory.number])[old.memory.number]
        sure = verdict.relation is Relation.CONTRADICTION and self._decides(new, old)
        why = {"relation": verdict.relation.value, "confidence": round(verdict.confidence, 3)}
        if not sure or on_record(self.unit, self.caller, told.kept, other):
            return file(self.unit, self.services, self.caller, told.kept, other, why)
        self._join(told, other, basis_points(old.trust))
        return file(self.unit, self.services, self.caller, told.kept, other, {**why, "decided": True})

    def _decides(self, new: Item, old: Item) -> bool:
        """Whether the fold may decide by itself: between tiers it always guards, within one the newer weighs as much."""
        tiers = self.services.tiers
        if tier(basis_points(new.trust), tiers) != tier(basis_points(old.trust), tiers):
            return True
        return new.trust * new.confidence >= old.trust * old.confidence

    def _join(self, told: Told, other: Kept, trust: int) -> None:
        """Say that both answer one question. The link falls with the newer one's source, and with either memory."""
        now = self.unit.learn(self.services.clock.now())
        assertion = told.assertion
        keys = (told.kept.memory.key.hex(), other.memory.key.hex())
        full = max(assertion.trust, trust)  # it only joins: what then holds is guarded by the fold
        link = Link(LinkKind.SAME_QUESTION, *keys, assertion.origin, assertion.observed_at, full, now)
        self.unit.records.add_link(self.caller.namespace, replace(link, identity=identify_link(link)))
        numbers = [told.kept.memory.number, other.memory.number]
        Refold(self._frame, self.unit, now)(numbers)
        shadowing = Shadowing(self.services, self.unit, self._frame, self.caller.actor, assertion.identity)
        shadowing.of_memories(numbers, now)

    def _settled(self, told: Told, at: int) -> Receipt:
        """The receipt after the fold: whether the new fact took over, was kept out of force, or is contested."""
        number, namespace = told.kept.memory.number, self.caller.namespace
        receipt = replace(told.receipt, chain_id=self._chain_of(number))
        reviews = self.unit.reviews.about(namespace, [number])
        decided = [review for review in reviews if review.decided_by == KARTE]
        if not decided:
            return replace(receipt, status=Outcome.CONTESTED)
        others = self.unit.memories.get(namespace, [review.against for review in decided if review.against is not None])
        holding = self.unit.timelines.holding(namespace, [number, *others], at, at)
        if number not in holding:
            waiting = next((review.id for review in reviews if review.kind is ReviewKind.SHADOWED), None)
            status = Outcome.SHADOWED if waiting else Outcome.HISTORICAL
            return replace(receipt, status=status, review_id=waiting or receipt.review_id)
        lost = sorted(k.memory.id for n, k in others.items() if n not in holding)
        status = Outcome.SUPERSEDED if lost else receipt.status
        return replace(receipt, status=status, superseded=tuple(dict.fromkeys([*receipt.superseded, *lost])))

    def _chain_of(self, number: int) -> str:
        """The id of the chain that a memory belongs to now."""
        memories, namespace = self.unit.memories, self.caller.namespace
        chain = memories.get(namespace, [number])[number].chain
        return chain_name(memories.get(namespace, [chain])[chain].memory.id)


def _said(kept: Kept, topic: str | None) -> Said:
    return Said.of(kept.memory.content, topic, kept.memory.names)


def _said_by(item: Item) -> Said:
    return Said.of(item.memory.content, item.details.topic, item.memory.names)


def on_record(unit: Writing, caller: Principal, one: Kept, other: Kept) -> Review | None:
    """The conflict of two facts, if it was filed before, from whichever side."""
    pair = {one.memory.number, other.memory.number}
    filed = unit.reviews.about(caller.namespace, list(pair))
    return next((r for r in filed if r.kind is ReviewKind.CONTRADICTION and {r.number, r.against} == pair), None)


def file(
    unit: Writing, services: Services, caller: Principal, one: Kept, other: Kept, why: Mapping[str, Any]
) -> str | None:
    """Put a conflict of two facts on record; gives its id, None where it is on record already.

    `why` is plain values, never content; with `decided` it is one that the fold decided.
    """
    if on_record(unit, caller, one, other):
        return None
    memory = one.memory
    first = max(unit.records.assertions(caller.namespace, [memory.number]), key=lambda a: (a.learned_at, a.identity))
    now = unit.last_learned()
    decided = bool(why.get("decided"))
    review = Review(
        services.ids.new(REVIEW_PREFIX),
        ReviewKind.CONTRADICTION,
        memory.id,
        memory.number,
        first.identity,
        first.origin,
        caller.actor,
        now,
        FOREVER,
        json.dumps(dict(why), sort_keys=True),
        state=ReviewState.APPROVED if decided else ReviewState.OPEN,
        decided_by=KARTE if decided else None,
        decided_at=now if decided else None,
        against=other.memory.number,
    )
    unit.reviews.add(caller.namespace, review)
    auditing.record(unit, caller, auditing.CONFLICT_FOUND, review.id, decided=decided)
    return review.id
