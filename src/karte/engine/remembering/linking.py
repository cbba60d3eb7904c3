"""Aliases and predicates of many values: recorded decisions about names, which can be withdrawn again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from karte.core.assertions import Link, LinkKind, Withdrawal, identify_link
from karte.core.memories import check_name
from karte.core.namespaces import Principal, Scope
from karte.core.results import Alias
from karte.core.standing import acting_links
from karte.core.text import fold_name
from karte.engine.gathering import Frame, Refold
from karte.engine.remembering.superseding import own_trust
from karte.engine.removing import named_by
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.engine.trusting import auditing
from karte.engine.trusting.blocking import refuse_blocked
from karte.errors import InvalidValue, UnknownLink
from karte.ports import Reading, Writing


@repeated
def add_alias(services: Services, caller: Principal, canonical: str, alias: str) -> Alias:
    """Say that two names mean one thing; their chains become one. Said again by the same source, it changes nothing."""
    caller.require(Scope.WRITE)
    names = (_name("The canonical name", canonical), _name("The alias", alias))
    if names[0] == names[1]:
        raise InvalidValue(f"{canonical!r} and {alias!r} are the same name already.")
    with services.store.writing() as unit:
        _Linking(services, caller, unit).add(LinkKind.ALIAS, *names)
    return Alias(names[0], names[1], caller.origin)


@repeated
def remove_alias(services: Services, caller: Principal, canonical: str, alias: str) -> None:
    """Withdraw the alias, whichever of the two names comes first; raises `UnknownLink`."""
    caller.require(Scope.WRITE)
    names = {_name("The canonical name", canonical), _name("The alias", alias)}
    with services.store.writing() as unit:
        _Linking(services, caller, unit).withdraw(LinkKind.ALIAS, names)


@repeated
def aliases(services: Services, caller: Principal) -> list[Alias]:
    """The aliases in force, by canonical name."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        links = _acting(unit, Frame(unit, caller.namespace, services.tiers), LinkKind.ALIAS)
    first = {(link.left, link.right): link for link in sorted(links, key=_order, reverse=True)}
    return [Alias(*names, link.origin) for names, link in sorted(first.items())]


def _order(link: Link) -> tuple[int, tuple[str, str, str]]:
    return (link.observed_at, link.origin.order)


@repeated
def set_predicate(services: Services, caller: Principal, predicate: str, *, multi_valued: bool) -> None:
    """Declare that a predicate has many values side by side, or withdraw that."""
    caller.require(Scope.WRITE)
    name = _name("The predicate", predicate)
    with services.store.writing() as unit:
        linking = _Linking(services, caller, unit)
        if multi_valued:
            linking.add(LinkKind.MULTI_VALUED, name, "")
        elif linking.acting(LinkKind.MULTI_VALUED, {name}):
            linking.withdraw(LinkKind.MULTI_VALUED, {name})


@repeated
def multi_valued(services: Services, caller: Principal) -> list[str]:
    """The predicates that have many values, in order."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        links = _acting(unit, Frame(unit, caller.namespace, services.tiers), LinkKind.MULTI_VALUED)
    return sorted({link.left for link in links})


def _name(what: str, name: str) -> str:
    check_name(what, name)
    return fold_name(name)


def _acting(unit: Reading, frame: Frame, kind: LinkKind) -> list[Link]:
    links = [link for link in unit.records.all_name_links(frame.namespace) if link.kind is kind]
    withdrawals = unit.records.withdrawals(frame.namespace, [link.identity for link in links])
    return acting_links(links, withdrawals, (), frame.tiers)


def _names(link: Link) -> set[str]:
    return {link.left, link.right} - {""}


@dataclass
class _Linking:
    services: Services
    caller: Principal
    unit: Writing

    def __post_init__(self) -> None:
        refuse_blocked(self.unit, self.caller.origin)
        self.now = self.unit.learn(self.services.clock.now())
        self.frame = Frame(self.unit, self.caller.namespace, self.services.tiers)

    def acting(self, kind: LinkKind, names: set[str]) -> list[Link]:
        """The links in force between these names."""
        return [link for link in _acting(self.unit, self.frame, kind) if _names(link) == names]

    def add(self, kind: LinkKind, left: str, right: str) -> None:
        said = (left, right, self.caller.origin, own_trust(self.caller))
        if any(
            (link.left, link.right, link.origin, link.trust) == said for link in self.acting(kind, {left, right} - {""})
        ):
            return
        link = Link(kind, left, right, self.caller.origin, self.now, own_trust(self.caller), self.now)
        before = named_by(self.frame, link)
        self.unit.records.add_link(self.caller.namespace, replace(link, identity=identify_link(link)))
        self._refold(before | named_by(self.frame, link))
        auditing.record(self.unit, self.caller, auditing.LINKED, link_kind=kind.value)

    def withdraw(self, kind: LinkKind, names: set[str]) -> None:
        """Withdraw every link between these names, also those that somebody else withdrew before: each has its own say."""
        if not self.acting(kind, names):
            raise UnknownLink
        every = self.unit.records.all_name_links(self.caller.namespace)
        links = [link for link in every if link.kind is kind and _names(link) == names]
        affected: set[int] = set()
        for link in links:
            affected |= named_by(self.frame, link)
        for link in links:
            withdrawal = Withdrawal(link.identity, self.caller.origin, own_trust(self.caller), learned_at=self.now)
            self.unit.records.add_withdrawal(self.caller.namespace, withdrawal)
        self._refold(affected)
        auditing.record(self.unit, self.caller, auditing.UNLINKED, link_kind=links[0].kind.value)

    def _refold(self, numbers: set[int]) -> None:
        if numbers:
            Refold(self.frame, self.unit, self.now)(numbers)
            Shadowing(self.services, self.unit, self.frame).of_memories(numbers, self.now)
