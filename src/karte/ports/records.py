"""The parts of a store that hold what was said and by whom: the truth that all else is derived from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from karte.core.assertions import Assertion, Link, Withdrawal
from karte.core.memories import Layer, Memory, Wording
from karte.core.namespaces import Namespace
from karte.core.origins import Origin


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

    def answering(self, namespace: Namespace, *asked: Asked) -> list[int]:
        """The numbers of memories that answer any of these questions, each once."""

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

    def reword(self, namespace: Namespace, number: int, wording: Wording) -> None:
        """Show a memory in other words of the same normal form; its vectors go, for they are of the old ones."""

    def erase(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Remove memories with all that names them.

        Assertions, links, withdrawals, likenesses, receipts, counters, marks, vectors, bursts and reviews.
        """

    def count(self, namespace: Namespace) -> int:
        """How many memories there are."""

    def in_scope(self, namespace: Namespace, scope: str, count: int) -> list[int]:
        """The `count` highest numbers of memories of a domain's scope (not the empty one), descending."""

    def aside(self, namespace: Namespace) -> dict[int, Layer]:
        """The memories of layers that are not recalled, by number."""


class Source(NamedTuple):
    """What one container of an origin taught: how many assertions, links and withdrawals, and when first and last."""

    kind: str
    container: str
    assertions: int
    links: int
    withdrawals: int
    first_learned: int
    last_learned: int


class Records(Protocol):
    """Assertions, links and withdrawals of one namespace."""

    def add_assertion(self, namespace: Namespace, number: int, assertion: Assertion) -> None:
        """Keep an assertion of the memory `number`."""

    def remove_assertions(self, namespace: Namespace, number: int, identities: Collection[bytes]) -> None:
        """Remove assertions of a memory, with the withdrawals of them, the receipts that they earned, and their bursts."""

    def has_assertion(self, namespace: Namespace, number: int, identity: bytes) -> bool:
        """Tell whether this very assertion is kept."""

    def assertions(self, namespace: Namespace, numbers: Collection[int]) -> list[Assertion]:
        """All assertions of these memories."""

    def said_by(self, namespace: Namespace, origin: Origin, since: int) -> list[tuple[int, Assertion]]:
        """The assertions of exactly that origin (a container: of all its items) learned at or after `since`."""

    def sources(self, namespace: Namespace) -> list[Source]:
        """What each container taught: those with any record, by (kind, container)."""

    def reword(self, namespace: Namespace, number: int, identity: bytes, wording: Wording | None) -> None:
        """Say how the source of an assertion wrote it; None where it wrote what the memory shows."""

    def children(self, namespace: Namespace, keys: Collection[bytes]) -> list[int]:
        """The numbers of memories derived from these."""

    def derived(self, namespace: Namespace) -> list[int]:
        """The numbers of all memories that anything was derived into, ascending."""

    def resting_on(self, namespace: Namespace, bases: Collection[bytes]) -> list[int]:
        """The numbers of memories with an assertion that rests on one of these keys or identities."""

    def add_link(self, namespace: Namespace, link: Link) -> None:
        """Keep a link."""

    def links_by(self, namespace: Namespace, origin: Origin) -> list[Link]:
        """The links of exactly that origin (a container: of all its items)."""

    def remove_links(self, namespace: Namespace, identities: Collection[bytes]) -> None:
        """Remove links, with the withdrawals of them."""

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

    def withdrawals_by(self, namespace: Namespace, origin: Origin) -> list[Withdrawal]:
        """The withdrawals by exactly that origin (a container: by all its items)."""

    def whose(self, namespace: Namespace, identities: Collection[bytes]) -> list[int]:
        """The numbers of memories with one of these assertions, ascending; it goes through all that was said."""

    def links_of(self, namespace: Namespace, identities: Collection[bytes]) -> list[Link]:
        """The links of these identities; missing ones are left out."""

    def remove_withdrawals(self, namespace: Namespace, withdrawals: Collection[Withdrawal]) -> None:
        """Remove withdrawals, each by its target, origin and trust."""

    def withdrawals(self, namespace: Namespace, targets: Collection[bytes]) -> list[Withdrawal]:
        """All withdrawals of these assertions and links."""


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """A receipt under an idempotency key, with the digest of the request that earned it, and the assertion that it kept.

    `assertion` is an identity; empty where none was kept.
    """

    request: bytes
    receipt: str
    assertion: bytes = b""


class Receipts(Protocol):
    """Receipts by idempotency key."""

    def find(self, namespace: Namespace, key: str) -> KeptReceipt | None:
        """The receipt kept under a key."""

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, str, KeptReceipt]]:
        """The receipts that go when these memories are erased, each with the memory's number and its key."""

    def keep(self, namespace: Namespace, key: str, kept: KeptReceipt, memory: int) -> None:
        """Keep a receipt under a key, in the place of the one before; it goes when its memory is erased."""
