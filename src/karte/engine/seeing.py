"""Seeing: what a caller may read and write of what a workspace shares, domain by domain.

It is judged as of now, whatever time is asked about, in the unit of work that answers. Only agents are bound by grants:
whoever opens a workspace as its own sees all of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from karte.core.granting import Level, Sight, level_of
from karte.core.memories import Place
from karte.core.namespaces import Principal
from karte.errors import DomainRefused, UnknownDomain
from karte.ports import Domain, Grant, Reading


def sight_of(unit: Reading, caller: Principal) -> Sight | None:
    """What a caller sees of its namespace; None where that is all of it."""
    if not caller.eyes:
        return None
    return Sight(frozenset(domain.scope for domain in readable(unit, caller)))


def readable(unit: Reading, caller: Principal) -> list[Domain]:
    """The domains that a caller may read, by scope."""
    domains, grants = unit.domains.all(), unit.domains.grants()
    return [domain for domain in domains if level_in(domain, caller, grants).allows(Level.READ)]


def level_in(domain: Domain, caller: Principal, grants: Iterable[Grant]) -> Level:
    """What a caller may do in a domain; everything, unless it is an agent."""
    if not caller.agent:
        return Level.WRITE
    mine = {grant.grantee: grant.level for grant in grants if grant.scope == domain.scope}
    return level_of(caller.agent, caller.role, mine, domain.usual)


def permitted(unit: Reading, caller: Principal, place: Place, needed: Level | None = None) -> Domain:
    """The domain of a place, where the caller may do there what needs that level; without one, state a fact.

    Raises `UnknownDomain` where there is none that the caller may read, `DomainRefused` where it may only read.
    """
    domain = unit.domains.find(place.scope)
    level = Level.NONE if domain is None else level_in(domain, caller, unit.domains.grants())
    if domain is None or not level.allows(Level.READ):
        raise UnknownDomain(f"There is no domain {named(place)} here that {whoever(caller)} may read.")
    wanted = needed or proposing(domain)
    if not level.allows(wanted):
        raise DomainRefused(
            f"In the domain {named(place)} {whoever(caller)} may {level.value}, but not {wanted.value}."
        )
    return domain


def proposing(domain: Domain) -> Level:
    """What it takes to state a fact in a domain: to read it, but where that is confidential to write."""
    return Level.WRITE if domain.confidential else Level.READ


def named(place: Place) -> str:
    """A domain as a sentence names it, with its repository."""
    name = repr(place.domain or "")
    return f"{name} of the repository {place.repo!r}" if place.repo else name


def whoever(caller: Principal) -> str:
    """A caller as a sentence names it, with its role."""
    if not caller.agent:
        return "the workspace's own caller"
    return f"the agent {caller.agent!r}" + (f" (role {caller.role!r})" if caller.role else "")
