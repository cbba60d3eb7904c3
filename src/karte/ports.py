"""What the engine needs from outside: a store, a clock, ids.

A store keeps records and the few things derived from them for speed. It is asked in domain terms, always for one
namespace. All of a use case happens in one unit of work: `reading()` gives a consistent view, `writing()` gives one
transaction that sees its own writes, is durable when it ends, and leaves nothing behind when it raises.
Instants are microseconds since the epoch; the number of a memory is its place in its namespace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from karte.core.assertions import Assertion, Link, Withdrawal
from karte.core.bulk import Fact, Held
from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.timeline import Room, Segment


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Microseconds since the epoch."""


class Ids(Protocol):
    """Makes ids."""

    def new(self, prefix: str) -> str:
        """A new id, unique and sortable by the time it was made."""


@dataclass(frozen=True, slots=True)
class Agent:
    """A named owner of memory."""

    name: str
    role: str | None
    created_at: int


class Agents(Protocol):
    """The agents of a workspace."""

    def find(self, name: str) -> Agent | None:
        """The agent of that name."""

    def all(self) -> list[Agent]:
        """All agents by name."""

    def add(self, agent: Agent) -> None:
        """Keep a new agent, or the changed role of a known one."""


MIXED: Final = -1
"""The tier of a chain in which claims of several tiers compete."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is known about a chain as a whole: when it changed last, and the tier that all its claims share.

    None where no claim counts.
    """

    changed_at: int
    tier: int | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory with the chain and the statement that it belongs to at present.

    Both are named by the number of a memory: a chain by its least member, a statement by its representative.
    """

    memory: Memory
    chain: int
    statement: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the triples of memories, in normal form; None asks for all. `""` among objects is none."""

    subjects: Collection[str]
    predicate: str | None = None
    scope: str | None = None
    objects: Collection[str] | None = None


