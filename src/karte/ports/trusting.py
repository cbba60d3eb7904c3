"""The parts of a store for what persons decide about sources, and for who may decide it.

Reviews and bursts belong to a namespace; blocks, plans, tokens and the audit log to the workspace.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.reviews import Review, ReviewState


class Reviews(Protocol):
    """What waits for a person in one namespace, and what was decided."""

    def add(self, namespace: Namespace, review: Review) -> None:
        """Keep a new review."""

    def replace(self, namespace: Namespace, review: Review) -> None:
        """Put a review in the place of the one with its id."""

    def of_id(self, namespace: Namespace, ids: Collection[str]) -> dict[str, Review]:
        """The reviews of these ids; missing ones are left out."""

    def listed(self, namespace: Namespace, states: Collection[ReviewState], count: int) -> list[Review]:
        """At most `count` reviews kept in one of these states, by (opened_at, id) descending."""

    def count(self, namespace: Namespace) -> int:
        """How many reviews there are, in whatever state."""

    def about(self, namespace: Namespace, numbers: Collection[int]) -> list[Review]:
        """The reviews about these memories, also as the one that is contradicted, by id."""

    def from_origin(self, namespace: Namespace, origin: Origin) -> list[Review]:
        """The reviews of what is from exactly that origin (a container: from any of its items), by id."""

    def remove(self, namespace: Namespace, ids: Collection[str]) -> None:
        """Remove reviews, with what they hold."""


class Told(NamedTuple):
    """One statement in a burst: when it was learned, and its memory and assertion, or the review that holds it."""

    learned_at: int
    identity: bytes
    number: int | None = None


class Bursts(Protocol):
    """What sources of the untrusted tier said lately, by buckets (keyed digests of source and subject)."""

    def add(self, namespace: Namespace, bucket: bytes, told: Told) -> None:
        """Keep a statement in a bucket; one of the same identity takes the place of the one before."""

    def since(self, namespace: Namespace, bucket: bytes, instant: int) -> list[Told]:
        """The statements of a bucket learned at or after an instant, by (learned_at, identity)."""

    def drop_before(self, namespace: Namespace, instant: int) -> None:
        """Remove all that was learned before an instant."""


@dataclass(frozen=True, slots=True)
class Block:
    """A source that is not learned from again: a keyed digest of what names it, by whom and when it was blocked.

    `kind` is that of the origin; `plan` names the forgetting that blocked it.
    """

    digest: bytes
    kind: str
    plan: str
    by: str
    at: int


class Blocks(Protocol):
    """The blocked sources of the workspace."""

    def key(self) -> bytes:
        """The secret of this workspace with which the names of sources are digested; it is carried to copies."""

    def set_key(self, key: bytes) -> None:
        """Take over the secret of another workspace, with its blocks."""

    def add(self, block: Block) -> None:
        """Keep a block; one of the same digest stays as it is."""

    def known(self, digests: Collection[bytes]) -> frozenset[bytes]:
        """Those of these digests that are blocked."""

    def all(self) -> list[Block]:
        """All blocks, by (at, digest)."""

    def remove(self, digest: bytes) -> None:
        """Remove a block, if there is one."""


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """A plan to forget: `plan` is its canonical JSON without content, `digest` the SHA-256 of that.

    `state` is planned, approved, applied or done; `receipt` is JSON once it is applied, else None.
    """

    id: str
    digest: bytes
    plan: str
    state: str
    made_at: int
    expires_at: int
    by: str
    approved_by: str | None = None
    receipt: str | None = None


class Plans(Protocol):
    """The plans to forget of the workspace."""

    def keep(self, plan: KeptPlan) -> None:
        """Keep a plan in the place of the one with its id."""

    def find(self, plan_id: str) -> KeptPlan | None:
        """The plan of that id."""

    def all(self) -> list[KeptPlan]:
        """All plans, by (made_at, id)."""

    def remove(self, plan_id: str) -> None:
        """Remove a plan, if there is one."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit log: who did what to what, when, and why; never content.

    `detail` is JSON; `digest` is that of all the rest and of `previous`, the digest of the line before.
    """

    sequence: int
    at: int
    actor: str
    action: str
    owner: str
    target: str
    detail: str
    previous: bytes
    digest: bytes


class Audit(Protocol):
    """The audit log of the workspace; lines are only ever added."""

    def append(self, entry: AuditEntry) -> None:
        """Add a line."""

    def last(self) -> AuditEntry | None:
        """The line added last."""

    def after(self, sequence: int, count: int) -> Sequence[AuditEntry]:
        """At most `count` lines above a sequence number, ascending."""


@dataclass(frozen=True, slots=True)
class Token:
    """A credential: only a digest of its secret is kept; scopes as text; instants in microseconds.

    `name` is whose it is; `agent` is the agent that it acts as, None for a person or a service on the workspace.
    """

    id: str
    digest: bytes
    name: str
    agent: str | None
    scopes: tuple[str, ...]
    created_at: int
    expires_at: int | None = None
    revoked_at: int | None = None


class Tokens(Protocol):
    """The tokens of the workspace."""

    def keep(self, token: Token) -> None:
        """Keep a token in the place of the one with its id."""

    def find(self, token_id: str) -> Token | None:
        """The token of that id."""

    def all(self) -> list[Token]:
        """All tokens, by (created_at, id)."""
