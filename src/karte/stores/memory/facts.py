"""Memories in bulk, over the oracle's tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from karte.core.bulk import Fact, Held
from karte.core.namespaces import Namespace
from karte.ports import Kept
from karte.stores.memory.parts import Part


class MemoryFacts(Part):
    """Triples, texts, spells and derivations."""

    def changed(self, namespace: Namespace, since: int) -> list[int]:
        """The memories whose chain changed after a system time."""
        room = self._room(namespace)
        late = {number for number, head in room.heads.items() if head.changed_at > since}
        return sorted(number for number, kept in room.kept.items() if number in late or kept.chain in late)

    def erasures(self, namespace: Namespace) -> int:
        """How often memories were erased."""
        return self._room(namespace).erasures

    def triples(self, namespace: Namespace, numbers: Collection[int] | None = None) -> list[Fact]:
        """The triples of memories."""
        memories = [kept.memory for kept in self._stating(namespace, numbers)]
        return [Fact(m.number, m.triple, m.names) for m in memories if m.triple and m.names]

    def texts(self, namespace: Namespace, numbers: Collection[int] | None = None) -> list[tuple[int, str]]:
        """The texts of memories without a triple."""
        memories = [kept.memory for kept in self._stating(namespace, numbers)]
        return [(memory.number, memory.content) for memory in memories if not memory.names]

    def spells(self, namespace: Namespace, numbers: Collection[int]) -> list[Held]:
        """When the statements of these memories are in force."""
        segments = self._room(namespace).segments
        return [
            Held(kept.memory.number, segment.start, segment.end, segment.expires_at, segment.rank[3])
            for kept in self._stating(namespace, numbers)
            for segment in segments.get((kept.chain, False), ())
            if segment.statement == kept.statement
        ]

    def parents(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, int]]:
        """What these memories were derived from."""
        room = self._room(namespace)
        known = {kept.memory.key: number for number, kept in room.kept.items()}
        said = ((number, parent) for number in numbers for a in room.assertions.get(number, ()) for parent in a.parents)
        return sorted({(number, known[parent]) for number, parent in said if parent in known})

    def _stating(self, namespace: Namespace, numbers: Collection[int] | None) -> Iterator[Kept]:
        kept = self._room(namespace).kept
        wanted = kept.keys() if numbers is None else kept.keys() & set(numbers)
        return (kept[number] for number in sorted(wanted) if not kept[number].memory.nothing)
