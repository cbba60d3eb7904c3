"""The store as a whole: its parts seen in one unit of work."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Protocol

from karte.ports.derived import Lexicon, Likenesses, Timelines, Vectors
from karte.ports.knowing import Domains
from karte.ports.records import Agents, Memories, Receipts, Records
from karte.ports.trusting import Audit, Blocks, Bursts, Plans, Reviews, Tokens
from karte.ports.uses import Archive, Episodes, Facts, Leases, Usages


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

    @property
    def reviews(self) -> Reviews:
        """What waits for a person."""

    @property
    def bursts(self) -> Bursts:
        """What untrusted sources said lately."""

    @property
    def blocks(self) -> Blocks:
        """Sources that are not learned from again."""

    @property
    def plans(self) -> Plans:
        """Plans to forget."""

    @property
    def audit(self) -> Audit:
        """The log of what changed standing."""

    @property
    def domains(self) -> Domains:
        """Fields of knowledge, and who may do what in them."""

    @property
    def tokens(self) -> Tokens:
        """Who may call, and as whom."""

    def last_learned(self) -> int:
        """The latest learned_at given out; 0 in a new workspace."""

    def made_with(self) -> str:
        """What the kept fold and the index were made with, as the engine put it."""


class Writing(Reading, Protocol):
    """One transaction."""

    def learn(self, now: int, count: int = 1) -> int:
        """Take `count` system times, each later than all before; gives the first: max(now, last + 1)."""

    def set_last_learned(self, instant: int) -> None:
        """Say which system time was given out last, in a workspace that holds nothing yet."""

    def empty(self) -> None:
        """Remove all that is kept but blocks, tokens and the lease, in a workspace that is marked as being filled."""

    def outdate(self) -> None:
        """Let everybody who read anything in bulk before read all of it anew."""

    def set_made_with(self, mark: str) -> None:
        """Say what the kept fold and the index were made with."""


class Store(Protocol):
    """A workspace's records on disk, in memory or in a database."""

    def reading(self) -> AbstractContextManager[Reading]:
        """A consistent view for one use case."""

    def writing(self) -> AbstractContextManager[Writing]:
        """One transaction: durable when it ends, undone when it raises."""

    def check(self) -> None:
        """Look through all that is kept for damage by the means of the store; raises `WorkspaceDamaged`.

        Nothing is looked at where there are no files in reach.
        """

    @property
    def shared(self) -> bool:
        """Whether a scrub holds up others than this workspace, so that it is left until somebody asks for it."""

    def scrub(self) -> None:
        """Remove the bytes of what was erased from every file of the store."""

    def traces(self, texts: Collection[str]) -> frozenset[str] | None:
        """Those of these texts that can be read in the files of the store; None where those are out of reach."""

    def keep_outside(self, text: str) -> None:
        """Keep a text beside the workspace, outside whatever is copied of it, in the place of the one before.

        Nothing is kept where there is no such place.
        """

    def kept_outside(self) -> str | None:
        """The text that is kept beside the workspace, if any."""

    def close(self) -> None:
        """Release everything."""
