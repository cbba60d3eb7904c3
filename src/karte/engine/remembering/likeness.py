"""Near-duplicates: free texts that say nearly the same are linked, never dropped or merged.

Candidates share a band of a MinHash fingerprint (Broder, 1997) of their distinct terms; then the texts themselves
are compared. What differs in a number, a name or a negation is linked with that difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from karte.core.difference import difference, similarity
from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.ports import Document, Likeness, Writing

ALIKE: Final = 0.8
"""The least share of common terms (Jaccard) of a near-duplicate."""

MOST: Final = 5
_BANDS: Final = 4
_ROWS: Final = 3
_LEAST_TERMS: Final = 3
_FACTORS: Final = np.array(
    [(0x9E3779B97F4A7C15 * (2 * place + 1) ** 5) & 0xFFFFFFFFFFFFFFFF | 1 for place in range(_BANDS * _ROWS)], np.uint64
)


def bands(document: Document) -> list[int]:
    """The bands of a text's fingerprint, 63 bits each; none for a text of fewer than three terms."""
    hashes = np.frombuffer(document.hashes, np.uint64)
    if len(hashes) < _LEAST_TERMS:
        return []
    least = (hashes[:, None] * _FACTORS).min(axis=0).reshape(_BANDS, _ROWS)
    mixed = least[:, 0] ^ (least[:, 1] * _FACTORS[1]) ^ (least[:, 2] * _FACTORS[2])
    return [int(band) >> 1 for band in mixed.tolist()]


def link_alike(unit: Writing, namespace: Namespace, memory: Memory, document: Document) -> list[str]:
    """Link a new memory to those that are nearly equal to it; gives their ids."""
    fingerprint = bands(document)
    if not fingerprint:
        return []
    candidates = unit.likenesses.alike(namespace, fingerprint)
    unit.likenesses.fingerprint(namespace, memory.number, fingerprint)
    return [_link(unit, namespace, memory, other) for other in _near(unit, namespace, memory, candidates)]


def _near(unit: Writing, namespace: Namespace, memory: Memory, candidates: Sequence[int]) -> list[Memory]:
    if not candidates:
        return []
    others = [kept.memory for kept in unit.memories.get(namespace, candidates[-64:]).values()]
    comparable = [other for other in others if other.scope == memory.scope and other.number != memory.number]
    scored = sorted(((similarity(memory.content, other.content), -other.number, other) for other in comparable), reverse=True)
    return [other for alike, _, other in scored if alike >= ALIKE][:MOST]


def _link(unit: Writing, namespace: Namespace, memory: Memory, other: Memory) -> str:
    differs = difference(memory.content, other.content)
    unit.likenesses.link(namespace, Likeness(memory.number, other.number, differs))
    return other.id
