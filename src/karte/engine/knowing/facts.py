"""Facts that a workspace shares: proposing, superseding and withdrawing them, by what a caller was granted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from karte.core.granting import Level
from karte.core.memories import Layer, Place
from karte.core.namespaces import Principal, Scope
from karte.core.results import Outcome, Receipt, Withdrawn
from karte.engine.asking import Asking
from karte.engine.drafting import Draft
from karte.engine.knowing.conflicts import Detecting, Told
from karte.engine.recalling.voices.vector import Silence, Sought, wanted
from karte.engine.remembering import withdrawing
from karte.engine.remembering.storing import Session
from karte.engine.remembering.superseding import superseded_or_asked
from karte.engine.repeating import repeated
from karte.engine.seeing import permitted
from karte.engine.services import Services
from karte.errors import InvalidValue, UnknownMemory
from karte.ports import Kept, Reading, Writing

PROPOSED_BY: Final = "proposed_by"
"""Under this name the metadata of a fact say who proposed it."""

_DECIDED: Final = frozenset({Outcome.STORED, Outcome.SUPERSEDED})
"""After these the new fact is compared with others; what says nothing new was compared when it was new."""


@repeated
def propose(services: Services, caller: Principal, draft: Draft) -> Receipt:
    """State a fact in a domain, and find what it contradicts there.

    It takes to read the domain, where that is confidential to write in it. Raises `UnknownDomain`, `DomainRefused`, and
    what storing raises; the status is `contested` where somebody has to decide between two facts.
    """
    caller.require(Scope.WRITE)
    sought = _sought(services, draft.statement.content)
    with services.store.writing() as unit:
        permitted(unit, caller, draft.statement.place)
        return _stored(services, caller, unit, [signed(draft, caller)], sought)[0]


@repeated
def store(services: Services, caller: Principal, drafts: Sequence[Draft]) -> list[Receipt]:
    """Store in the workspace's own memory, in one transaction; what belongs to a declared domain is a fact of it.

    Raises, with nothing changed, what storing raises.
    """
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        return _stored(services, caller, unit, drafts)


def _stored(
    services: Services, caller: Principal, unit: Writing, drafts: Sequence[Draft], sought: Sought | None = None
) -> list[Receipt]:
    keys = {draft.idempotency_key for draft in drafts if draft.idempotency_key}
    answered = {key for key in keys if unit.receipts.find(caller.namespace, key)}
    receipts = Session(services, caller, unit, len(drafts)).store(drafts)
    declared = {domain.scope for domain in unit.domains.all()}
    detecting = Detecting(services, unit, caller, sought)
    return [
        _compared(detecting, draft, receipt)
        if _is_fact(draft, declared) and draft.idempotency_key not in answered
        else receipt
        for draft, receipt in zip(drafts, receipts, strict=True)
    ]


def _is_fact(draft: Draft, declared: set[str]) -> bool:
    return draft.statement.layer is Layer.SEMANTIC and draft.statement.place.scope in declared


def _compared(detecting: Detecting, draft: Draft, receipt: Receipt) -> Receipt:
    """The receipt of a fact, once it was compared; under its key that is kept which the caller is given."""
    if receipt.status not in _DECIDED:
        return receipt
    unit, namespace = detecting.unit, detecting.caller.namespace
    kept = unit.memories.by_id(namespace, [receipt.memory_id])[receipt.memory_id]
    said = unit.records.assertions(namespace, [kept.memory.number])
    told = detecting(Told(kept, max(said, key=lambda assertion: assertion.learned_at), receipt))
    first = unit.receipts.find(namespace, draft.idempotency_key) if draft.idempotency_key else None
    if first and draft.idempotency_key and told != receipt:
        again = replace(first, receipt=json.dumps(told.to_dict()))
        unit.receipts.keep(namespace, draft.idempotency_key, again, kept.memory.number)
    return told


def signed(draft: Draft, caller: Principal) -> Draft:
    """A draft that says who proposes it."""
    metadata = {**json.loads(draft.details.metadata), PROPOSED_BY: caller.actor}
    text = json.dumps(metadata, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return replace(draft, details=replace(draft.details, metadata=text))


@repeated
def _sought(services: Services, text: str) -> Sought | None:
    """The vector of a text, made before anything is written; None where there is none."""
    with services.store.reading() as unit:
        found = wanted(unit, services.embeddings, lambda _: text)
    made = found if isinstance(found, Silence) else found.made(services.embeddings)
    return None if isinstance(made, Silence) else made


@repeated
def supersede(
    services: Services, caller: Principal, fact_id: str, newer: Draft | str, effective: int | None = None
) -> Receipt:
    """Let a fact (by id), or a draft of one, take over from a fact of the same domain at `effective` (default now).

    It takes to write in the domain, or to have proposed the fact. Raises `UnknownMemory`, `DomainRefused`.
    """
    caller.require(Scope.WRITE)
    with services.store.writing() as unit:
        loser = _changeable(services, caller, unit, fact_id)
        if isinstance(newer, str):
            winner = fact(services, caller, unit, newer)
            _check_same(loser.memory.place, winner.memory.place)
        else:
            _check_same(loser.memory.place, newer.statement.place)
            newer = signed(newer, caller)
        return superseded_or_asked(services, caller, unit, (fact_id, newer), effective)


@repeated
def restated(services: Services, caller: Principal, fact_id: str, content: str, value: str | None = None) -> Draft:
    """A draft that answers the question of a fact in other words, perhaps with another object; raises `UnknownMemory`."""
    with services.store.reading() as unit:
        memory = fact(services, caller, unit, fact_id).memory
        return withdrawing.restating(unit, caller, memory, content, value)


def _check_same(one: Place, other: Place) -> None:
    if one.scope != other.scope:
        raise InvalidValue("A fact is superseded within its own domain; the two are of different ones.")


@repeated
def withdraw(services: Services, caller: Principal, fact_id: str, reason: str = "") -> Withdrawn:
    """Let what was said of a fact so far stop counting.

    It takes to write in the domain, or to have proposed the fact. Raises `UnknownMemory`, `DomainRefused`.
    """
    caller.require(Scope.WRITE)
    withdrawing.Reason(reason)
    with services.store.writing() as unit:
        kept = _changeable(services, caller, unit, fact_id)
        return withdrawing.withdrawn_or_asked(services, caller, unit, kept, reason)


def fact(services: Services, caller: Principal, unit: Reading, fact_id: str) -> Kept:
    """The shared fact of this id that the caller sees; raises `UnknownMemory`."""
    kept = Asking.of(services, unit, caller).named([fact_id]).get(fact_id)
    if kept is None or kept.memory.place.domain is None:
        raise UnknownMemory(f"There is no fact {fact_id} here.")
    return kept


def _changeable(services: Services, caller: Principal, unit: Reading, fact_id: str) -> Kept:
    """A fact that the caller may supersede or withdraw; raises `UnknownMemory`, `DomainRefused`."""
    kept = fact(services, caller, unit, fact_id)
    if caller.agent:
        permitted(unit, caller, kept.memory.place, None if _all_by(unit, caller, kept) else Level.WRITE)
    return kept


def _all_by(unit: Reading, caller: Principal, kept: Kept) -> bool:
    """Whether the caller alone proposed a fact."""
    said = unit.records.assertions(caller.namespace, [kept.memory.number])
    return all(json.loads(a.details.metadata).get(PROPOSED_BY) == caller.actor for a in said)
