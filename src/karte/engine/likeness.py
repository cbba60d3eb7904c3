"""Near-duplicates: free texts that say nearly the same are linked, never dropped or merged.

Candidates share a band of a fingerprint: bands of MinHash values (Broder, 1997) of the distinct terms, and the digest
of all terms without a digit, since what differs in a number alone is what must be told apart. Then the texts
themselves are compared; what differs in a value, a word or a negation is linked with that difference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np

from karte.core.difference import difference, similarity, skeleton
from karte.core.memories import Layer, Memory
from karte.core.namespaces import Namespace
from karte.engine.indexing import indexed_terms
from karte.ports import Document, Likeness, Writing

ALIKE: Final = 0.8
"""The least share of common terms (Jaccard) of a near-duplicate, unless only values differ."""

MOST: Final = 5
_CANDIDATES: Final = 16
_BANDS: Final = 2
_ROWS: Final = 5
"""Texts with 0.8 of their terms in common share a band in 55 of 100 cases, with 0.9 in 83; each band costs a page."""

_LEAST_TERMS: Final = 3
_FACTORS: Final = np.array(
    [(0x9E3779B97F4A7C15 * (2 * place + 1) ** 5) & 0xFFFFFFFFFFFFFFFF | 1 for place in range(_BANDS * _ROWS)], np.uint64
)


@dataclass(frozen=True, slots=True)
class Text:
    """A memory as near-duplicates are told by: its terms and its forward row."""

    memory: Memory
    terms: Sequence[str]
    document: Document

    @property
    def bands(self) -> list[int]:
        """The bands of its fingerprint, 63 bits each; none for a text of fewer than three terms."""
        return bands_of([self])[0]


def is_compared(memory: Memory) -> bool:
    """Whether a memory is told apart from near-duplicates: a free text about what holds."""
    return memory.layer is Layer.SEMANTIC and memory.triple is None


def bands_of(texts: Sequence[Text]) -> list[list[int]]:
    """The bands of each of these texts, as `Text.bands` gives them; of many at once in a few calls of numpy."""
    enough = [text for text in texts if len(text.document.counts) >= _LEAST_TERMS]
    found = iter(_least(enough) if enough else ())
    return [
        [band >> 1 for band in (*next(found), _bones(text))] if len(text.document.counts) >= _LEAST_TERMS else []
        for text in texts
    ]


def _least(texts: Sequence[Text]) -> list[list[int]]:
    """The least of each text's terms by each order, mixed into bands."""
    hashes = np.frombuffer(b"".join([text.document.hashes for text in texts]), np.uint64)
    starts = [0, *accumulate(len(text.document.counts) for text in texts[:-1])]
    least = np.minimum.reduceat(_FACTORS[:, None] * hashes, starts, axis=1).T.reshape(-1, _BANDS, _ROWS)
    mixed: list[list[int]] = np.bitwise_xor.reduce(least * _FACTORS[:_ROWS], axis=2).tolist()
    return mixed


def _bones(text: Text) -> int:
    """A digest of all terms without a digit."""
    digest = hashlib.blake2b(" ".join(skeleton(text.terms)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def link_alike(
    unit: Writing, namespace: Namespace, text: Text, bands: Sequence[int], now: int, *, alone: bool = False
) -> list[str]:
    """Link a new memory of these bands to those in force `now` that are nearly equal to it; gives their ids.

    Nothing is asked where it is known to be `alone` with its bands.
    """
    if not bands:
        return []
    candidates = [] if alone else unit.likenesses.alike(namespace, bands, _CANDIDATES)
    holding = unit.timelines.holding(namespace, candidates, now, now) if candidates else {}
    unit.likenesses.fingerprint(namespace, text.memory.number, bands)
    return [_link(unit, namespace, text, other) for other in _near(unit, namespace, text, list(holding))]


def _near(unit: Writing, namespace: Namespace, text: Text, candidates: Sequence[int]) -> list[Memory]:
    if not candidates:
        return []
    bones = skeleton(text.terms)
    near = []
    for kept in unit.memories.get(namespace, candidates).values():
        found = indexed_terms(kept.memory)
        alike = similarity(text.terms, found)
        if kept.memory.scope == text.memory.scope and (alike >= ALIKE or skeleton(found) == bones):
            near.append((alike, kept.memory))
    return [other for _, other in sorted(near, key=lambda pair: (-pair[0], pair[1].number))][:MOST]


def _link(unit: Writing, namespace: Namespace, text: Text, other: Memory) -> str:
    differs = difference(text.terms, indexed_terms(other))
    unit.likenesses.link(namespace, Likeness(text.memory.number, other.number, differs))
    return other.id
