"""Memories in bulk as they were known at a system time: the store's, but for what changed since."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from karte.core.bulk import Fact, Held
from karte.core.namespaces import Namespace
from karte.core.standing import Timeline
from karte.engine.gathering import Frame, timelines


class PastFacts:
    """Answers like the store's part, with the chains that changed after `known_at` folded as of then."""

    def __init__(self, frame: Frame, known_at: int) -> None:
        self._frame, self._known_at = frame, known_at
        self._facts = frame.unit.facts

    @cached_property
    def _folded(self) -> dict[int, Timeline | None]:
        changed = self._facts.changed(self._frame.namespace, self._known_at)
        found = timelines(self._frame, changed, self._known_at) if changed else {}
        return {number: found.get(number) for number in changed}

    def changed(self, namespace: Namespace, since: int) -> list[int]:
        """The memories whose chain changed after a system time."""
        return self._facts.changed(namespace, since)

    def erasures(self, namespace: Namespace) -> int:
        """How often memories were erased."""
        return self._facts.erasures(namespace)

    def triples(self, namespace: Namespace, numbers: Collection[int] | None = None) -> Iterable[Fact]:
        """The triples of memories."""
        return self._facts.triples(namespace, numbers)

    def texts(self, namespace: Namespace, numbers: Collection[int] | None = None) -> Iterable[tuple[int, str]]:
        """The texts of memories without a triple."""
        return self._facts.texts(namespace, numbers)

    def spells(self, namespace: Namespace, numbers: Collection[int]) -> list[Held]:
        """When the statements of these memories were in force, as known then."""
        settled = [number for number in numbers if number not in self._folded]
        found = self._facts.spells(namespace, settled)
        for number in sorted(set(numbers) - set(settled)):
            timeline = self._folded[number]
            if timeline is not None:
                found += _spells(timeline, number)
        return found

    def parents(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, int]]:
        """What these memories were derived from."""
        return self._facts.parents(namespace, numbers)


def _spells(timeline: Timeline, number: int) -> list[Held]:
    statement = timeline.statements[number]
    segments = [segment for segment in timeline.segments if segment.statement == statement]
    return [Held(number, s.start, s.end, s.expires_at, s.rank[3]) for s in segments]
