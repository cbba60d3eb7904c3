"""Superseding and ending: a newer statement takes over, or a fact stops holding."""

from __future__ import annotations

from dataclasses import dataclass, replace

from karte.core.assertions import Details, Link, LinkKind, Veracity, identify_link
from karte.core.memories import Memory, Place, Statement, Triple
from karte.core.namespaces import Principal, Scope
from karte.core.results import Outcome, Receipt
from karte.core.trust import tier
from karte.engine.drafting import Draft, usual_details
from karte.engine.gathering import Refold
from karte.engine.remembering.storing import Session, chain_name, known
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing, requests
from karte.errors import InvalidValue, NotCurrent, UnknownFact
from karte.ports import Asked, Kept, Writing


@dataclass(frozen=True)
class Question:
    """A subject and predicate as asked for, with the object for a predicate of many values, and the place."""

    subject: str
    predicate: str
    object: str | None = None
    place: Place | None = None

    @property
    def names(self) -> Triple:
        """The names in normal form."""
        return Triple(self.subject, self.predicate, self.object).folded


@repeated
def supersede(
    services: Services, caller: Principal, loser_id: str, newer: Draft | str, effective: int | None = None
) -> Receipt:
    """Let `newer` (an id, or a draft to be stored) take over from `loser_id` at `effective` (default now).

    Never before the loser's own start. The loser keeps its history. Raises `UnknownMemory`.
    """
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        return superseded_or_asked(services, caller, unit, (loser_id, newer), effective)


def superseded_or_asked(
    services: Services, caller: Principal, unit: Writing, pair: tuple[str, Draft | str], effective: int | None = None
) -> Receipt:
    """Do what `supersede` does within a transaction; `pair` is the id of the loser, and what takes over."""
    receipt = superseded(services, caller, unit, pair, effective)
    if not receipt.status.kept or receipt.status is Outcome.SUPERSEDED or receipt.review_id is not None:
        return receipt
    return _asked(services, caller, unit, known(unit, caller.namespace, pair[0]), receipt)


def superseded(
    services: Services, caller: Principal, unit: Writing, pair: tuple[str, Draft | str], effective: int | None = None
) -> Receipt:
    """The same without asking a person where the loser stands because somebody more trusted said it."""
    loser_id, newer = pair
    session = Session(services, caller, unit, 2)
    loser = known(unit, caller.namespace, loser_id)
    start = max(session.present if effective is None else effective, _earliest(unit, caller, loser))
    draft = _again(unit, caller, newer) if isinstance(newer, str) else newer
    before = session.frame.holders([loser.memory.number], session.learned_at)
    bases = tuple(dict.fromkeys((*draft.rests_on, loser.memory.key)))
    receipt = session.remember(replace(draft, valid_from=start, rests_on=bases))
    if not receipt.status.kept:
        session.finish()
        return receipt
    winner = known(unit, caller.namespace, receipt.memory_id)
    if winner.memory.key == loser.memory.key:
        raise InvalidValue("A memory cannot supersede itself; nothing was changed.")
    session.learned_at += 1
    _join(session, winner.memory, loser.memory, draft)
    session.finish()
    auditing.record(unit, caller, auditing.SUPERSEDED, loser_id, by=receipt.memory_id)
    return _settled(session, receipt, loser, winner.memory.number, before)


def _asked(services: Services, caller: Principal, unit: Writing, loser: Kept, receipt: Receipt) -> Receipt:
    """Ask a person to decide, where the loser stands because somebody more trusted said it."""
    said = unit.records.assertions(caller.namespace, [loser.memory.number])
    mine, others = tier(own_trust(caller), services.tiers), [tier(a.trust, services.tiers) for a in said]
    if mine >= max(others, default=0):
        return receipt
    asked = {requests.ASKED: requests.SUPERSEDE, "by": receipt.memory_id}
    return replace(receipt, review_id=requests.request(services, caller, unit, loser, asked))


def _settled(session: Session, receipt: Receipt, loser: Kept, winner: int, before: set[int]) -> Receipt:
    unit, namespace = session.unit, session.namespace
    now_kept = unit.memories.get(namespace, [winner, loser.memory.number])
    after = session.frame.holders([loser.memory.number], session.learned_at)
    gone = unit.memories.get(namespace, before - after)
    superseded = tuple(sorted({*receipt.superseded, *(k.memory.id for k in gone.values() if not k.memory.nothing)}))
    took_over = bool(superseded) or now_kept[winner].statement in after
    outcome = Outcome.SUPERSEDED if took_over else receipt.status
    head = unit.memories.get(namespace, [now_kept[winner].chain])[now_kept[winner].chain].memory.id
    return replace(receipt, status=outcome, superseded=superseded, chain_id=chain_name(head))


def _earliest(unit: Writing, caller: Principal, kept: Kept) -> int:
    said = unit.records.assertions(caller.namespace, [kept.memory.number])
    return min(assertion.valid_from for assertion in said)


