"""Domains: named fields of knowledge, and who may do what in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from karte.core.granting import Grantee, GranteeKind, Level
from karte.core.memories import Layer, Place, check_content, check_name, scope_of
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.periods import write_instant
from karte.core.text import fold_name
from karte.engine.asking import present
from karte.engine.repeating import repeated
from karte.engine.seeing import level_in, named, readable
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.errors import DomainThere, InvalidValue, UnknownDomain
from karte.ports import Domain, Grant, Reading

ENOUGH_FACTS: Final = 4
"""So many facts suggest a policy."""

_MOST_COUNTED: Final = 1_000
_SHARED: Final = Namespace()
_JOINTS: Final = "\x02/"
"""What no name of a domain or a repository may hold: a scope is put together with these signs."""


@dataclass(frozen=True)
class Wanted:
    """A domain as somebody wants it; `usual` is what those without a grant may do, None for what is usual."""

    place: Place
    label: str | None = None
    description: str = ""
    confidential: bool = False
    usual: Level | None = None

    def __post_init__(self) -> None:
        if self.label is not None:
            check_name("The label", self.label)
        if self.description:
            check_content(self.description)


@dataclass(frozen=True)
class Described:
    """A domain as its reader sees it: `level` is what the reader may do; the grants are for who administers them.

    `facts` and `policies` count those in force, of the newest 1,000 of each.
    """

    domain: Domain
    level: Level
    grants: tuple[Grant, ...] = ()
    facts: int = 0
    policies: int = 0

    @property
    def lacks_policy(self) -> bool:
        """Whether so much is known in the domain that a policy may follow from it, and none does."""
        return self.facts >= ENOUGH_FACTS and not self.policies

    def to_dict(self) -> dict[str, Any]:
        """What names it, who may do what in it, who made it and when, and how much is known in it."""
        domain = self.domain
        return {
            "name": domain.place.domain,
            "repo": domain.place.repo,
            "scope": domain.scope,
            "label": domain.label,
            "description": domain.description,
            "confidential": domain.confidential,
            "default_grant": domain.usual.value,
            "level": self.level.value,
            "created_by": domain.created_by,
            "created_at": write_instant(domain.created_at),
            "facts": self.facts,
            "policies": self.policies,
            "suggest_policy": self.lacks_policy,
            "grants": [
                {grant.grantee.kind.value: grant.grantee.name, "level": grant.level.value} for grant in self.grants
            ],
        }


def place_of(name: str, repo: str | None = None) -> Place:
    """The place of a domain; raises a subclass of `Incorrect` for what is no name of one."""
    for what, each in (("The name of a domain", name), ("The name of a repository", repo)):
        if each is not None:
            check_name(what, each)
            if not each.isprintable() or any(sign in each for sign in _JOINTS):
                raise InvalidValue(f"{what} is printable text without a slash, not {each!r:.80}.")
    if repo is None and fold_name(name).startswith("repo:"):
        raise InvalidValue("A domain of a repository is named by its name and the repository, each by itself.")
    return Place(name, repo)


@repeated
def create(services: Services, caller: Principal, wanted: Wanted) -> Described:
    """Declare a domain; needs the scope admin. The same again changes nothing.

    Whoever declares it writes in it, and so does their role. Raises `DomainThere` where there is another one of that name.
    """
    caller.oversee(Scope.ADMIN)
    usual = wanted.usual or (Level.NONE if wanted.confidential else Level.READ)
    with services.store.writing() as unit:
        now = services.clock.now()
        label = wanted.label or wanted.place.domain or ""
        domain = Domain(wanted.place, label, wanted.description, wanted.confidential, usual, caller.actor, now)
        kept = unit.domains.find(domain.scope)
        if kept is not None:
            if replace(kept, created_by=domain.created_by, created_at=now) != domain:
                raise DomainThere(f"The domain {named(wanted.place)} is there already, and is not the same.")
            return _described(unit, caller, kept)
        unit.learn(now)
        unit.domains.keep(domain)
        for grantee in _creators(caller):
            unit.domains.grant(Grant(domain.scope, grantee, Level.WRITE))
        auditing.record(unit, caller, auditing.DOMAIN_CREATED, domain.scope, confidential=domain.confidential)
        return _described(unit, caller, domain)


def _creators(caller: Principal) -> list[Grantee]:
    if not caller.agent:
        return []
    return [Grantee.role(caller.role)] if caller.role else [Grantee.agent(caller.agent)]


@repeated
def grant(services: Services, caller: Principal, place: Place, grantee: Grantee, level: Level) -> Described:
    """Say what an agent or a role may do in a domain from now on; a person with the scope admin does.

    Raises `UnknownDomain`.
    """
    caller.decide(Scope.ADMIN)
    with services.store.writing() as unit:
        domain = unit.domains.find(place.scope)
        if domain is None:
            raise UnknownDomain(f"There is no domain {named(place)} here.")
        unit.learn(services.clock.now())
        unit.domains.grant(Grant(domain.scope, grantee, level))
        told = {"level": level.value, grantee.kind.value: grantee.name}
        auditing.record(unit, caller, auditing.DOMAIN_GRANTED, domain.scope, **told)
        return _described(unit, caller, domain)


def grantee_of(role: str | None, agent: str | None) -> Grantee:
    """Whom a grant is for: a role or an agent, one of them; raises `InvalidValue`."""
    if (role is None) == (agent is None):
        raise InvalidValue("A grant is for a role or for an agent; name one of them.")
    if role is not None:
        check_name("The role", role)
        return Grantee.role(role)
    check_name("The agent", agent or "")
    return Grantee(GranteeKind.AGENT, agent or "")


@repeated
def listed(services: Services, caller: Principal) -> list[Described]:
    """The domains that the caller may read, by scope."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        now = present(services, unit)
        return [_counted(unit, _described(unit, caller, domain), now) for domain in readable(unit, caller)]


def _described(unit: Reading, caller: Principal, domain: Domain) -> Described:
    grants = unit.domains.grants()
    mine = () if caller.agent else tuple(grant for grant in grants if grant.scope == domain.scope)
    return Described(domain, level_in(domain, caller, grants), mine)


def _counted(unit: Reading, described: Described, now: int) -> Described:
    counts = []
    for layer in (Layer.SEMANTIC, Layer.POLICY):
        numbers = unit.memories.in_scope(_SHARED, scope_of(layer, described.domain.place), _MOST_COUNTED)
        counts.append(len(unit.timelines.holding(_SHARED, numbers, now, now)))
    return replace(described, facts=counts[0], policies=counts[1])
