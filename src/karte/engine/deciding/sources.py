"""Sources: which origins taught something, and what one of them taught."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.origins import CEILINGS, Origin, OriginKind
from karte.core.periods import FOREVER, write_instant
from karte.core.results import Item
from karte.core.trust import FULL
from karte.engine.asking import Instants, owners_of
from karte.engine.forgetting.selecting import Selector, select
from karte.engine.gathering import Frame
from karte.engine.given import read_origin
from karte.engine.reading.describing import Describing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import UnknownOrigin
from karte.ports import Reading, Source

_BEGINNING: Final = -FOREVER


@dataclass(frozen=True)
class Taught:
    """What one container of an origin taught one owner, in figures."""

    owner: str
    source: Source

    @property
    def origin(self) -> Origin:
        """The container as an origin."""
        return Origin(self.source.kind, self.source.container)

    def to_dict(self) -> dict[str, Any]:
        """origin, kind, container, owner, ceiling, assertions, links, withdrawals, first_learned, last_learned."""
        source = self.source
        return {
            "origin": str(self.origin),
            "kind": source.kind,
            "container": source.container or None,
            "owner": self.owner,
            "ceiling": CEILINGS[OriginKind(source.kind)] / FULL,
            "assertions": source.assertions,
            "links": source.links,
            "withdrawals": source.withdrawals,
            "first_learned": write_instant(source.first_learned),
            "last_learned": write_instant(source.last_learned),
        }


@repeated
def listed(services: Services, caller: Principal) -> list[Taught]:
    """The origins of the caller's namespace, by kind and container; the workspace's own caller sees all owners'."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        owners = owners_seen(unit, caller)
        return [Taught(owner.owner, source) for owner in owners for source in unit.records.sources(owner)]


def owners_seen(unit: Reading, caller: Principal) -> list[Namespace]:
    """The namespaces whose sources a caller sees: an agent its own, everybody else those of the whole workspace."""
    if caller.namespace.agent:
        return [caller.namespace]
    return owners_of(unit)


@repeated
def meant(services: Services, caller: Principal, named: Origin | Mapping[str, str | None] | str) -> Origin:
    """The origin that somebody names.

    `import:chat:c.jsonl` may be an item of `chat` or a container whose name holds a colon, for who copies it from the name
    of an item. It is the container where nothing is known of the item, but something of the container. An origin that is
    given in parts is the one that it says.
    """
    origin = read_origin(named) or caller.origin
    if not (isinstance(named, str) and origin.item):
        return origin
    container = Origin(origin.kind, f"{origin.container}:{origin.item}")
    with services.store.reading() as unit:
        owners = owners_seen(unit, caller)
        known = [one for one in (origin, container) if any(not select(unit, o, Selector(one)).empty for o in owners)]
    return known[0] if known else origin


@dataclass(frozen=True)
class Lessons:
    """What one origin taught: the memories that it said, in the order in which they were learned."""

    origin: Origin
    items: tuple[tuple[str, Item], ...]

    def to_dict(self) -> dict[str, Any]:
        """origin, memories; each memory as everywhere else."""
        return {"origin": str(self.origin), "memories": [item.to_dict() for _, item in self.items]}


@repeated
def show(services: Services, caller: Principal, origin: Origin) -> Lessons:
    """What exactly this origin (a container: all its items) taught; raises `UnknownOrigin` where it taught nothing."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        owners = owners_seen(unit, caller)
        found = [(owner.owner, item) for owner in owners for item in _items(services, unit, owner, origin)]
    if not found:
        raise UnknownOrigin(f"Nothing was learned from {origin} here.")
    return Lessons(origin, tuple(found))


def _items(services: Services, unit: Reading, owner: Namespace, origin: Origin) -> Iterable[Item]:
    said = unit.records.said_by(owner, origin, _BEGINNING)
    numbers = list(dict.fromkeys(number for number, _ in sorted(said, key=lambda pair: pair[1].learned_at)))
    when = Instants().when(services, unit)
    items = Describing(Frame(unit, owner, services.tiers), when).items(numbers) if numbers else {}
    return {item.id: item for item in items.values() if not item.memory.nothing}.values()
