"""Policies: rules of a domain, that are pushed to whom they bind. Proposing, superseding and ending them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Any, Final, TypedDict

from karte.core.assertions import MemoryType
from karte.core.binding import ALWAYS, PRIORITY, ROLE, binding_of, read_binding
from karte.core.granting import Level
from karte.core.memories import Layer, check_name, prefix_of
from karte.core.namespaces import Principal, Scope
from karte.core.origins import Origin
from karte.core.results import Receipt
from karte.engine.asking import Asking
from karte.engine.drafting import Draft, Instant, draft
from karte.engine.gathering import Frame, timelines
from karte.engine.given import read_origin
from karte.engine.knowing.facts import signed
from karte.engine.remembering.storing import Session
from karte.engine.remembering.superseding import ended, superseded_or_asked
from karte.engine.repeating import repeated
from karte.engine.seeing import permitted
from karte.engine.services import Services
from karte.errors import InvalidValue, UnknownMemory
from karte.ports import Kept, Reading


class PolicyOptions(TypedDict, total=False):
    """What is said of a policy beside its rule; what is not given, or None, is as usual.

    It belongs to a repository, or to the whole workspace. It is for one role alone; of two, that with the higher
    `priority` (-100..100) comes first; it is for every task, whatever that is about, and for every role if `always`. It
    follows from facts of the workspace, by their ids.
    """

    repo: str | None
    required_role: str | None
    priority: int | None
    always: bool | None
    valid_from: Instant | None
    valid_until: Instant | None
    source_fact_ids: Sequence[str] | None
    trust: float | None
    observed_at: Instant | None
    source_event: str | None
    origin: Origin | Mapping[str, str | None] | str | None
    idempotency_key: str | None


class NewerOptions(TypedDict, total=False):
    """What is said of a policy that takes over from another one; how it binds is as it was there unless it is given."""

    required_role: str | None
    priority: int | None
    always: bool | None
    valid_until: Instant | None
    source_fact_ids: Sequence[str] | None
    source_event: str | None
    origin: Origin | Mapping[str, str | None] | str | None


_BINDING: Final = frozenset({ROLE, PRIORITY, ALWAYS})
_SOURCES: Final = "source_fact_ids"
_ID: Final = re.compile(rf"{prefix_of(Layer.POLICY)}\w+")


def drafted(domain: str, rule: str, options: Mapping[str, Any], caller: Principal, zone: tzinfo = UTC) -> Draft:
    """Read a rule and the options of `PolicyOptions` into a draft; raises a subclass of `Incorrect` for wrong ones."""
    _check_options(options, PolicyOptions)
    check_name("The domain", domain)
    return _drafted(rule, {**options, "domain": domain}, caller, zone)


def _check_options(options: Mapping[str, Any], known: Any) -> None:
    names = known.__annotations__
    if unknown := sorted(options.keys() - names.keys()):
        raise InvalidValue(
            f"There is no option {unknown[0]!r} of a policy.", hint=f"Options are: {', '.join(sorted(names))}."
        )


def _drafted(rule: str, options: Mapping[str, Any], caller: Principal, zone: tzinfo) -> Draft:
    given = {name: value for name, value in options.items() if value is not None}
    told = {name: value for name, value in given.items() if name not in {*_BINDING, _SOURCES}}
    told["metadata"] = read_binding(given)
    told["derived_from"] = given.get(_SOURCES, ())
    told["memory_type"] = MemoryType.INSTRUCTION
    return draft(rule, told, caller, zone, layer=Layer.POLICY)


@repeated
def propose(services: Services, caller: Principal, drafted: Draft) -> Receipt:
    """Keep a policy of a domain that the caller may write in; the same rule again may change how it binds.

    Raises `UnknownDomain`, `DomainRefused`, `UnknownMemory` for a source fact that the caller does not see, and what
    storing raises.
    """
    caller.require(Scope.WRITE)
    shared = caller.sharing()
    with services.store.writing() as unit:
        _check(services, unit, shared, drafted)
        return Session(services, shared, unit, 1).store([signed(drafted, shared)])[0]


def _check(services: Services, unit: Reading, shared: Principal, drafted: Draft) -> None:
    permitted(unit, shared, drafted.statement.place, Level.WRITE)
    seen = Asking.of(services, unit, shared).named(drafted.derived_from)
    if missing := [fact_id for fact_id in drafted.derived_from if fact_id not in seen]:
        raise UnknownMemory(f"There is no fact {missing[0]} here that a policy could follow from.")


@dataclass(frozen=True)
class Newer:
    """What is to take over from a policy: the id of one, or a rule in words with the options of `NewerOptions`."""

    by: str
    options: Mapping[str, Any]
    zone: tzinfo = UTC

    def __post_init__(self) -> None:
        _check_options(self.options, NewerOptions)
        if self.named and any(value is not None for value in self.options.values()):
            raise InvalidValue("A policy that is there already takes over as it is; give options with a new rule only.")

    @property
    def named(self) -> bool:
        """Whether it is a policy that is there already, by its id."""
        return isinstance(self.by, str) and _ID.fullmatch(self.by) is not None


@repeated
def supersede(
    services: Services, caller: Principal, policy_id: str, newer: Newer, effective: int | None = None
) -> Receipt:
    """Let another policy of the same domain, or a newer rule, take over from a policy at `effective` (default now).

    It takes to write in the domain. Where the older one is of a more trusted tier a person is asked. Raises
    `UnknownMemory`, `DomainRefused`.
    """
    caller.require(Scope.WRITE)
    shared = caller.sharing()
    speaker = replace(shared, origin=shared.speak_as(read_origin(newer.options.get("origin"))))
    with services.store.writing() as unit:
        older = _changeable(services, unit, shared, policy_id)
        winner = _winner(services, unit, speaker, older, newer)
        return superseded_or_asked(services, speaker, unit, (policy_id, winner), effective)


def _winner(services: Services, unit: Reading, speaker: Principal, older: Kept, newer: Newer) -> Draft | str:
    if newer.named:
        winner = _changeable(services, unit, speaker, newer.by).memory
        if winner.place.scope != older.memory.place.scope:
            raise InvalidValue(
                "A policy is superseded within its own domain.",
                hint="End the one, and propose the other in its domain.",
            )
        return winner.id
    drafted = signed(_restated(services, unit, speaker, older, newer), speaker)
    _check(services, unit, speaker, drafted)
    return drafted


def _restated(services: Services, unit: Reading, speaker: Principal, older: Kept, newer: Newer) -> Draft:
    """A newer rule in the place of the older one, that binds as that did where it does not say otherwise.

    It rests on whoever said how the older one binds, and goes when that source is forgotten.
    """
    place, number = older.memory.place, older.memory.number
    folded = timelines(Frame(unit, speaker.namespace, services.tiers), [number])[number]
    binding = binding_of(folded.standing(number).said, services.tiers)
    given = {name: value for name, value in newer.options.items() if value is not None}
    taken_over = {name: value for name, value in binding.given.items() if name not in given}
    where = {"domain": place.domain, "repo": place.repo}
    drafted = _drafted(newer.by, {**where, **taken_over, **given}, speaker, newer.zone)
    return replace(drafted, rests_on=tuple(sorted({binding.given_by[name] for name in taken_over})))


@repeated
def end(services: Services, caller: Principal, policy_id: str, at: int | None = None) -> Receipt:
    """State that a policy stops holding at `at` (default now); it takes to write in its domain.

    Raises `UnknownMemory`, `DomainRefused`, and `NotCurrent` where it is not in force then.
    """
    caller.require(Scope.WRITE)
    shared = caller.sharing()
    with services.store.writing() as unit:
        _changeable(services, unit, shared, policy_id)
        return ended(services, shared, unit, policy_id, at)


def _changeable(services: Services, unit: Reading, shared: Principal, policy_id: str) -> Kept:
    """The policy of this id, where the caller may write in its domain."""
    question = Asking.of(services, unit, shared, layers=[Layer.POLICY])
    kept = question.named([policy_id]).get(policy_id)
    if kept is None or kept.memory.layer is not Layer.POLICY or kept.memory.nothing:
        raise UnknownMemory(f"There is no policy {policy_id} here.")
    permitted(unit, shared, kept.memory.place, Level.WRITE)
    return kept