class Memories(Protocol):
    """The memories of one namespace."""

    def reserve(self, namespace: Namespace, count: int) -> int:
        """Take `count` new numbers; gives the first."""

    def add(self, namespace: Namespace, kept: Kept, head: Head) -> None:
        """Keep a new memory; `head` is that of its chain if it heads one."""

    def get(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, Kept]:
        """The memories of these numbers; missing ones are left out."""

    def subjects(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, str]:
        """The subjects (normal form) of these memories; those without a triple are left out."""

    def by_key(self, namespace: Namespace, keys: Collection[bytes]) -> dict[bytes, Kept]:
        """The memories of these keys; missing ones are left out."""

    def by_id(self, namespace: Namespace, ids: Collection[str]) -> dict[str, Kept]:
        """The memories of these ids; those of another namespace are missing like those that never were."""

    def answering(self, namespace: Namespace, asked: Asked) -> list[int]:
        """The numbers of memories that answer a question."""

    def with_predicate(self, namespace: Namespace, predicate: str) -> list[int]:
        """The numbers of memories with this predicate (normal form)."""

    def with_object(self, namespace: Namespace, objects: Collection[str]) -> list[int]:
        """The numbers of memories with one of these objects (normal form)."""

    def chain_answering(self, namespace: Namespace, asked: Asked) -> int | None:
        """The chain of any memory that answers a question."""

    def in_chain(self, namespace: Namespace, chain: int, content_key: bytes | None = None) -> list[int]:
        """The numbers of a chain's members, of those with that content only where it is given."""

    def recent(self, namespace: Namespace, before: int, count: int) -> list[int]:
        """The `count` highest numbers below `before`, descending."""

    def place(self, namespace: Namespace, number: int, chain: int, statement: int) -> None:
        """Say to which chain and statement a memory belongs now."""

    def erase(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Remove memories with all that names them: assertions, links, withdrawals, likenesses, receipts, counters."""

    def count(self, namespace: Namespace) -> int:
        """How many memories there are."""


class Records(Protocol):
    """Assertions, links and withdrawals of one namespace."""

    def add_assertion(self, namespace: Namespace, number: int, assertion: Assertion) -> None:
        """Keep an assertion of the memory `number`."""

    def remove_assertions(self, namespace: Namespace, number: int, identities: Collection[bytes]) -> None:
        """Remove assertions of a memory, with the withdrawals of them."""

    def has_assertion(self, namespace: Namespace, number: int, identity: bytes) -> bool:
        """Tell whether this very assertion is kept."""

    def assertions(self, namespace: Namespace, numbers: Collection[int]) -> list[Assertion]:
        """All assertions of these memories."""

    def said_by(self, namespace: Namespace, origin: Origin, since: int) -> list[tuple[int, Assertion]]:
        """The assertions of exactly that origin (a container: of all its items) learned at or after `since`."""

    def children(self, namespace: Namespace, keys: Collection[bytes]) -> list[int]:
        """The numbers of memories derived from these."""

    def add_link(self, namespace: Namespace, link: Link) -> None:
        """Keep a link."""

    def has_links(self, namespace: Namespace) -> bool:
        """Tell whether there is any link at all, so that most questions need not look for some."""

    def name_links(self, namespace: Namespace, names: Collection[str]) -> list[Link]:
        """All links that have one of these names on either side (aliases, declarations)."""

    def all_name_links(self, namespace: Namespace) -> list[Link]:
        """All aliases and declarations."""

    def memory_links(self, namespace: Namespace, keys: Collection[bytes]) -> list[Link]:
        """All links that join one of these memories to another one."""

    def add_withdrawal(self, namespace: Namespace, withdrawal: Withdrawal) -> None:
        """Keep a withdrawal; a second one of the same target by the same origin with the same trust changes nothing."""

    def withdrawals(self, namespace: Namespace, targets: Collection[bytes]) -> list[Withdrawal]:
        """All withdrawals of these assertions and links."""


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


@dataclass(frozen=True, slots=True)
class Document:
    """The forward row of one text: distinct term hashes (int64, little endian) and a count byte for each."""

    number: int
    length: int
    hashes: bytes
    counts: bytes


@dataclass(frozen=True, slots=True)
class Posting:
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
class KeptReceipt:
    """A receipt under an idempotency key, with the digest of the request that earned it."""

    request: bytes
    receipt: str


class Receipts(Protocol):
    """Receipts by idempotency key."""

    def find(self, namespace: Namespace, key: str) -> KeptReceipt | None:
        """The receipt kept under a key."""

    def keep(self, namespace: Namespace, key: str, kept: KeptReceipt, memory: int) -> None:
        """Keep a receipt under a key; it goes when its memory is erased."""


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

    def fingerprint(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Keep the bands of a memory's fingerprint."""

    def forget(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Remove the bands of a memory's fingerprint."""

    def link(self, namespace: Namespace, likeness: Likeness) -> None:
        """Keep a likeness."""

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[Likeness]:
        """The likenesses of these memories."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a memory was recalled, and when last."""

    recalls: int = 0
    last: int | None = None


class Usages(Protocol):
    """Counters of use; they never change what is in force."""

    def of(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, Usage]:
        """The counters of these memories."""

    def count(self, namespace: Namespace, numbers: Collection[int], at: int) -> None:
        """Count one recall of each of these memories."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes vectors comparable: the embedder's name and version, and the number of dimensions."""

    name: str
    version: str
    dimensions: int


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near their meanings (or spellings) are."""

    @property
    def identity(self) -> Identity:
        """What its vectors are told by; vectors of another identity are never compared with them."""

    @property
    def rest(self) -> float:
        """The cosine (0..1) that texts have which have nothing to do with each other."""

    def reads(self, text: str) -> bool:
        """Whether it knows the script of a text; it is not asked about others, whose vectors would mislead."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """One row of unit length for each text, [texts, dimensions]; raises `EmbedderFailed`."""


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
        """Keep vectors of memories in a set, and say up to which memory it is filled in now."""

    def since(self, namespace: Namespace, number: int, after: int) -> Iterable[tuple[int, bytes]]:
        """The vectors of memories above `after`, ascending."""

    def of(self, namespace: Namespace, number: int, memories: Collection[int]) -> dict[int, bytes]:
        """The vectors of these memories; missing ones are left out."""

    def generation(self, namespace: Namespace) -> int:
        """A number that rises whenever vectors vanish, so that what was read before is read anew."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One assertion of a memory as part of a conversation: session, speaker, and the instants it is about.

    `role` is that of the speaker as the chat gave it (`user`, `assistant`), from the metadata.
    `trust` is that of the assertion, `withdrawn` the highest trust of those who withdrew it (basis points; None: nobody).
    """

    number: int
    session: str | None
    speaker: str | None
    observed_at: int
    valid_from: int
    trust: int
    role: str | None = None
    withdrawn: int | None = None


class Episodes(Protocol):
    """Assertions by time and by conversation, those that are withdrawn included."""

    def turns(self, namespace: Namespace, numbers: Collection[int]) -> list[Turn]:
        """The assertions of these memories, by (number, observed_at)."""

    def session(self, namespace: Namespace, session: str) -> list[Turn]:
        """The assertions of a session, by (observed_at, number)."""

    def beside(self, namespace: Namespace, turn: Turn, count: int) -> tuple[list[Turn], list[Turn]]:
        """At most `count` turns of its session before a turn, nearest first, and as many after it."""

    def sessions(self, namespace: Namespace, tiers: Sequence[int]) -> list[tuple[str, int]]:
        """The sessions of a namespace with the instant of their first assertion, in the order of that.

        Of this and of the speakers, without what somebody of its own tier or a higher one withdrew (by thresholds).
        """

    def speakers(self, namespace: Namespace, tiers: Sequence[int]) -> list[str]:
        """Who speaks in a namespace, by name."""

    def between(self, namespace: Namespace, start: int, end: int, count: int) -> list[Turn]:
        """At most `count` assertions observed in [start, end), and as many valid from an instant of it; latest first."""


class Facts(Protocol):
    """Memories in bulk, for what is derived from a whole namespace; None among numbers asks for all."""

    def changed(self, namespace: Namespace, since: int) -> list[int]:
        """The numbers of memories whose chain changed after a system time, ascending."""

    def erasures(self, namespace: Namespace) -> int:
        """A number that rises whenever memories are erased."""

    def triples(self, namespace: Namespace, numbers: Collection[int] | None = None) -> Iterable[Fact]:
        """The triples of memories, by number; statements of nothing are left out."""

    def texts(self, namespace: Namespace, numbers: Collection[int] | None = None) -> Iterable[tuple[int, str]]:
        """The texts of memories without a triple, by number; statements of nothing are left out."""

    def spells(self, namespace: Namespace, numbers: Collection[int]) -> list[Held]:
        """When the statements of these memories are in force, by (number, start)."""

    def parents(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, int]]:
        """These memories with those that they were derived from, by both numbers."""


class Archive(Protocol):
    """What was moved out of recall: a mark on memories that changes nothing else of them."""

    def add(self, namespace: Namespace, numbers: Collection[int], at: int) -> None:
        """Mark those of these memories that are there; one that is marked already keeps its instant."""

    def remove(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Take the marks away."""

    def of(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, int]:
        """Those of these memories that are marked, with the instant since when."""

    def entered(self, namespace: Namespace, until: int, before: int, count: int) -> list[tuple[int, int]]:
        """The `count` highest numbers below `before` marked at or before `until`, descending, each with its instant."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who does what only one may do at a time, and until when without a word from it."""

    holder: str
    until: int


class Leases(Protocol):
    """Leases of the workspace, by the name of what is done."""

    def find(self, name: str) -> Lease | None:
        """The lease kept under a name."""

    def keep(self, name: str, lease: Lease) -> None:
        """Keep a lease in the place of the one before."""

    def remove(self, name: str) -> None:
        """Remove a lease, if there is one."""


class Reading(Protocol):
    """A consistent view of a store."""

    @property
    def agents(self) -> Agents:
        """The agents."""

    @property
    def memories(self) -> Memories:
        """The memories."""

    @property
    def records(self) -> Records:
        """Assertions, links and withdrawals."""

    @property
    def timelines(self) -> Timelines:
        """The present fold."""

    @property
    def lexicon(self) -> Lexicon:
        """The lexical index."""

    @property
    def receipts(self) -> Receipts:
        """Receipts by idempotency key."""

    @property
    def likenesses(self) -> Likenesses:
        """Near-duplicates."""

    @property
    def usages(self) -> Usages:
        """Counters of use."""

    @property
    def vectors(self) -> Vectors:
        """Vectors of memories."""

    @property
    def episodes(self) -> Episodes:
        """Memories by time and conversation."""

    @property
    def facts(self) -> Facts:
        """Memories in bulk."""

    @property
    def archive(self) -> Archive:
        """What was moved out of recall."""

    @property
    def leases(self) -> Leases:
        """Who does what only one may do at a time."""

    def last_learned(self) -> int:
        """The latest learned_at given out; 0 in a new workspace."""

    def made_with(self) -> str:
        """What the kept fold and the index were made with, as the engine put it."""


class Writing(Reading, Protocol):
    """One transaction."""

    def learn(self, now: int, count: int = 1) -> int:
        """Take `count` system times, each later than all before; gives the first: max(now, last + 1)."""

    def set_made_with(self, mark: str) -> None:
        """Say what the kept fold and the index were made with."""


class Store(Protocol):
    """A workspace's records on disk, in memory or in a database."""

    def reading(self) -> AbstractContextManager[Reading]:
        """A consistent view for one use case."""

    def writing(self) -> AbstractContextManager[Writing]:
        """One transaction: durable when it ends, undone when it raises."""

    def scrub(self) -> None:
        """Remove the bytes of what was erased from every file of the store."""

    def close(self) -> None:
        """Release everything."""
