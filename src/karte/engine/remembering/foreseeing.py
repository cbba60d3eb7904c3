"""Looking ahead: what several drafts of one transaction need is found out together before they are stored one by one.

The gate looks through all of their texts at once; which memories and which near-duplicates are there already is asked
once for all, not once for each. Of what was found out only that something is missing is relied on, and only until the
transaction itself keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.engine import indexing
from karte.engine.drafting import Draft
from karte.engine.likeness import Text, bands_of, is_compared
from karte.engine.trusting.gate import Gate, Judged
from karte.ports import Kept, Writing


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A draft, what the gate makes of it, and the memory that it then says."""

    draft: Draft
    judged: Judged
    said: Memory


@dataclass
class Foresight:
    """What is known ahead of the drafts of one transaction."""

    unit: Writing
    namespace: Namespace
    gate: Gate
    hashed: Callable[[str], int]
    _new: set[bytes] = field(default_factory=set)
    _free: set[int] = field(default_factory=set)
    _texts: dict[bytes, Text] = field(default_factory=dict)
    _bands: dict[bytes, list[int]] = field(default_factory=dict)

    def look(self, drafts: Sequence[Draft]) -> list[Foreseen]:
        """Look ahead at drafts that are stored next, in this order."""
        judged = self.gate.judge_each(drafts)
        foreseen = [
            Foreseen(draft, each, each.draft.statement.of(self.namespace.agent))
            for draft, each in zip(drafts, judged, strict=True)
        ]
        if len(foreseen) > 1:
            self._ask([each.said for each in foreseen if each.judged.refused is None])
        return foreseen

    def _ask(self, said: Sequence[Memory]) -> None:
        memories = {memory.key: memory for memory in said}
        known = self.unit.memories.by_key(self.namespace, memories) if memories else {}
        self._new = memories.keys() - known.keys()
        texts = [self._text(memories[key]) for key in memories if key in self._new and memories[key].indexed]
        compared = [text for text in texts if is_compared(text.memory)]
        self._texts = {text.memory.key: text for text in texts}
        self._bands = {text.memory.key: bands for text, bands in zip(compared, bands_of(compared), strict=True)}
        asked = {band for bands in self._bands.values() for band in bands}
        self._free = asked - self.unit.likenesses.taken(self.namespace, asked) if asked else asked

    def _text(self, memory: Memory) -> Text:
        found = indexing.indexed_terms(memory)
        return Text(memory, found, indexing.document(memory.number, found, self.hashed))

    def kept(self, memory: Memory) -> Kept | None:
        """The memory of this key as it is kept, if it is."""
        if memory.key in self._new:
            return None
        return self.unit.memories.by_key(self.namespace, [memory.key]).get(memory.key)

    def keep(self, memory: Memory) -> None:
        """From now on this memory is kept."""
        self._new.discard(memory.key)

    def entry(self, memory: Memory) -> Text:
        """A new memory, which has its number now, as it is indexed."""
        text = self._texts.pop(memory.key, None)
        if text is None:
            return self._text(memory)
        return Text(memory, text.terms, text.document._replace(number=memory.number))

    def bands(self, text: Text) -> list[int]:
        """The bands of the fingerprint of a text."""
        bands = self._bands.pop(text.memory.key, None)
        return text.bands if bands is None else bands

    def alone(self, bands: Sequence[int]) -> bool:
        """Whether no memory has one of these bands; asked by one that has them from now on."""
        free = self._free.issuperset(bands)
        self._free.difference_update(bands)
        return free
