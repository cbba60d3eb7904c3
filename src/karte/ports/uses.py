"""More parts of a store: memories as conversations and in bulk, their use, the archive, and leases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from karte.core.bulk import Fact, Held
from karte.core.namespaces import Namespace


class Turn(NamedTuple):
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

    def observations(self, namespace: Namespace, before: int, count: int) -> list[int]:
        """The `count` highest numbers below `before` of memories with an assertion of the event observation, descending."""

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

    def put(self, namespace: Namespace, usages: Mapping[int, Usage]) -> None:
        """Set the counters of memories that have been recalled, whatever they were before."""


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
