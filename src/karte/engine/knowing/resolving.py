"""Conflicts as they are shown, and how somebody who may write in the domain resolves one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from karte.core.assertions import LinkKind, Withdrawal
from karte.core.conflicts import Said, compare
from karte.core.granting import Level
from karte.core.memories import check_name
from karte.core.namespaces import Principal, Scope
from karte.core.periods import write_instant
from karte.core.results import Item, Status
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.engine.asking import Asking, asking, every_review
from karte.engine.gathering import Frame, Refold
from karte.engine.given import read_choice, read_limit
from karte.engine.reading.describing import Describing
from karte.engine.remembering.superseding import own_trust, superseded
from karte.engine.remembering.withdrawing import withdraw_all
from karte.engine.repeating import repeated
from karte.engine.seeing import permitted
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.engine.trusting.blocking import refuse_blocked
from karte.errors import AlreadyDecided, HigherTier, InvalidValue, UnknownConflict
from karte.ports import Writing

MOST_LISTED: Final = 1_000


class Decision(StrEnum):
    """What becomes of two facts that contradict each other."""

    WINNER = "winner"
    BOTH_HOLD = "both_hold"
    NEITHER = "neither"


@dataclass(frozen=True)
class Conflict:
    """Two facts that contradict each other, the newer one first, and what was decided, if anything."""

    review: Review
    facts: tuple[Item, Item]

    @property
    def unresolved(self) -> bool:
        """Whether somebody still has to decide: nobody has, and both are in force."""
        open_ = self.review.state is ReviewState.OPEN
        return open_ and all(item.status is Status.IN_FORCE for item in self.facts)

    @property
    def decided(self) -> tuple[Decision, str | None] | None:
        """What somebody decided, with the winner, unless what lost then holds again; what the fold decided is not it."""
        why = json.loads(self.review.why)
        if not why.get("decision"):
            return None
        decision, winner = Decision(why["decision"]), why.get("winner") or self._winner(why)
        lost = [] if decision is Decision.BOTH_HOLD else [item for item in self.facts if item.id != winner]
        fallen = any(item.status is Status.IN_FORCE for item in lost)
        return None if fallen else (decision, winner if decision is Decision.WINNER else None)

    def to_dict(self) -> dict[str, Any]:
        """id, state, decision, winner, domain, repo, facts, differs, relation, confidence, times, who decided, note."""
        why, place = json.loads(self.review.why), self.facts[0].memory.place
        one, other = (Said.of(i.memory.content, i.details.topic, i.memory.names) for i in self.facts)
        return {
            "id": self.review.id,
            "state": "unresolved" if self.unresolved else "resolved",
            "decision": why.get("decision"),
            "winner": self._winner(why),
            "domain": place.domain,
            "repo": place.repo,
            "facts": [item.to_dict() for item in self.facts],
            "differs": list(compare(one, other).differs),
            "relation": why.get("relation"),
            "confidence": why.get("confidence"),
            "opened_at": write_instant(self.review.opened_at),
            "decided_by": self.review.decided_by,
            "decided_at": None if self.review.decided_at is None else write_instant(self.review.decided_at),
            "note": why.get("note"),
        }

    def _winner(self, why: dict[str, Any]) -> str | None:
        """The fact that alone holds of the two, however that came about."""
        holding = [item.id for item in self.facts if item.status is Status.IN_FORCE]
        return holding[0] if len(holding) == 1 and (why.get("decided") or why.get("decision")) else None


@repeated
def listed(services: Services, caller: Principal, *, unresolved_only: bool = True, limit: int = 100) -> list[Conflict]:
    """The conflicts of facts that the caller sees, newest first, at most `limit` (1..1,000)."""
    read_limit(limit, MOST_LISTED)
    with asking(services, caller) as question:
        filed = [r for r in every_review(question.unit, caller.namespace) if r.kind is ReviewKind.CONTRADICTION]
        shown = _shown(question, filed)
    return [conflict for conflict in shown if conflict.unresolved or not unresolved_only][:limit]


def _shown(question: Asking, filed: Sequence[Review]) -> list[Conflict]:
    numbers = {number for review in filed for number in (review.number, review.against) if number is not None}
    seen = question.shown(numbers)
    items = Describing(question.frame, question.when).items(sorted(seen))
    return [
        Conflict(review, (items[review.number], items[review.against]))
        for review in filed
        if review.number in items and review.against in items
    ]


@repeated
def resolve(
    services: Services, caller: Principal, conflict_id: str, decision: str, winner: str | None = None, note: str = ""
) -> Conflict:
    """Decide which of two facts holds: a winner, which supersedes the other one from now on, both, or neither.

    Needs to write in the domain. What was decided in just this way is left as it is. Raises `UnknownConflict`,
    `DomainRefused`, `AlreadyDecided` where somebody decided otherwise, and `HigherTier` where the loser is of a more
    trusted tier than the caller; then nothing is changed.
    """
    caller.require(Scope.WRITE)
    chosen = read_choice(Decision, decision, "decision")
    if note:
        check_name("The note", note)
    with services.store.writing() as unit:
        conflict = _found(services, caller, unit, conflict_id)
        permitted(unit, caller, conflict.facts[0].memory.place, Level.WRITE)
        refuse_blocked(unit, caller.origin)
        _check(conflict, chosen, winner)
        if conflict.decided is None:
            resolving = _Resolving(services, caller, unit, conflict)
            resolving.carry_out(chosen, winner)
            resolving.close(chosen, winner, note)
        return _found(services, caller, unit, conflict_id)


def _found(services: Services, caller: Principal, unit: Writing, conflict_id: str) -> Conflict:
    review = unit.reviews.of_id(caller.namespace, [conflict_id]).get(conflict_id)
    question = Asking.of(services, unit, caller)
    shown = _shown(question, [review] if review and review.kind is ReviewKind.CONTRADICTION else [])
    if not shown:
        raise UnknownConflict(f"There is no conflict {conflict_id} here.")
    return shown[0]


def _check(conflict: Conflict, decision: Decision, winner: str | None) -> None:
    """Raise `InvalidValue` for a winner that is none, `AlreadyDecided` where somebody decided otherwise."""
    if (decision is Decision.WINNER) != (winner is not None):
        raise InvalidValue("Name the winner by its id for the decision winner, and for no other one.")
    ids = [item.id for item in conflict.facts]
    if winner is not None and winner not in ids:
        raise InvalidValue(f"{winner!r:.80} is none of the two facts.", hint=f"They are {ids[0]} and {ids[1]}.")
    made = conflict.decided
    if made is None or made == (decision, winner):
        return
    raise AlreadyDecided(
        f"{conflict.review.id} was decided by {conflict.review.decided_by}: {' '.join(filter(None, made))}; "
        "nothing was changed.",
        hint="To change what holds, supersede or withdraw the facts themselves, or propose one of them anew.",
    )


@dataclass(frozen=True)
class _Resolving:
    services: Services
    caller: Principal
    unit: Writing
    conflict: Conflict

    def carry_out(self, decision: Decision, winner: str | None) -> None:
        if winner is not None:
            self._let_win(winner)
        elif decision is Decision.NEITHER:
            self._withdraw()
        else:
            self._part()

    def _let_win(self, winner: str) -> None:
        loser = next(item for item in self.conflict.facts if item.id != winner)
        receipt = superseded(self.services, self.caller, self.unit, (loser.id, winner))
        if not receipt.status.kept or loser.memory.number in self._holding(loser.memory.number):
            raise HigherTier(f"{loser.id} was said by a more trusted source than the caller; nothing was changed.")

    def _holding(self, number: int) -> dict[int, int]:
        now = max(self.unit.last_learned(), self.services.clock.now())
        return self.unit.timelines.holding(self.caller.namespace, [number], now, now)

    def _withdraw(self) -> None:
        for item in self.conflict.facts:
            withdrawn = withdraw_all(self.services, self.caller, self.unit, item.memory.number)
            if withdrawn.standing:
                raise HigherTier(f"{item.id} was said by a more trusted source than the caller; nothing was changed.")

    def _part(self) -> None:
        """Withdraw what joined the two to one question."""
        records, namespace = self.unit.records, self.caller.namespace
        keys = {item.memory.key.hex() for item in self.conflict.facts}
        links = records.memory_links(namespace, [item.memory.key for item in self.conflict.facts])
        joining = [link for link in links if link.kind is LinkKind.SAME_QUESTION and {link.left, link.right} == keys]
        now = self.unit.learn(self.services.clock.now())
        for link in joining:
            trust = own_trust(self.caller)
            records.add_withdrawal(namespace, Withdrawal(link.identity, self.caller.origin, trust, learned_at=now))
        if joining:
            frame = Frame(self.unit, namespace, self.services.tiers)
            Refold(frame, self.unit, now)([item.memory.number for item in self.conflict.facts])

    def close(self, decision: Decision, winner: str | None, note: str) -> None:
        review = self.conflict.review
        said = {name: value for name, value in (("winner", winner), ("note", note)) if value}
        kept = {name: value for name, value in json.loads(review.why).items() if name not in ("winner", "note")}
        why = {**kept, "decision": decision.value, **said}
        decided = replace(
            review,
            state=ReviewState.APPROVED,
            decided_by=self.caller.actor,
            decided_at=self.unit.last_learned(),
            why=json.dumps(why, sort_keys=True, ensure_ascii=False),
        )
        self.unit.reviews.replace(self.caller.namespace, decided)
        auditing.record(self.unit, self.caller, auditing.CONFLICT_RESOLVED, review.id, decision=decision.value)
