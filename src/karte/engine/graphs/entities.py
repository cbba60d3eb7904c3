"""Entities: what triples are about, under all their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from karte.core.assertions import Link
from karte.core.chains import Naming
from karte.core.mentions import Name, Names, read_name
from karte.engine.graphs.mentioning import Sought


@dataclass
class Entities:
    """Subjects and objects, numbered as memories bring them up; names that are aliases of each other are one entity.

    `labels` are the names as they were first written, `names` finds them in texts.
    """

    aliases: Sequence[Link] = ()
    labels: list[str] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    _numbers: dict[str, int] = field(default_factory=dict)
    _sought: int = 0

    def __post_init__(self) -> None:
        self._classes = Naming.of(self.aliases).classes
        self._members: dict[str, set[str]] = defaultdict(set)
        for link in self.aliases:
            self._members[self._classes.of(link.left)] |= {link.left, link.right}

    def number(self, name: str, written: str) -> int:
        """The number of the entity with a name (normal form)."""
        known = self._classes.of(name)
        found = self._numbers.get(known)
        if found is None:
            found = self._numbers[known] = len(self.labels)
            self.labels.append(written)
        return found

    def seek_new(self) -> Sought:
        """Seek the names of new entities in texts from now on; gives those names."""
        first, self._sought = self._sought, len(self.labels)
        fresh = list(self._names_of(islice(self._numbers, first, None), first))
        for name, entity in fresh:
            self.names.add(name, entity)
        return Sought(fresh, first, self.names)

    def _names_of(self, known: Iterable[str], first: int) -> Iterator[tuple[Name, int]]:
        for entity, name in enumerate(known, first):
            for each in sorted(self._members.get(name, {name})):
                if sought := read_name(each):
                    yield sought, entity
