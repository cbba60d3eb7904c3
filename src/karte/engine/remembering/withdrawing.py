"""Withdrawing: what was said stops counting, and what it displaced is in force again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from karte.core.assertions import Assertion, Details, Veracity, Withdrawal
from karte.core.memories import Memory, Statement, check_name
from karte.core.namespaces import Principal, Scope
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.results import Receipt, Withdrawn
from karte.core.text import fold_name
from karte.core.trust import tier
from karte.engine.drafting import Draft, usual_details
from karte.engine.gathering import Frame, Refold
from karte.engine.remembering.storing import Session, known
from karte.engine.remembering.superseding import own_trust
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.engine.trusting import auditing, requests
from karte.engine.trusting.blocking import refuse_blocked
from karte.errors import InvalidValue, NotCurrent, UnknownOrigin
from karte.ports import Kept, Reading, Writing

WITHDRAWN: Final = "withdrawn"
CORRECTED: Final = "corrected"
ORIGIN_PURGE: Final = "origin_purge"


@dataclass(frozen=True)
class Reason:
    """Why assertions stop counting: the caller's words, and the event that history names."""

    words: str = ""
    event: str = WITHDRAWN

    def __post_init__(self) -> None:
        if self.words:
            check_name("The reason", self.words)


@dataclass(frozen=True)
class _Withdrawing:
    services: Services
    unit: Writing
    caller: Principal
    frame: Frame
    now: int

    def __call__(self, targets: Sequence[tuple[int, Assertion]], reason: Reason) -> Withdrawn:
        """Withdraw these assertions, also those that somebody else withdrew before: each source has its own say."""
        numbers = sorted({number for number, _ in targets})
        counted = {assertion.identity for assertion in self.frame.counting([a for _, a in targets])}
        before = self.frame.holders(numbers, self.now)
        for _, assertion in targets:
            withdrawal = Withdrawal(
                assertion.identity, self.caller.origin, own_trust(self.caller), reason.words, reason.event, self.now
            )
            self.unit.records.add_withdrawal(self.caller.namespace, withdrawal)
        Refold(self.frame, self.unit, self.now)(numbers)
        Shadowing(self.services, self.unit, self.frame).of_memories(numbers, self.now)
        revived = self.frame.holders(numbers, self.now) - before
        stopped = [number for number, a in targets if a.identity in counted and self._reaches(a)]
        fallen = self._ids(set(stopped))
        auditing.record(self.unit, self.caller, reason.event, ids=self._ids(set(numbers)))
        return Withdrawn(len(stopped), len(counted) - len(stopped), tuple(fallen), tuple(self._ids(revived)))

    def _reaches(self, assertion: Assertion) -> bool:
        """Whether the caller's tier is that of the assertion or higher, so that a withdrawal acts on it."""
        return tier(own_trust(self.caller), self.frame.tiers) >= tier(assertion.trust, self.frame.tiers)

    def _ids(self, numbers: Collection[int]) -> list[str]:
        kept = self.unit.memories.get(self.caller.namespace, numbers)
        return sorted(k.memory.id for k in kept.values() if not k.memory.nothing)


def _withdrawing(services: Services, caller: Principal, unit: Writing) -> _Withdrawing:
    refuse_blocked(unit, caller.origin)
    now = unit.learn(services.clock.now())
    return _Withdrawing(services, unit, caller, Frame(unit, caller.namespace, services.tiers), now)


def withdraw_all(services: Services, caller: Principal, unit: Writing, number: int, reason: str = "") -> Withdrawn:
    """Withdraw every assertion of a memory, within a transaction."""
    said = unit.records.assertions(caller.namespace, [number])
    return _withdrawing(services, caller, unit)([(number, assertion) for assertion in said], Reason(reason))


@repeated
def withdraw(services: Services, caller: Principal, memory_id: str, reason: str = "") -> Withdrawn:
    """Let every assertion of this memory that is known now stop counting; a second time changes nothing.

    It acts only on assertions of the caller's tier or a lower one; the others are counted in `standing`, and a person is
    asked to decide about them. Raises `UnknownMemory`.
    """
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        return withdrawn_or_asked(services, caller, unit, known(unit, caller.namespace, memory_id), reason)


def withdrawn_or_asked(services: Services, caller: Principal, unit: Writing, kept: Kept, reason: str) -> Withdrawn:
    """Do what `withdraw` does within a transaction."""
    withdrawn = withdraw_all(services, caller, unit, kept.memory.number, reason)
    if not withdrawn.standing:
        return withdrawn
    asked = {requests.ASKED: requests.WITHDRAW, "standing": withdrawn.standing}
    return replace(withdrawn, review_id=requests.request(services, caller, unit, kept, asked))


