"""The parts of a store that are kept for speed: each can be made anew from the records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from karte.core.namespaces import Namespace
from karte.core.timeline import Room, Segment
from karte.ports.outside import Identity
from karte.ports.records import Head


class Timelines(Protocol):
    """The present fold, kept for speed: segments by chain, never the truth."""

    def heads(self, namespace: Namespace, chains: Collection[int]) -> dict[int, Head]:
        """The heads of these chains."""

    def set_head(self, namespace: Namespace, chain: int, head: Head) -> None:
        """Say when a chain changed and which tier its claims share."""

    def segments(self, namespace: Namespace, chain: int, start: int, end: int, *, free: bool = False) -> list[Segment]:
        """The segments that overlap [start, end), in time order; `free` for those with the guard off."""

    def room_for(self, namespace: Namespace, chain: int, claim: Segment, *, free: bool = False) -> Room:
        """Where a claim comes into force among the segments of a chain."""

    def replace(
        self, namespace: Namespace, chain: int, old: Sequence[Segment], new: Sequence[Segment], *, free: bool = False
    ) -> None:
        """Put new segments in the place of old ones."""

    def holding(self, namespace: Namespace, numbers: Collection[int], at: int, now: int) -> dict[int, int]:
        """Those of these memories whose statement is in force at `at` and has not expired by `now`, with its number."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much text a namespace holds: documents, terms in all, the highest number compacted, the next number."""

    documents: int
    length: int
    compacted: int
    following: int


class Document(NamedTuple):
    """The forward row of one text: distinct term hashes (int64, little endian) and a count byte for each."""

    number: int
    length: int
    hashes: bytes
    counts: bytes


class Posting(NamedTuple):
    """The texts of one chunk of numbers that hold a term: low 16 bits of each number, and a code byte for each."""

    term: int
    chunk: int
    places: bytes
    codes: bytes


class Lexicon(Protocol):
    """The lexical index of a namespace as rows; it holds keyed hashes, never words."""

    def key(self) -> bytes:
        """The secret of this workspace with which terms are hashed."""

    def size(self, namespace: Namespace) -> Size:
        """The statistics of the namespace."""

    def add(self, namespace: Namespace, documents: Sequence[Document]) -> Size:
        """Keep forward rows and count them; they form the tail until they are compacted. Gives the statistics then."""

    def tail(self, namespace: Namespace) -> list[Document]:
        """The forward rows that are not compacted, by number."""

    def documents(self, namespace: Namespace, numbers: Collection[int]) -> list[Document]:
        """The forward rows of these numbers, by number."""

    def postings(self, namespace: Namespace, terms: Iterable[int]) -> Iterable[Posting]:
        """All posting rows of these terms."""

    def append(self, namespace: Namespace, postings: Iterable[Posting], compacted: int) -> None:
        """Append numbers above all there are to posting rows, and say up to which number the index is compacted."""

    def remove(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Take texts out of forward and posting rows and out of the statistics."""

    def clear(self, namespace: Namespace) -> None:
        """Remove the whole index of a namespace, so that it can be built anew."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two memories with nearly the same text; `difference` says what differs, empty for a retelling."""

    one: int
    other: int
    difference: str


class Likenesses(Protocol):
    """Near-duplicates, found by the fingerprints of texts."""

    def alike(self, namespace: Namespace, bands: Sequence[int], most: int) -> list[int]:
        """The numbers of memories that share one of these bands, of each band the `most` highest."""

    def taken(self, namespace: Namespace, bands: Collection[int]) -> set[int]:
        """Those of these bands that some memory has."""

    def fingerprint(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Keep the bands of a memory's fingerprint."""

    def forget(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Remove the bands of a memory's fingerprint."""

    def link(self, namespace: Namespace, likeness: Likeness) -> None:
        """Keep a likeness."""

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[Likeness]:
        """The likenesses of these memories."""


@dataclass(frozen=True, slots=True)
class VectorSet:
    """The vectors of one embedder; only those of the active set are compared with a query."""

    number: int
    identity: Identity
    active: bool


class Vectors(Protocol):
    """Vectors of memories, by set; float16, little endian, of unit length."""

    def sets(self) -> list[VectorSet]:
        """All sets of the workspace, by number."""

    def open_set(self, identity: Identity) -> int:
        """The number of the set of an embedder; made, not active yet, if there is none."""

    def activate(self, number: int) -> None:
        """Let a set serve instead of the one that served."""

    def drop(self, number: int) -> None:
        """Remove a set with its vectors."""

    def reached(self, namespace: Namespace, number: int) -> int:
        """Up to which memory a set is filled in; 0 where it is empty."""

    def add(self, namespace: Namespace, number: int, vectors: Sequence[tuple[int, bytes]], reached: int) -> None:
        """Keep vectors of memories in a set, ascending, and say up to which memory it is filled in now.

        What comes below the highest one raises the generation, for it is read by nobody who goes on from there.
        """

    def missing(self, namespace: Namespace, number: int) -> list[int]:
        """The memories up to `reached` that wait for a new vector because they were reworded, ascending."""

    def set_missing(self, namespace: Namespace, number: int, memories: Collection[int]) -> None:
        """Say which memories up to `reached` wait for a new vector in a set, in the place of those before."""

    def since(self, namespace: Namespace, number: int, after: int) -> Iterable[tuple[int, bytes]]:
        """The vectors of memories above `after`, ascending."""

    def of(self, namespace: Namespace, number: int, memories: Collection[int]) -> dict[int, bytes]:
        """The vectors of these memories; missing ones are left out."""

    def generation(self, namespace: Namespace) -> int:
        """A number that rises whenever vectors vanish or come late, so that what was read before is read anew."""
