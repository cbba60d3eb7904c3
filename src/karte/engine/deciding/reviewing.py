"""Reviewing: what waits for a person is shown, and a person decides.

A decision is bound to a digest of what was shown: where that has changed meanwhile, nothing happens. No agent decides,
and nobody decides about what they wrote themselves. What nobody decides in time is denied by the clock.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from karte.core.assertions import Assertion, identify
from karte.core.memories import Memory
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.periods import write_instant
from karte.core.results import Receipt
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.core.trust import FALLEN, FULL
from karte.engine.asking import owners_of, present
from karte.engine.deciding.staleness import Stale, stale_item, stale_items
from karte.engine.given import read_limit
from karte.engine.remembering.storing import Session
from karte.engine.remembering.superseding import own_trust, superseded
from karte.engine.remembering.withdrawing import withdraw_all
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing, requests
from karte.engine.trusting.holding import Held
from karte.errors import AlreadyDecided, InvalidValue, OwnWriting, ShownDiffers, UnknownReview
from karte.ports import Kept, Reading, Writing

MOST_LISTED: Final = 1_000


@dataclass(frozen=True)
class Shown:
    """A review as a person sees it: what is claimed, by whom, why it waits; `digest` names exactly this."""

    review: Review
    owner: str
    memory: Memory
    assertion: Assertion
    against: str | None
    state: ReviewState

    @property
    def digest(self) -> str:
        """The SHA-256 of what is shown, in hexadecimal."""
        shown = {
            name: value for name, value in self._told().items() if name not in ("state", "decided_by", "decided_at")
        }
        return hashlib.sha256(json.dumps(shown, sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """id, kind, state, owner, memory_id, what is claimed, origin, writer, why, times, against, digest."""
        return {**self._told(), "digest": self.digest}

    def _told(self) -> dict[str, Any]:
        review, wording = self.review, self.assertion.wording or self.memory.wording
        triple = wording.triple
        return {
            "id": review.id,
            "kind": review.kind.value,
            "state": self.state.value,
            "owner": self.owner,
            "memory_id": review.memory_id,
            "content": wording.content,
            "subject": triple and triple.subject,
            "predicate": triple and triple.predicate,
            "object": triple and triple.object,
            "domain": wording.place.domain,
            "repo": wording.place.repo,
            "metadata": json.loads(self.assertion.details.metadata),
            "valid_from": write_instant(self.assertion.valid_from),
            "valid_until": write_instant(self.assertion.valid_until),
            "observed_at": write_instant(self.assertion.observed_at),
            "trust": self._trust / FULL,
            "origin": {
                "kind": review.origin.kind.value,
                "container": review.origin.container or None,
                "item": review.origin.item or None,
            },
            "writer": review.writer,
            "why": json.loads(review.why),
            "against": self.against,
            "opened_at": write_instant(review.opened_at),
            "expires_at": write_instant(review.expires_at),
            "decided_by": review.decided_by,
            "decided_at": None if review.decided_at is None else write_instant(review.decided_at),
        }

    @property
    def _trust(self) -> int:
        """What was denied, or not released in time, is hardly trusted, whoever said it."""
        fallen = self.review.kind is ReviewKind.QUARANTINE and self.state in (ReviewState.DENIED, ReviewState.EXPIRED)
        return min(self.assertion.trust, FALLEN) if fallen else self.assertion.trust


@dataclass(frozen=True)
class Decided:
    """What a decision did."""

    review: Review
    receipt: Receipt | None = None

    def to_dict(self) -> dict[str, Any]:
        """id, kind, state, memory_id, receipt."""
        review = self.review
        named = {"id": review.id, "kind": review.kind.value, "state": review.state.value}
        return {**named, "memory_id": review.memory_id, "receipt": self.receipt and self.receipt.to_dict()}


@repeated
def listed(services: Services, caller: Principal, *, decided: bool = False, limit: int = 100) -> list[Shown]:
    """What waits for a person in the whole workspace, newest first; with `decided` what was decided too.

    Needs the scope review, and no agent has it. At most `limit` (1..1,000).
    """
    caller.decide(Scope.REVIEW)
    states = list(ReviewState) if decided else [ReviewState.OPEN]
    with services.store.reading() as unit:
        owners = owners_of(unit)
        found = [shown for owner in owners for shown in _shown_of(services, unit, owner, states, limit)]
    waiting = [shown for shown in found if decided or shown.state is ReviewState.OPEN]
    return sorted(waiting, key=lambda shown: (shown.review.opened_at, shown.review.id), reverse=True)[:limit]


@repeated
def pending(services: Services, caller: Principal, limit: int = 100) -> list[Shown]:
    """What of the caller's own writes in its namespace waits for a person, newest first."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        found = _shown_of(services, unit, caller.namespace, [ReviewState.OPEN], MOST_LISTED)
    mine = [one for one in found if one.review.writer == caller.actor and one.state is ReviewState.OPEN]
    return mine[: read_limit(limit, MOST_LISTED)]


