"""Assertions, links and withdrawals: the three kinds of record that everything else is folded from.

Each is what a caller gave plus `learned_at`, which the store assigns. Its `identity` is a digest of all that the
caller gave, so the same again is the same record and keeps its first `learned_at`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.memories import Wording
from karte.core.origins import Origin, OriginKind


class MemoryType(StrEnum):
    """What a memory is about; it sets how fast it fades."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    COMMITMENT = "commitment"
    GOAL = "goal"
    EVENT = "event"
    INSTRUCTION = "instruction"
    RELATIONSHIP = "relationship"
    CONTEXT = "context"
    LEARNING = "learning"
    OBSERVATION = "observation"
    ERROR = "error"
    ARTIFACT = "artifact"
    REQUEST = "request"
    PROFILE = "profile"
    ENTITY = "entity"
    UNKNOWN = "unknown"


class Veracity(StrEnum):
    """How something was learned."""

    STATED = "stated"
    INFERRED = "inferred"
    IMPORTED = "imported"
    TOOL = "tool"
    UNKNOWN = "unknown"


VERACITY_WEIGHTS: Final = {
    Veracity.STATED: 1.0,
    Veracity.INFERRED: 0.7,
    Veracity.IMPORTED: 0.6,
    Veracity.TOOL: 0.5,
    Veracity.UNKNOWN: 0.5,
}
"""The confidence that each way of learning gives at first (0..1)."""

VERACITY_OF_KIND: Final = {
    OriginKind.USER_DIRECT: Veracity.STATED,
    OriginKind.OPERATOR: Veracity.STATED,
    OriginKind.IMPORT: Veracity.IMPORTED,
    OriginKind.AGENT_DERIVED: Veracity.INFERRED,
    OriginKind.USER_PROFILE: Veracity.INFERRED,
    OriginKind.TOOL_ECHO: Veracity.TOOL,
    OriginKind.CHANNEL: Veracity.STATED,
    OriginKind.EXTERNAL: Veracity.UNKNOWN,
    OriginKind.UNATTRIBUTED: Veracity.UNKNOWN,
    OriginKind.SCHEDULE: Veracity.INFERRED,
    OriginKind.DISPATCH: Veracity.INFERRED,
}


@dataclass(frozen=True, slots=True)
class Details:
    """What one source said beside the statement itself.

    `importance` is 0..10, `confidence` 0..1 or None; `metadata` is canonical JSON text; `expires_at` is in
    microseconds since the epoch.
    """

    veracity: Veracity = Veracity.UNKNOWN
    memory_type: MemoryType = MemoryType.UNKNOWN
    importance: float = 5.0
    confidence: float | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()
    metadata: str = "{}"
    source_event: str | None = None
    expires_at: int | None = None
    session: str | None = None
    speaker: str | None = None

    @property
    def first_confidence(self) -> float:
        """The confidence that this assertion gives if it is the first one."""
        return VERACITY_WEIGHTS[self.veracity] if self.confidence is None else self.confidence


@dataclass(frozen=True, slots=True)
class Assertion:
    """One source saying one memory, for a time; instants in microseconds, trust in basis points.

    `wording` is None where the source wrote what the memory shows. `rests_on` are the keys of memories and the
    identities of assertions that the command named which made this assertion: without one of them it would never have
    been given.
    """

    key: bytes
    origin: Origin
    observed_at: int
    valid_from: int
    valid_until: int
    trust: int
    details: Details
    wording: Wording | None = None
    parents: tuple[bytes, ...] = ()
    learned_at: int = 0
    identity: bytes = b""
    rests_on: tuple[bytes, ...] = ()

    def identified(self, wording: Wording | None) -> Assertion:
        """The same with its identity, keeping this of its wording."""
        return Assertion(
            self.key,
            self.origin,
            self.observed_at,
            self.valid_from,
            self.valid_until,
            self.trust,
            self.details,
            wording,
            self.parents,
            self.learned_at,
            identify(self),
            self.rests_on,
        )

    @property
    def ends_at(self) -> int:
        """Where its period ends, bounded by its expiry."""
        expiry = self.details.expires_at
        return self.valid_until if expiry is None else min(self.valid_until, expiry)

    @property
    def order(self) -> tuple[int, tuple[str, str, str], bytes]:
        """The fixed order in which the assertions of a statement speak: who said it first decides."""
        return (self.observed_at, self.origin.order, self.identity)


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))


def identify(assertion: Assertion) -> bytes:
    """Digest everything that the caller gave; `learned_at` is not part of it."""
    d, w = assertion.details, assertion.wording
    triple = w and w.triple and (w.triple.subject, w.triple.predicate, w.triple.object)
    return digest(
        assertion.key.hex(),
        assertion.origin.order,
        (assertion.observed_at, assertion.valid_from, assertion.valid_until, assertion.trust),
        (d.veracity, d.memory_type, d.importance, d.confidence, d.topic, d.tags, d.metadata, d.source_event),
        (d.expires_at, d.session, d.speaker, w and (w.content, w.place.domain, w.place.repo), triple),
        [parent.hex() for parent in assertion.parents],
        *([[base.hex() for base in assertion.rests_on]] if assertion.rests_on else []),
    )


class LinkKind(StrEnum):
    """What a link joins."""

    ALIAS = "alias"
    MULTI_VALUED = "multi_valued"
    SUPERSEDES = "supersedes"
    SAME_AS = "same_as"
    SAME_QUESTION = "same_question"


NAME_LINKS: Final = frozenset({LinkKind.ALIAS, LinkKind.MULTI_VALUED})
"""Links about names; the others join two memories by their keys (in hexadecimal)."""


@dataclass(frozen=True, slots=True)
class Link:
    """A recorded decision that joins two names or two memories, or declares a predicate multi-valued.

    For `supersedes` the newer memory is `left`; an alias has its canonical name left; a declaration has the
    predicate left and nothing right.
    """

    kind: LinkKind
    left: str
    right: str
    origin: Origin
    observed_at: int
    trust: int
    learned_at: int = 0
    identity: bytes = b""


def identify_link(link: Link) -> bytes:
    """Digest everything that the caller gave."""
    return digest(link.kind, link.left, link.right, link.origin.order, link.observed_at, link.trust)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A recorded decision that one assertion or link, named by its identity, stops counting."""

    target: bytes
    origin: Origin
    trust: int
    reason: str = ""
    event: str = "withdrawn"
    learned_at: int = 0


def digest(*parts: object) -> bytes:
    """A 16-byte digest of plain values."""
    return hashlib.blake2b(_ENCODER.encode(parts).encode(), digest_size=16).digest()