@repeated
def correct(services: Services, caller: Principal, memory_id: str, draft: Draft, reason: str = "") -> Receipt:
    """Withdraw a memory and state `draft` for the same periods instead.

    Raises `UnknownMemory`, and `NotCurrent` where nothing of the memory counts any more.
    """
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        kept = known(unit, caller.namespace, memory_id)
        frame = Frame(unit, caller.namespace, services.tiers)
        known_said = unit.records.assertions(caller.namespace, [kept.memory.number])
        said = frame.counting(known_said)
        if not said:
            raise NotCurrent(f"{memory_id} is withdrawn already; store the right statement instead.")
        session = Session(services, caller, unit, len(said))
        judged = session.judge(draft)
        if judged.refused is not None or judged.held is not None:
            return session.remember(draft)
        act = _withdrawing(services, caller, unit)
        act([(kept.memory.number, assertion) for assertion in known_said], Reason(reason, CORRECTED))
        receipts = [session.remember(again) for again in _restatements(draft, said)]
        session.finish()
        return receipts[0]


def _restatements(draft: Draft, said: Sequence[Assertion]) -> list[Draft]:
    """The draft for each period that a source gave, resting on the first assertion that gave it, with what that says.

    So a restatement goes when the source is forgotten whose period, tags and so on it took over.
    """
    first: dict[tuple[int, int, str, str, str], Assertion] = {}
    for assertion in sorted(said, key=lambda a: (a.learned_at, a.identity)):
        first.setdefault((assertion.valid_from, assertion.valid_until, *assertion.origin.order), assertion)
    return [_restatement(draft, assertion) for _, assertion in sorted(first.items(), key=lambda item: item[0])]


def _restatement(draft: Draft, assertion: Assertion) -> Draft:
    end = assertion.valid_until
    return replace(
        draft,
        details=_stated(assertion),
        valid_from=assertion.valid_from,
        valid_until=None if end == FOREVER else end,
        rests_on=(assertion.identity,),
    )


def _stated(assertion: Assertion) -> Details:
    """What an assertion says beside the statement, as somebody states it who corrects that."""
    return replace(assertion.details, veracity=Veracity.STATED, confidence=None, expires_at=None)


@repeated
def restated(services: Services, caller: Principal, memory_id: str, content: str, value: str | None = None) -> Draft:
    """A draft that answers the same question in the same place, with other words and perhaps another object.

    It takes over no tag or type of the memory: those belong to who gave them, and go with that source. Raises
    `UnknownMemory`, `MissingScope`, and what `restating` raises.
    """
    caller.require(Scope.WRITE)
    with services.store.reading() as unit:
        return restating(unit, caller, known(unit, caller.namespace, memory_id).memory, content, value)


def restating(unit: Reading, caller: Principal, memory: Memory, content: str, value: str | None) -> Draft:
    """The draft that `restated` gives, within a unit of work.

    Raises `InvalidValue` where the memory's text has its value, the new one has not, and no other value is given: the
    fact would go on having what the text corrects.
    """
    first = min(unit.records.assertions(caller.namespace, [memory.number]), key=lambda a: a.order)
    triple = memory.triple and replace(memory.triple, object=value or memory.triple.object)
    told_in = "\x1f".join(first.origin.order) if first.origin.item else ""
    statement = Statement(content, memory.layer, triple, memory.place, told_in)
    old = memory.triple.object if memory.triple else None
    if value is None and old and content.strip() and _has(memory.content, old) and not _has(content, old):
        raise InvalidValue(f"The new text does not have the value of the fact, {old!r}; give its value as object.")
    return Draft(statement, caller.origin, usual_details(statement, caller.origin), own_trust(caller))


def _has(text: str, value: str) -> bool:
    return fold_name(value) in fold_name(text)


@repeated
def invalidate_by_origin(services: Services, caller: Principal, origin: Origin, since: int | None = None) -> Withdrawn:
    """Withdraw every assertion of exactly this origin (a container: of all its items), learned at or after `since`.

    Needs the scope admin; raises `UnknownOrigin` where nothing came from it.
    """
    caller.require(Scope.ADMIN)
    with services.store.writing() as unit:
        act = _withdrawing(services, caller, unit)
        found = unit.records.said_by(caller.namespace, origin, -FOREVER if since is None else since)
        if not found:
            raise UnknownOrigin(f"Nothing was learned from {origin} here.")
        return act(found, Reason(event=ORIGIN_PURGE))