def _shown_of(
    services: Services, unit: Reading, owner: Namespace, states: Collection[ReviewState], limit: int
) -> list[Shown]:
    now = present(services, unit)
    found = (
        _shown(unit, owner, review, now)
        for review in unit.reviews.listed(owner, states, read_limit(limit, MOST_LISTED))
    )
    stale = [_stale(owner, item) for item in islice(stale_items(services, unit, owner), limit)]
    return [*(shown for shown in found if shown is not None), *stale]


def _stale(owner: Namespace, item: Stale) -> Shown:
    return Shown(item.review, owner.owner, item.memory, item.assertion, None, ReviewState.OPEN)


def _shown(unit: Reading, owner: Namespace, review: Review, now: int) -> Shown | None:
    state = review.state_at(now)
    if review.held is not None:
        held = Held.read(review.held)
        return Shown(review, owner.owner, held.memory, held.assertion, None, state)
    numbers = [] if review.number is None else [review.number]
    kept = unit.memories.get(owner, numbers)
    said = [
        a for a in unit.records.assertions(owner, _same_statement(unit, owner, kept)) if a.identity == review.target
    ]
    if not kept or not said or review.number is None:
        return None
    against = _rival(unit, owner, review) or _against(unit, owner, kept[review.number], now)
    return Shown(review, owner.owner, kept[review.number].memory, said[0], against, state)


def _rival(unit: Reading, owner: Namespace, review: Review) -> str | None:
    """The id of the fact that a fact contradicts, where the review is about that."""
    found = [] if review.against is None else unit.memories.get(owner, [review.against]).values()
    return next((kept.memory.id for kept in found), None)


def _same_statement(unit: Reading, owner: Namespace, kept: dict[int, Kept]) -> list[int]:
    """The members of the chain of a memory, among which is whoever makes its statement."""
    return [
        number for one in kept.values() for number in {one.memory.number, *unit.memories.in_chain(owner, one.chain)}
    ]


def _against(unit: Reading, owner: Namespace, kept: Kept, now: int) -> str | None:
    """The id of the memory that is in force where a claim is not."""
    found = unit.timelines.segments(owner, kept.chain, now, now + 1)
    others = unit.memories.get(owner, [found[0].statement]).values() if found else ()
    return next((other.memory.id for other in others if not other.memory.nothing), None)


@repeated
def show(services: Services, caller: Principal, review_id: str) -> Shown:
    """One review; needs the scope review. Raises `UnknownReview`."""
    caller.decide(Scope.REVIEW)
    with services.store.reading() as unit:
        return _found(services, unit, review_id)[1]


def _found(services: Services, unit: Reading, review_id: str) -> tuple[Namespace, Shown]:
    now = present(services, unit)
    for owner in owners_of(unit):
        review = unit.reviews.of_id(owner, [review_id]).get(review_id)
        shown = review and _shown(unit, owner, review, now)
        if shown:
            return owner, shown
        item = stale_item(services, unit, owner, review_id)
        if item:
            return owner, _stale(owner, item)
    raise UnknownReview(f"There is no review {review_id} here.")


@repeated
def approve(services: Services, caller: Principal, review_id: str, digest: str) -> Decided:
    """Release what is quarantined, or endorse a shadowed claim, exactly as it was shown under `digest`.

    Needs the scope review, of a person who did not write it. Raises `UnknownReview`, `OwnWriting`, `AlreadyDecided`,
    `ShownDiffers`.
    """
    with services.store.writing() as unit:
        owner, shown = _decidable(services, caller, unit, review_id, digest)
        acting = replace(caller, namespace=owner)
        carry_out, action = _APPROVALS[shown.review.kind]
        receipt = carry_out(services, acting, unit, shown)
        review = _closed(unit, caller, owner, shown, ReviewState.APPROVED)
        auditing.record(unit, caller, action, review.id, owner.owner)
        return Decided(review, receipt)