def _again(unit: Writing, caller: Principal, memory_id: str) -> Draft:
    """A draft that says a known memory again, in the name of the caller, with no tag or type of who said it before."""
    kept = known(unit, caller.namespace, memory_id)
    first = min(unit.records.assertions(caller.namespace, [kept.memory.number]), key=lambda a: a.order)
    memory = kept.memory
    told_in = "\x1f".join(first.origin.order) if first.origin.item else ""
    statement = Statement(memory.content, memory.layer, memory.triple, memory.place, told_in)
    details = usual_details(statement, caller.origin)
    return Draft(statement, caller.origin, details, own_trust(caller), rests_on=(memory.key,))


def own_trust(caller: Principal) -> int:
    """The trust of what the caller says in its own name, in basis points."""
    return min(caller.origin.ceiling, caller.trust_ceiling)


def _join(session: Session, winner: Memory, loser: Memory, draft: Draft) -> None:
    keys = (winner.key.hex(), loser.key.hex())
    link = Link(LinkKind.SUPERSEDES, *keys, draft.origin, session.learned_at, draft.trust, session.learned_at)
    session.unit.records.add_link(session.namespace, replace(link, identity=identify_link(link)))
    Refold(session.frame, session.unit, session.learned_at)([winner.number, loser.number])


@repeated
def end(services: Services, caller: Principal, what: str | Question, at: int | None = None) -> Receipt:
    """State that from `at` (default now) there is no value: of a memory's chain, or of a question.

    Raises `UnknownMemory` or `UnknownFact`, and `NotCurrent` where the memory named is not in force at `at`.
    """
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        return ended(services, caller, unit, what, at)


def ended(services: Services, caller: Principal, unit: Writing, what: str | Question, at: int | None = None) -> Receipt:
    """Do what `end` does within a transaction."""
    session = Session(services, caller, unit, 2)
    instant = session.present if at is None else at
    if isinstance(what, Question):
        triple = Triple(what.subject, what.predicate, what.object)
        return _state_nothing(session, triple, _place(session, what), instant)
    kept = known(unit, caller.namespace, what)
    _check_holds(session, kept, instant)
    if kept.memory.triple:
        return _state_nothing(session, kept.memory.triple, kept.memory.place, instant, (kept.memory.key,))
    return _end_text(session, kept.memory, instant)


def _check_holds(session: Session, kept: Kept, at: int) -> None:
    segments = session.unit.timelines.segments(session.namespace, kept.chain, at, at + 1)
    if not segments or segments[0].statement != kept.statement:
        raise NotCurrent(f"{kept.memory.id} is not in force at that time, so it cannot end then; nothing was changed.")


def _place(session: Session, question: Question) -> Place:
    """Where the question is answered; raises `UnknownFact` if nowhere, `InvalidValue` if in several places."""
    names, frame = question.names, session.frame
    naming = frame.naming({names.subject, names.predicate, *([names.object] if names.object else [])})
    many = names.predicate in naming.multi_valued
    if many and names.object is None:
        raise InvalidValue(f"{question.predicate!r} has many values; name the object that ends.")
    objects = naming.classes.like(names.object) if many and names.object else None
    scope = None if question.place is None else question.place.scope
    numbers = session.unit.memories.answering(
        session.namespace, Asked(naming.classes.like(names.subject), names.predicate, scope)
    )
    answers = [kept.memory for kept in session.unit.memories.get(session.namespace, numbers).values()]
    places = {m.scope: m.place for m in answers if objects is None or (m.names and m.names.object in objects)}
    if not places:
        raise UnknownFact(f"Nothing is known about {question.subject!r} {question.predicate!r} here.")
    if len(places) > 1:
        raise InvalidValue("That fact is known in several domains; name the one in which it ends.")
    return next(iter(places.values()))


def _state_nothing(
    session: Session, triple: Triple, place: Place, at: int, rests_on: tuple[bytes, ...] = ()
) -> Receipt:
    statement = Statement("", triple=triple, place=place, nothing=True)
    return _ended(session, session.remember(_nothing(session, statement, at, rests_on)))


def _ended(session: Session, receipt: Receipt) -> Receipt:
    auditing.record(session.unit, session.caller, auditing.ENDED, receipt.chain_id)
    return receipt


def _nothing(session: Session, statement: Statement, at: int, rests_on: tuple[bytes, ...]) -> Draft:
    caller = session.caller
    details = Details(Veracity.STATED)
    return Draft(statement, caller.origin, details, own_trust(caller), valid_from=at, rests_on=rests_on)


def _end_text(session: Session, ended: Memory, at: int) -> Receipt:
    """End a free text: the statement of nothing is linked to it, since no question joins the two."""
    before = session.frame.holders([ended.number], session.learned_at)
    statement = Statement("", ended.layer, place=ended.place, nothing=True, ends=ended.key)
    draft = _nothing(session, statement, at, (ended.key,))
    receipt = _ended(session, session.remember(draft))
    if not receipt.status.kept:
        return receipt
    session.learned_at += 1
    _join(session, known(session.unit, session.namespace, receipt.memory_id).memory, ended, draft)
    after = session.frame.holders([ended.number], session.learned_at)
    gone = session.unit.memories.get(session.namespace, before - after)
    stands = before & session.frame.holders([ended.number], max(session.learned_at, at))
    return replace(
        receipt,
        status=Outcome.SHADOWED if stands else receipt.status,
        superseded=tuple(sorted(kept.memory.id for kept in gone.values())),
    )
