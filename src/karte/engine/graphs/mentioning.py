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

from karte.core.mentions import Name, Names
from karte.core.namespaces import Namespace
from karte.engine.graphs.columns import Columns, Ints
from karte.engine.recalling.indexing import CHUNK_BITS, Table, hasher
from karte.ports import Lexicon, Reading

MOST_TEXTS: Final = 2_000
"""An entity that more texts mention than this tells nothing by being mentioned: it joins none of them."""

_TEXTS_PER_NAME: Final = 20
_PAGE: Final = 500

Sought = Sequence[tuple[Name, int]]


@dataclass
class Mentions:
    """Mentions found so far, as (entity, number of the memory); none of an entity that more than `most_texts` mention."""

    most_texts: int = MOST_TEXTS
    found: Columns = field(default_factory=lambda: Columns(2))
    counts: Counter[int] = field(default_factory=Counter)

    def search(self, names: Names, texts: Iterable[tuple[int, str]]) -> set[int]:
        """Search texts for names; gives the numbers of those that mention any."""
        return {number for number, text in texts if self._add(number, names.mentioned(text))}

    def look_up(self, unit: Reading, namespace: Namespace, sought: Sought, last: int) -> set[int]:
        """Find new names in the texts up to the memory `last`; gives the numbers of those that mention any."""
        texts = unit.lexicon.size(namespace).documents
        if texts <= _TEXTS_PER_NAME * len(sought):
            return self.search(_names(sought), ((n, t) for n, t in unit.facts.texts(namespace) if n <= last))
        index = _Index(unit.lexicon, namespace)
        found: dict[int, set[int]] = {}
        for name, entity in sought:
            numbers = index.holding(name)
            mentioning = self._mentioning(unit, namespace, name, numbers[numbers <= last])
            found.setdefault(entity, set()).update(mentioning)
        return {number for entity, numbers in found.items() for number in numbers if self._add(number, {entity})}

    def _mentioning(self, unit: Reading, namespace: Namespace, name: Name, numbers: Ints) -> Iterator[int]:
        """The texts that mention a name, of these; no more than it takes to know that there are too many."""
        names, count = _names([(name, 0)]), 0
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


def _names(sought: Sought) -> Names:
    names = Names()
    for name, entity in sought:
        names.add(name, entity)
    return names


class _Index:
    """Looks up texts by their terms."""

    def __init__(self, lexicon: Lexicon, namespace: Namespace) -> None:
        self._lexicon, self._namespace = lexicon, namespace
        self._hashed = hasher(lexicon.key())
        self._tail = Table(lexicon.tail(namespace))
        self._tail_numbers = self._tail.numbers

    def holding(self, name: Name) -> Ints:
        """The numbers of the texts with all terms of a name, ascending."""
        terms = [self._hashed(term) for term in sorted(name.terms)]
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