@repeated
def deny(services: Services, caller: Principal, review_id: str, digest: str, reason: str = "") -> Decided:
    """Reject what is quarantined for good, or withdraw a shadowed claim; as `approve` otherwise."""
    with services.store.writing() as unit:
        owner, shown = _decidable(services, caller, unit, review_id, digest)
        unit.learn(services.clock.now())
        if shown.review.kind in (ReviewKind.SHADOWED, ReviewKind.STALE):
            number = unit.memories.by_key(owner, [shown.assertion.key])[shown.assertion.key].memory.number
            withdraw_all(services, replace(caller, namespace=owner), unit, number, reason)
        review = _closed(unit, caller, owner, shown, ReviewState.DENIED)
        auditing.record(unit, caller, auditing.REJECTED, review.id, owner.owner)
        return Decided(review)


def _decidable(
    services: Services, caller: Principal, unit: Reading, review_id: str, digest: str
) -> tuple[Namespace, Shown]:
    caller.decide(Scope.REVIEW)
    owner, shown = _found(services, unit, review_id)
    if shown.review.kind is ReviewKind.CONTRADICTION:
        raise InvalidValue(
            "Which of two facts holds is neither approved nor denied; name the one that does, both, or neither.",
            hint=f"karte conflict resolve {review_id}",
        )
    if shown.review.writer == caller.actor:
        raise OwnWriting
    if shown.state is not ReviewState.OPEN:
        raise AlreadyDecided(f"{review_id} is {shown.state.value}; nothing was changed.")
    if shown.digest != digest:
        raise ShownDiffers
    return owner, shown


def _closed(unit: Writing, caller: Principal, owner: Namespace, shown: Shown, state: ReviewState) -> Review:
    """Keep the decision; what was released is among the memories now, and not held twice."""
    review = replace(shown.review, state=state, decided_by=caller.actor, decided_at=unit.last_learned())
    if review.held is not None and state is ReviewState.APPROVED:
        kept = unit.memories.by_key(owner, [shown.memory.key])[shown.memory.key].memory
        review = replace(review, held=None, number=kept.number, memory_id=kept.id)
    unit.reviews.replace(owner, review)
    return review


def _release(services: Services, acting: Principal, unit: Writing, shown: Shown) -> Receipt:
    session = Session(services, acting, unit, 1)
    session.learned_at += 1
    kept = unit.memories.by_key(acting.namespace, [shown.memory.key]).get(shown.memory.key)
    memory = kept.memory if kept else shown.memory
    words = None if shown.assertion.wording == memory.wording else shown.assertion.wording
    receipt = session.let_in(kept or memory, replace(shown.assertion, learned_at=session.learned_at, wording=words))
    session.finish()
    return receipt


def _endorse(services: Services, acting: Principal, unit: Writing, shown: Shown) -> Receipt:
    """Say the claim again in the decider's name: for its period, as of its time, and as long as its source is there."""
    session = Session(services, acting, unit, 1)
    session.learned_at += 1
    claim = shown.assertion
    again = replace(
        claim,
        origin=acting.origin,
        trust=own_trust(acting),
        learned_at=session.learned_at,
        rests_on=(claim.identity,),
    )
    kept = unit.memories.by_key(acting.namespace, [claim.key])[claim.key]
    receipt = session.let_in(kept, replace(again, identity=identify(again)))
    session.finish()
    return receipt


def _grant(services: Services, acting: Principal, unit: Writing, shown: Shown) -> Receipt | None:
    """Do in the decider's name what somebody asked for."""
    asked = json.loads(shown.review.why)
    if asked[requests.ASKED] == requests.SUPERSEDE:
        return superseded(services, acting, unit, (shown.review.memory_id, asked["by"]))
    withdraw_all(services, acting, unit, shown.review.number or 0)
    return None


def _keep(services: Services, acting: Principal, unit: Writing, shown: Shown) -> None:
    """Leave a stale memory as it is: the decision alone is kept, for just the parents that have fallen."""


_Act = Callable[[Services, Principal, Writing, Shown], Receipt | None]
_APPROVALS: Final[Mapping[ReviewKind, tuple[_Act, str]]] = {
    ReviewKind.QUARANTINE: (_release, auditing.RELEASED),
    ReviewKind.SHADOWED: (_endorse, auditing.ENDORSED),
    ReviewKind.CONFLICT: (_grant, auditing.GRANTED_REQUEST),
    ReviewKind.STALE: (_keep, auditing.KEPT),
}
"""What an approval does, and what the log calls it."""
