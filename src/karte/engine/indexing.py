"""The lexical index: exact BM25 from posting lists that are rows in the store, scored in numpy.

A text is a *forward row*: its distinct terms as keyed 63-bit hashes, with a count each. New rows form a tail that
every search looks through; when it is long enough the writer appends it to the *posting rows*, one per term and
chunk of 65,536 numbers: two bytes of the number and one code byte (two bits of count, six of length). Codes only
choose candidates; the score of a hit is computed from its forward row and is exact.

The store holds no words: a term's hash is keyed with a secret of the workspace.
"""

from __future__ import annotations

import hashlib
import json
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.core.standing import Tiers
from karte.core.text import VERSION, fold_name, terms
from karte.ports import Document, Lexicon, Posting

CHUNK_BITS: Final = 16
TAIL: Final = 256
"""A tail of this many texts is compacted; reading it costs a search about half a millisecond."""

_COUNT_BITS: Final = 2
_LENGTHS: Final = 2 ** (8 - _COUNT_BITS)
_MOST_COUNT: Final = 2**_COUNT_BITS - 1
_LONGEST: Final = math.log(20_000)
_MEMO: Final = 200_000
_CAP: Final = 255

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

CODE_LENGTHS: Final = np.exp(np.arange(_LENGTHS) / (_LENGTHS - 1) * _LONGEST)[np.arange(256) & (_LENGTHS - 1)]
"""The length that each code byte stands for."""

CODE_COUNTS: Final = np.arange(256) >> (8 - _COUNT_BITS)
"""The count that each code byte stands for (3 for 3 and more)."""


@lru_cache(maxsize=8)
def hasher(key: bytes) -> Callable[[str], int]:
    """The function that hashes a term with this key to 63 bits, with a memo of the terms met lately."""
    return _Hashes(key).__getitem__


class _Hashes(dict[str, int]):
    """Hashes of terms; emptied when it is full, which costs less than an order of use."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key

    def __missing__(self, term: str) -> int:
        digest = hashlib.blake2b(term.encode(), digest_size=8, key=self._key).digest()
        if len(self) >= _MEMO:
            self.clear()
        found = self[term] = int.from_bytes(digest, "little") >> 1
        return found


def indexed_terms(memory: Memory) -> list[str]:
    """The terms under which a memory is found."""
    return terms(indexed_text(memory))


def indexed_text(memory: Memory) -> str:
    """What of a memory is indexed: its text, and the names of its triple that the text lacks, whoever wrote them how."""
    names = memory.names
    if names is None:
        return memory.content
    text = fold_name(memory.content)
    lacking = (name for name in (names.subject, names.predicate, names.object) if name and name not in text)
    return "\n".join([memory.content, *lacking])


def document(number: int, found: Sequence[str], hashed: Callable[[str], int]) -> Document:
    """The forward row of a text, from its terms."""
    counts = Counter(map(hashed, found))
    hashes = array("q", counts).tobytes()
    highest = max(counts.values(), default=0)
    return Document(number, len(found), hashes, bytes(counts.values() if highest < _CAP else _capped(counts)))


def _capped(counts: Counter[int]) -> list[int]:
    return [min(count, _CAP) for count in counts.values()]


def add(lexicon: Lexicon, namespace: Namespace, documents: Sequence[Document]) -> None:
    """Index new texts, and compact the tail where it has grown long.

    It is compacted up to its last text, not to the last number given out: more texts below that may follow.
    """
    if not documents:
        return
    size = lexicon.add(namespace, documents)
    if size.following - 1 - size.compacted >= TAIL:
        tail = lexicon.tail(namespace)
        lexicon.append(namespace, postings(tail), tail[-1].number)


def postings(documents: Sequence[Document]) -> Iterator[Posting]:
    """The posting rows of these texts, in order of chunk and term."""
    if not documents:
        return
    table = Table(documents)
    order = np.lexsort((table.numbers, table.hashes, table.numbers >> CHUNK_BITS))
    hashes, numbers, codes = table.hashes[order], table.numbers[order], table.codes[order]
    chunks = numbers >> CHUNK_BITS
    low = (numbers & ((1 << CHUNK_BITS) - 1)).astype("<u2").tobytes()
    code_bytes = codes.tobytes()
    starts = np.flatnonzero(np.r_[True, (hashes[1:] != hashes[:-1]) | (chunks[1:] != chunks[:-1])])
    ends = np.r_[starts[1:], len(hashes)].tolist()
    found, chunk = hashes[starts].tolist(), chunks[starts].tolist()
    for row, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True)):
        yield Posting(found[row], chunk[row], low[2 * start : 2 * end], code_bytes[start:end])


@lru_cache(maxsize=64)
def tabled(documents: tuple[Document, ...]) -> Table:
    """The table of these rows; those of tails that were seen lately are kept."""
    return Table(documents)


def places(posting: Posting) -> set[int]:
    """The low bits of the numbers in a posting row."""
    return set(np.frombuffer(posting.places, "<u2").tolist())


class Table:
    """Forward rows unpacked side by side: one entry per distinct term and text.

    `rows[i]` is the place of entry i's text among `documents`; `lengths` has one value per text.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        sizes = np.array([len(d.counts) for d in documents], np.int64)
        self.documents = documents
        self.hashes: Ints = np.frombuffer(b"".join([d.hashes for d in documents]), np.int64)
        self.counts: Bytes = np.frombuffer(b"".join([d.counts for d in documents]), np.uint8)
        self.rows: Ints = np.repeat(np.arange(len(documents)), sizes)
        self.lengths: Ints = np.array([d.length for d in documents], np.int64)

    @property
    def numbers(self) -> Ints:
        """The number of each entry's text."""
        numbers: Ints = np.array([d.number for d in self.documents], np.int64)[self.rows]
        return numbers

    @property
    def codes(self) -> Bytes:
        """The code byte of each entry."""
        steps = np.log(np.maximum(self.lengths, 1)) / _LONGEST * (_LENGTHS - 1)
        buckets = np.clip(np.round(steps), 0, _LENGTHS - 1).astype(np.uint8)[self.rows]
        counts = np.minimum(self.counts, _MOST_COUNT)
        return ((counts << (8 - _COUNT_BITS)) | buckets).astype(np.uint8)


def made_by(tiers: Tiers) -> str:
    """What the fold and the index are made with by this release, with these tiers of trust."""
    return json.dumps({"tiers": list(tiers), "analysis": VERSION})
