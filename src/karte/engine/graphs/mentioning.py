"""Which texts mention which entities, whichever came first.

A new text is searched for all known names. A new name is looked up in the lexical index, and the texts with all its
terms are searched for it; where there are many new names for few texts, all texts are searched instead. Both find the
same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from karte.core.mentions import Name, Names, index_terms
from karte.core.namespaces import Namespace
from karte.engine.graphs.columns import Columns, Ints
from karte.engine.indexing import CHUNK_BITS, Table, hasher
from karte.ports import Lexicon, Reading

MOST_TEXTS: Final = 2_000
"""An entity that more texts mention than this tells nothing by being mentioned: it joins none of them."""

_TEXTS_PER_NAME: Final = 20
_PAGE: Final = 500


@dataclass(frozen=True)
class Sought:
    """The names of new entities, those from `first` on, and all names with them."""

    names: Sequence[tuple[Name, int]]
    first: int
    all: Names


@dataclass
class Mentions:
    """Mentions found so far, as (entity, number of the memory); none of an entity that more than `most_texts` mention."""

    most_texts: int = MOST_TEXTS
    found: Columns = field(default_factory=lambda: Columns(2))
    counts: Counter[int] = field(default_factory=Counter)

    def search(self, names: Names, texts: Iterable[tuple[int, str]], first: int = 0) -> set[int]:
        """Search texts for the names of entities from `first` on; gives the numbers of those that mention any."""
        found = ((number, {entity for entity in names.mentioned(text) if entity >= first}) for number, text in texts)
        return {number for number, entities in found if self._add(number, entities)}

    def look_up(self, unit: Reading, namespace: Namespace, sought: Sought, last: int) -> set[int]:
        """Find the names of new entities in the texts up to the memory `last`; gives the numbers of those that have any."""
        if unit.lexicon.size(namespace).documents <= _TEXTS_PER_NAME * len(sought.names):
            texts = ((number, text) for number, text in unit.facts.texts(namespace) if number <= last)
            return self.search(sought.all, texts, sought.first)
        index = _Index(unit.lexicon, namespace)
        found: dict[int, set[int]] = {}
        for name, entity in sought.names:
            numbers = index.holding(name)
            mentioning = self._mentioning(unit, namespace, name, numbers[numbers <= last])
            found.setdefault(entity, set()).update(mentioning)
        return {number for entity, numbers in found.items() for number in numbers if self._add(number, {entity})}

    def _mentioning(self, unit: Reading, namespace: Namespace, name: Name, numbers: Ints) -> Iterator[int]:
        """The texts that mention a name, of these; no more than it takes to know that there are too many."""
        names, count = Names(), 0
        names.add(name, 0)
        for start in range(0, len(numbers), _PAGE):
            for number, text in unit.facts.texts(namespace, numbers[start : start + _PAGE].tolist()):
                if names.mentioned(text):
                    yield number
                    count += 1
            if count > self.most_texts:
                return

    def _add(self, number: int, entities: Iterable[int]) -> bool:
        added = False
        for entity in entities:
            self.counts[entity] += 1
            if self.counts[entity] <= self.most_texts:
                self.found.extend([(entity, number)])
                added = True
        return added

    def telling(self) -> Ints:
        """The mentions of entities that are not mentioned too often."""
        rows = self.found.rows()
        common = [entity for entity, count in self.counts.items() if count > self.most_texts]
        return rows[~np.isin(rows[:, 0], common)] if common else rows


class _Index:
    """Looks up texts by their terms."""

    def __init__(self, lexicon: Lexicon, namespace: Namespace) -> None:
        self._lexicon, self._namespace = lexicon, namespace
        self._hashed = hasher(lexicon.key())
        self._tail = Table(lexicon.tail(namespace))
        self._tail_numbers = self._tail.numbers

    def holding(self, name: Name) -> Ints:
        """The numbers of the texts with all terms of a name, ascending."""
        terms = [self._hashed(term) for term in sorted(index_terms(name))]
        held: dict[int, list[NDArray[np.int64]]] = {
            term: [self._tail_numbers[self._tail.hashes == term]] for term in terms
        }
        for posting in self._lexicon.postings(self._namespace, terms):
            places = np.frombuffer(posting.places, "<u2").astype(np.int64)
            held[posting.term].append(places + (posting.chunk << CHUNK_BITS))
        numbers, *others = (np.concatenate(parts) for parts in held.values())
        for other in others:
            numbers = np.intersect1d(numbers, other)
        return np.unique(numbers)
