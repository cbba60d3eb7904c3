"""Selecting: which records are of the source that is to be forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from karte.core.assertions import NAME_LINKS, Link, LinkKind, Withdrawal
from karte.core.chains import Naming
from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.core.origins import Origin, OriginKind
from karte.core.periods import FOREVER
from karte.core.reviews import Review
from karte.engine.asking import every_review
from karte.engine.gathering import Frame
from karte.engine.given import read_choice
from karte.engine.removing import named_by
from karte.errors import InvalidValue
from karte.ports import Asked, Reading

_BEGINNING: Final = -FOREVER


@dataclass(frozen=True)
class Selector:
    """A source: one origin (an item, or a container with all its items), or a kind since a system time (microseconds)."""

    origin: Origin | None = None
    kind: OriginKind | None = None
    since: int = _BEGINNING

    def to_dict(self) -> dict[str, Any]:
        """origin, or kind and since."""
        if self.origin is not None:
            return {"origin": list(self.origin.order)}
        return {"kind": self.kind, "since": self.since}

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> Selector:
        """Read what `to_dict` gives."""
        if "origin" in shape:
            return cls(Origin(*shape["origin"]))
        return cls(kind=OriginKind(shape["kind"]), since=int(shape["since"]))

    def holds(self, origin: Origin, learned_at: int) -> bool:
        """Whether a record of this origin, learned then, is of the source."""
        if self.origin is not None:
            return self.origin.holds(origin)
        return origin.kind is self.kind and learned_at >= self.since


def read_selector(origin: Origin | None, kind: str | None, since: int | None) -> Selector:
    """Read what names a source; raises `InvalidValue` unless it is either an origin or a kind with a time."""
    if (origin is None) == (kind is None) or (origin is not None and since is not None):
        raise InvalidValue("Name either an origin, or a kind of origin and since when it was learned from.")
    if kind is None:
        return Selector(origin)
    return Selector(kind=read_choice(OriginKind, kind, "kind of origin"), since=_BEGINNING if since is None else since)


@dataclass(frozen=True)
class Selected:
    """The records of a source in one namespace: memories' numbers, links, withdrawals, reviews."""

    numbers: frozenset[int]
    links: tuple[Link, ...]
    withdrawals: tuple[Withdrawal, ...]
    reviews: tuple[Review, ...]

    @property
    def empty(self) -> bool:
        """Whether the source said nothing here."""
        return not (self.numbers or self.links or self.withdrawals or self.reviews)


def select(unit: Reading, owner: Namespace, selector: Selector) -> Selected:
    """All records of a source in one namespace."""
    records = unit.records
    origins = _origins(unit, owner, selector)
    said = {number for origin in origins for number, _ in records.said_by(owner, origin, selector.since)}
    links = [link for origin in origins for link in records.links_by(owner, origin)]
    withdrawals = [w for origin in origins for w in records.withdrawals_by(owner, origin)]
    reviews = _reviews(unit, owner, selector)
    return Selected(
        frozenset(said),
        tuple(link for link in links if selector.holds(link.origin, link.learned_at)),
        tuple(w for w in withdrawals if selector.holds(w.origin, w.learned_at)),
        tuple(reviews),
    )


def _reviews(unit: Reading, owner: Namespace, selector: Selector) -> list[Review]:
    """The reviews of what the source said; held back or not, a kind's are looked for among all."""
    if selector.origin is not None:
        return unit.reviews.from_origin(owner, selector.origin)
    every = every_review(unit, owner)
    return [review for review in every if selector.holds(review.origin, review.opened_at)]


def _origins(unit: Reading, owner: Namespace, selector: Selector) -> list[Origin]:
    """The origins that the records of a source may have; of a kind, all containers that there are."""
    if selector.origin is not None:
        return [selector.origin]
    sources = (Origin(source.kind, source.container) for source in unit.records.sources(owner))
    return [origin for origin in sources if origin.kind is selector.kind]


def around(frame: Frame, selected: Selected) -> set[int]:
    """All memories that what the source said bears on: its own, what names them, and what its decisions touched."""
    unit, owner = frame.unit, frame.namespace
    ever = _Ever.of(frame)
    targets = {withdrawal.target for withdrawal in selected.withdrawals}
    links = [*selected.links, *(unit.records.links_of(owner, targets) if targets else ())]
    waiting = set(selected.numbers)
    waiting |= set(unit.records.whose(owner, targets) if targets else ())
    for link in links:
        waiting |= ever.named_by(link) | _joined(frame, link)
    reached = set(waiting)
    while waiting:
        memories = [kept.memory for kept in unit.memories.get(owner, waiting).values()]
        keys = [memory.key for memory in memories]
        said = [assertion.identity for assertion in unit.records.assertions(owner, waiting)]
        found = {*unit.records.children(owner, keys), *unit.records.resting_on(owner, [*keys, *said])}
        waiting = (found | ever.answering(memories)) - reached
        reached |= waiting
    return reached


def _joined(frame: Frame, link: Link) -> set[int]:
    if link.kind in NAME_LINKS:
        return set()
    keys = [bytes.fromhex(end) for end in (link.left, link.right)]
    return {kept.memory.number for kept in frame.unit.memories.by_key(frame.namespace, keys).values()}


@dataclass(frozen=True)
class _Ever:
    """What names ever meant, whether or not the links that say so are in force: a command was given under them then."""

    frame: Frame
    naming: Naming
    named: frozenset[str]

    @classmethod
    def of(cls, frame: Frame) -> _Ever:
        records = frame.unit.records
        links = records.all_name_links(frame.namespace) if records.has_links(frame.namespace) else []
        names = (name for link in links if link.kind is LinkKind.ALIAS for name in (link.left, link.right))
        return cls(frame, Naming.of(links), frozenset(names))

    def named_by(self, link: Link) -> set[int]:
        """The memories that a link about names bears on."""
        return named_by(self.frame, link, self.naming.classes.like)

    def answering(self, memories: Iterable[Memory]) -> set[int]:
        """The memories that answered what these do under other names, or as if the predicate had one value."""
        asked = [
            Asked(self.naming.classes.like(names.subject), names.predicate, memory.scope)
            for memory in memories
            if (names := memory.names) and (names.subject in self.named or names.predicate in self.naming.multi_valued)
        ]
        return set(self.frame.unit.memories.answering(self.frame.namespace, *asked)) if asked else set()
