"""Clearing: erasing all that is kept about somebody or something, or all that an owner keeps."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from karte.core.assertions import Link, LinkKind
from karte.core.memories import Memory, check_name
from karte.core.namespaces import Principal, Scope
from karte.core.periods import FOREVER
from karte.core.results import Erased
from karte.core.reviews import Review
from karte.core.text import fold_name
from karte.engine.asking import every_review
from karte.engine.gathering import Frame
from karte.engine.remembering.erasing import Erasing, scrub_files
from karte.engine.removing import Going, Removing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.engine.trusting.holding import Held
from karte.ports import Asked, Reading

_PAGE: Final = 1_000


@dataclass(frozen=True)
class Subject:
    """Whom or what something is about, by any of its names; with `as_object` also what names it as a value."""

    name: str
    as_object: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no name."""
        check_name("subject", self.name)


@dataclass(frozen=True)
class Found:
    """What is to be erased in one namespace."""

    memories: list[Memory]
    reviews: list[Review]
    links: list[Link]

    @property
    def ids(self) -> list[str]:
        """The ids of the memories, those that are held back included."""
        return sorted({*(memory.id for memory in self.memories), *(review.memory_id for review in self.reviews)})


@repeated
def concerned(services: Services, caller: Principal, subject: Subject | None) -> list[str]:
    """The ids of what `clear` would erase. Needs the scope admin."""
    caller.require(Scope.ADMIN)
    with services.store.reading() as unit:
        return _found(Frame(unit, caller.namespace, services.tiers), unit, subject).ids


@repeated
def clear(services: Services, caller: Principal, subject: Subject | None, *, scrub: bool = True) -> Erased:
    """Erase all that is kept about a subject, or without one all that the owner keeps, then scrub the files.

    What was derived from that alone goes with it, and so do the aliases of the subject and what is held back for a
    person. Texts that merely mention it stay. Needs the scope admin.
    """
    caller.require(Scope.ADMIN)
    with services.store.writing() as unit:
        found = _found(Frame(unit, caller.namespace, services.tiers), unit, subject)
        gone = Erasing(services, caller, unit)(found.memories) if found.memories else []
        if found.links:
            Removing(services, caller.namespace, unit)(Going(links=found.links))
        unit.reviews.remove(caller.namespace, [review.id for review in found.reviews])
        if subject is None:
            unit.bursts.drop_before(caller.namespace, FOREVER)
        ids = sorted({*found.ids, *(memory.id for memory in gone)})
        if ids or found.links:
            auditing.record(unit, caller, auditing.ERASED, memories=len(ids), links=len(found.links))
    return Erased(tuple(ids), (), scrub and scrub_files(services))


def _found(frame: Frame, unit: Reading, subject: Subject | None) -> Found:
    namespace = frame.namespace
    reviews = every_review(unit, namespace)
    if subject is None:
        return Found(_memories(frame, unit, _all(frame, unit)), reviews, unit.records.all_name_links(namespace))
    names = frame.names_like(fold_name(subject.name))
    numbers = set(unit.memories.answering(namespace, Asked(names)))
    if subject.as_object:
        numbers |= set(unit.memories.with_object(namespace, names))
    aliases = [link for link in unit.records.name_links(namespace, names) if link.kind is LinkKind.ALIAS]
    return Found(_memories(frame, unit, numbers), [r for r in reviews if _names(r, subject, names)], aliases)


def _memories(frame: Frame, unit: Reading, numbers: Collection[int]) -> list[Memory]:
    return [kept.memory for kept in unit.memories.get(frame.namespace, numbers).values()]


def _all(frame: Frame, unit: Reading) -> list[int]:
    found: list[int] = []
    while page := unit.memories.recent(frame.namespace, found[-1] if found else FOREVER, _PAGE):
        found += page
    return found


def _names(review: Review, subject: Subject, names: Collection[str]) -> bool:
    """Whether what a review holds back is about the subject; other reviews go with their memories."""
    if review.held is None:
        return False
    said = Held.read(review.held).memory.names
    return said is not None and (said.subject in names or (subject.as_object and said.object in names))
