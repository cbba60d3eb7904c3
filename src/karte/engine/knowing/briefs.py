"""Policies in brief: what choosing among them takes, read once and then only where their chains changed.

What is kept follows from records alone, not from the time asked about: whether a policy is in force, what of its facts
still holds, and who may read it is found out at every question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

from karte.core.binding import Binding, binding_of
from karte.core.fitting import telling
from karte.core.memories import Layer
from karte.core.standing import Standing, Timeline
from karte.core.topics import Weights
from karte.core.trust import FULL
from karte.engine.asking import Asking
from karte.engine.gathering import timelines
from karte.ports import Store


@dataclass(frozen=True)
class Brief:
    """A policy by what its records say: the rule, its scope, how it binds, and the words that tell what it is about.

    `number` is that of the memory that stands for the statement, `since` when its first source lets it begin
    (microseconds), `trust` 0..1; `parents` are the keys of the facts that it follows from.
    """

    number: int
    id: str
    rule: str
    scope: str
    binding: Binding
    since: int
    trust: float
    parents: frozenset[bytes]
    words: Weights


@dataclass(frozen=True)
class _Shelf:
    """The briefs as of a system time, by the numbers of memories; `erasures` tells when all is to be read anew."""

    read_at: int
    erasures: int
    briefs: Mapping[int, Brief]


@dataclass
class _Place:
    """Where the shelf of one store is kept; who reads it in holds `turn`."""

    shelf: _Shelf | None = None
    turn: Lock = field(default_factory=Lock)


_PLACES: Final[WeakKeyDictionary[Store, _Place]] = WeakKeyDictionary()
_LOCK: Final = Lock()


def briefs(store: Store, question: Asking) -> Mapping[int, Brief]:
    """All policies of the namespace asked about, in force or not, by the numbers of their memories; as known now."""
    with _LOCK:
        place = _PLACES.setdefault(store, _Place())
    unit, namespace = question.unit, question.frame.namespace
    numbers = [number for number, layer in unit.memories.aside(namespace).items() if layer is Layer.POLICY]
    read_at, erasures = unit.last_learned(), unit.facts.erasures(namespace)
    with place.turn:
        kept = place.shelf
        if kept is not None and kept.read_at > read_at:  # the view began before what is kept was read
            return _read(question, numbers)
        known = {} if kept is None or kept.erasures != erasures else _unchanged(question, kept, read_at)
        fresh = _read(question, [number for number in numbers if number not in known])
        found = {number: brief for number in numbers if (brief := known.get(number) or fresh.get(number))}
        place.shelf = _Shelf(read_at, erasures, found)
    return found


def _unchanged(question: Asking, kept: _Shelf, read_at: int) -> Mapping[int, Brief]:
    if kept.read_at == read_at:
        return kept.briefs
    changed = set(question.unit.facts.changed(question.frame.namespace, kept.read_at))
    return {number: brief for number, brief in kept.briefs.items() if number not in changed}


def _read(question: Asking, numbers: Collection[int]) -> dict[int, Brief]:
    folded = timelines(question.frame, numbers) if numbers else {}
    found: dict[int, Brief] = {}
    for number in numbers:
        timeline = folded.get(number)
        if timeline is not None and not timeline.standing(number).representative.nothing:
            found[number] = _brief(question, timeline, timeline.standing(number))
    return found


def _brief(question: Asking, timeline: Timeline, standing: Standing) -> Brief:
    memory, said = standing.representative, standing.said or standing.withdrawn
    rule = (said[0].wording or memory.wording).content
    return Brief(
        timeline.statements[memory.number],
        memory.id,
        rule,
        memory.place.scope,
        binding_of(standing.said, question.frame.tiers),
        said[0].valid_from,
        standing.trust / FULL,
        frozenset(parent for assertion in said for parent in assertion.parents),
        telling(rule),
    )
