"""What every surface gives back: typed values whose `to_dict()` is the JSON shape of all of them.

Instants are microseconds since the epoch here and ISO 8601 in UTC in the shapes; what is absent is null.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from karte.core.assertions import Assertion, Details
from karte.core.intent import Intent
from karte.core.memories import Memory, Wording
from karte.core.moments import Kind, Moment
from karte.core.origins import Origin
from karte.core.periods import EARLIEST, FOREVER, moment_of, write_instant
from karte.core.text import Snippet, highlight

Shape = dict[str, Any]


class Status(StrEnum):
    """How a memory stands at an instant."""

    IN_FORCE = "in_force"
    FUTURE = "future"
    HISTORICAL = "historical"
    SHADOWED = "shadowed"
    WITHDRAWN = "withdrawn"


class Outcome(StrEnum):
    """What a store did."""

    STORED = "stored"
    REAFFIRMED = "reaffirmed"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    SHADOWED = "shadowed"
    CONTESTED = "contested"
    UNCHANGED = "unchanged"
    ENDED = "ended"
    WITHDRAWN = "withdrawn"
    QUARANTINED = "quarantined"
    BLOCKED = "blocked"
    REJECTED = "rejected"

    @property
    def kept(self) -> bool:
        """Whether what was to be stored is among the memories now; else it is held back, or nothing of it is kept."""
        return self not in (Outcome.QUARANTINED, Outcome.BLOCKED, Outcome.REJECTED)


@dataclass(frozen=True)
class Said:
    """Who said a memory, and when (microseconds)."""

    origin: Origin
    observed_at: int

    def to_dict(self) -> Shape:
        """kind, container, item, observed_at."""
        return {
            "kind": self.origin.kind.value,
            "container": self.origin.container or None,
            "item": self.origin.item or None,
            "observed_at": write_instant(self.observed_at),
        }


@dataclass(frozen=True)
class Validity:
    """When a memory holds as asked: its spell around the instant, and its neighbours in the chain."""

    status: Status
    start: int | None = None
    end: int | None = None
    supersedes: str | None = None
    superseded_by: str | None = None


@dataclass(frozen=True)
class Item:
    """One memory as a caller sees it. `trust` and `confidence` are 0..1, `importance` 0..10."""

    memory: Memory
    owner: str
    wording: Wording
    details: Details
    validity: Validity
    trust: float
    confidence: float
    said: tuple[Said, ...]
    learned_at: int
    reaffirmed_by: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    access_count: int = 0
    recall_count: int = 0
    recalled_at: int | None = None

    @property
    def used_at(self) -> int:
        """When it was last recalled or said (microseconds)."""
        said = [said.observed_at for said in self.said] or [self.learned_at]
        return max(said) if self.recalled_at is None else max(self.recalled_at, *said)

    @property
    def id(self) -> str:
        """The id to fetch it by."""
        return self.memory.id

    @property
    def content(self) -> str:
        """The text as its first source wrote it."""
        return self.wording.content

    @property
    def subject(self) -> str | None:
        """The subject as written."""
        return self.wording.triple.subject if self.wording.triple else None

    @property
    def predicate(self) -> str | None:
        """The predicate as written."""
        return self.wording.triple.predicate if self.wording.triple else None

    @property
    def object(self) -> str | None:
        """The object as written."""
        return self.wording.triple.object if self.wording.triple else None

    @property
    def status(self) -> Status:
        """How it stands at the instant asked."""
        return self.validity.status

    @property
    def valid_from(self) -> datetime | None:
        """When it starts to hold, in UTC."""
        return None if self.validity.start is None else moment_of(self.validity.start)

    @property
    def valid_until(self) -> datetime | None:
        """When it stops to hold, in UTC; None while it is open."""
        return None if self.validity.end is None else moment_of(self.validity.end)

    def to_dict(self) -> Shape:
        """The shape `memory`."""
        return {**self._stated(), **self._judged(), **self._timed(), **self._told()}

    def _stated(self) -> Shape:
        place = self.wording.place
        return {
            "id": self.id,
            "owner": self.owner,
            "layer": self.memory.layer.value,
            "content": self.content,
            "subject": self.subject,
            "predicate": self.predicate,
            "object": self.object,
            "domain": place.domain,
            "topic": self.details.topic,
            "repo": place.repo,
        }

    def _judged(self) -> Shape:
        details = self.details
        return {
            "memory_type": details.memory_type.value,
            "veracity": details.veracity.value,
            "confidence": round(self.confidence, 12),
            "importance": details.importance,
            "trust": self.trust,
            "tags": list(self.tags),
            "metadata": json.loads(details.metadata),
            "session": details.session,
            "speaker": details.speaker,
        }

    def _timed(self) -> Shape:
        end = self.validity.end
        return {
            "valid_from": write_instant(self.validity.start),
            "valid_until": None if end == FOREVER else write_instant(end),
            "ingested_at": write_instant(self.learned_at),
            "status": self.status.value,
            "supersedes": self.validity.supersedes,
            "superseded_by": self.validity.superseded_by,
            "expires_at": write_instant(self.details.expires_at),
        }

    def _told(self) -> Shape:
        return {
            "reaffirmed_by": list(self.reaffirmed_by),
            "mention_count": len(self.said),
            "access_count": self.access_count,
            "recall_count": self.recall_count,
            "last_accessed": write_instant(self.used_at),
            "source_event": self.details.source_event,
            "origins": [said.to_dict() for said in self.said],
            "derived_from": list(self.derived_from),
            "marks": list(self.marks),
        }


@dataclass(frozen=True)
class Receipt:
    """What a write did: status, ids, and what changed by it.

    `memory_id` and `chain_id` are empty where nothing was kept (None in the shape); what is quarantined has the id that
    it gets on release.
    `marks` say what the gate did: `redacted`, or why something is held back.
    """

    status: Outcome
    memory_id: str
    chain_id: str
    superseded: tuple[str, ...] = ()
    revived: tuple[str, ...] = ()
    similar: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    review_id: str | None = None
    marks: tuple[str, ...] = ()

    def to_dict(self) -> Shape:
        """The shape `receipt`."""
        return {
            "status": self.status.value,
            "memory_id": self.memory_id or None,
            "chain_id": self.chain_id or None,
            "superseded": list(self.superseded),
            "revived": list(self.revived),
            "similar": list(self.similar),
            "conflicts": list(self.conflicts),
            "review_id": self.review_id,
            "marks": list(self.marks),
        }

    @classmethod
    def from_dict(cls, shape: Shape) -> Receipt:
        """Read a receipt back from its shape."""
        lists = {name: tuple(shape[name]) for name in ("superseded", "revived", "similar", "conflicts", "marks")}
        return cls(
            Outcome(shape["status"]),
            shape["memory_id"] or "",
            shape["chain_id"] or "",
            review_id=shape["review_id"],
            **lists,
        )


@dataclass(frozen=True)
class Voice:
    """What one voice gave a hit: its raw score, that score in [0,1], its rank from 1, its weight."""

    raw: float
    normalised: float
    rank: int
    weight: float

    def to_dict(self) -> Shape:
        """raw, normalised, rank, weight."""
        return {"raw": self.raw, "normalised": self.normalised, "rank": self.rank, "weight": self.weight}


@dataclass(frozen=True)
class Term:
    """A query term that a hit holds: its weight (idf), its count in the hit, what it adds to the raw score."""

    term: str
    idf: float
    count: int
    score: float

    def to_dict(self) -> Shape:
        """term, idf, count, score."""
        return {"term": self.term, "idf": self.idf, "count": self.count, "score": self.score}


@dataclass(frozen=True)
class Hit:
    """A memory that was found, and why.

    `score` is the sum of weight * normalised over `parts` times the product of `standing`. `terms` are the query terms
    that it holds, of `asked` terms of the query; `evidence` says in words why a voice found it, and the `trust` of who
    says it for the instant asked where that is of a lower tier than the memory's. `also` names retellings of the same;
    `around` are the turns beside it, where they were asked for.
    """

    memory: Item
    score: float
    parts: dict[str, Voice]
    standing: dict[str, float]
    terms: tuple[Term, ...]
    asked: int
    evidence: dict[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    around: tuple[Item, ...] = ()

    @property
    def why(self) -> str:
        """The reason in words."""
        return "; ".join([*self._why_terms(), *(f"{name}: {said}" for name, said in self.evidence.items())])

    def _why_terms(self) -> list[str]:
        if not self.terms:
            return []
        return [f"{len(self.terms)} of {self.asked} query terms: {', '.join(term.term for term in self.terms)}"]

    @cached_property
    def snippet(self) -> Snippet:
        """The part of the text that fits best, with the spans that matched; made when it is first asked for."""
        return highlight(self.memory.content, [term.term for term in self.terms])

    def to_dict(self) -> Shape:
        """The shape of a hit; `highlights` are character spans of `snippet`."""
        return {
            "memory": self.memory.to_dict(),
            "score": self.score,
            "parts": {name: voice.to_dict() for name, voice in self.parts.items()},
            "standing": dict(self.standing),
            "terms": [term.to_dict() for term in self.terms],
            "why": self.why,
            "evidence": dict(self.evidence),
            "snippet": self.snippet.text,
            "highlights": [list(span) for span in self.snippet.spans],
            "also": list(self.also),
            "around": [item.to_dict() for item in self.around],
        }


@dataclass(frozen=True)
class LeftOut:
    """A candidate that was found but not returned, and why."""

    memory_id: str
    reason: str

    def to_dict(self) -> Shape:
        """memory_id, reason."""
        return {"memory_id": self.memory_id, "reason": self.reason}


@dataclass(frozen=True)
class Recall:
    """The answer to a search.

    `silent_voices` are those that were asked for and said nothing, `degraded` tells why one could not speak. `times`
    are the periods that the query names. `timings_ms` are milliseconds of wall time by step.
    """

    query: str
    hits: tuple[Hit, ...]
    mode: str = "hybrid"
    profile: str = "balanced"
    intent: Intent | None = None
    times: tuple[Moment, ...] = ()
    silent_voices: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    policies: tuple[Shape, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def nothing_relevant(self) -> bool:
        """Whether nothing fits the query."""
        return not self.hits

    def to_dict(self) -> Shape:
        """The shape `search`."""
        return {
            "query": self.query,
            "mode": self.mode,
            "profile": self.profile,
            "intent": _intent_shape(self.intent),
            "times": [_moment_shape(moment) for moment in self.times],
            "silent_voices": list(self.silent_voices),
            "degraded": list(self.degraded),
            "left_out": [left.to_dict() for left in self.left_out],
            "hits": [hit.to_dict() for hit in self.hits],
            "nothing_relevant": self.nothing_relevant,
            "policies": list(self.policies),
            "timings_ms": self.timings_ms,
        }


def _intent_shape(intent: Intent | None) -> Shape | None:
    if intent is None:
        return None
    return {"name": intent.name.value, "confidence": intent.confidence, "cues": list(intent.cues)}


def _moment_shape(moment: Moment) -> Shape:
    shape: Shape = {"text": moment.text, "kind": moment.kind.value, "weight": moment.weight}
    if moment.kind is Kind.SESSION:
        return {**shape, "from": moment.start, "until": moment.end}
    start = None if moment.start == EARLIEST else write_instant(moment.start)
    return {**shape, "from": start, "until": None if moment.end == FOREVER else write_instant(moment.end)}


@dataclass(frozen=True)
class Fetched:
    """Memories by id, in the order of the request; what is missing or another agent's is named."""

    memories: tuple[Item, ...]
    missing_ids: tuple[str, ...]

    def to_dict(self) -> Shape:
        """The shape `fetch`."""
        return {
            "memories": [item.to_dict() for item in self.memories],
            "missing_ids": list(self.missing_ids),
            "total_found": len(self.memories),
            "total_missing": len(self.missing_ids),
        }


@dataclass(frozen=True)
class Listing:
    """Some memories in order."""

    memories: tuple[Item, ...]

    def to_dict(self) -> Shape:
        """The shape `at` and `list`."""
        return {"memories": [item.to_dict() for item in self.memories]}


@dataclass(frozen=True)
class Chapter:
    """One statement of a chain: when it holds, and what ended it."""

    item: Item
    segments: tuple[tuple[int, int], ...]
    invalidated_at: int | None = None
    invalidated_by_event: str | None = None

    def to_dict(self) -> Shape:
        """The shape `memory` with segments and what ended it."""
        return {
            **self.item.to_dict(),
            "segments": [{"from": write_instant(start), "until": write_instant(end)} for start, end in self.segments],
            "invalidated_at": write_instant(self.invalidated_at),
            "invalidated_by_event": self.invalidated_by_event,
        }


@dataclass(frozen=True)
class History:
    """A chain, oldest to newest."""

    subject: str | None
    predicate: str | None
    chain: tuple[Chapter, ...]

    def to_dict(self) -> Shape:
        """The shape `history`."""
        chain = [chapter.to_dict() for chapter in self.chain]
        return {"subject": self.subject, "predicate": self.predicate, "chain": chain}


@dataclass(frozen=True)
class SubjectTimeline:
    """All chains of a subject, by predicate."""

    subject: str
    chains: tuple[History, ...]

    def to_dict(self) -> Shape:
        """subject, chains."""
        return {"subject": self.subject, "chains": [history.to_dict() for history in self.chains]}


@dataclass(frozen=True)
class Withdrawn:
    """What a withdrawal did: how many assertions stopped counting, whose memories, and what is in force again.

    `standing` counts those of a more trusted source, which go on counting; `review_id` is that of the review in which a
    person decides about them.
    """

    assertions: int
    standing: int
    memory_ids: tuple[str, ...]
    revived: tuple[str, ...] = ()
    review_id: str | None = None

    def to_dict(self) -> Shape:
        """assertions, standing, memory_ids, revived, review_id."""
        return {
            "assertions": self.assertions,
            "standing": self.standing,
            "memory_ids": list(self.memory_ids),
            "revived": list(self.revived),
            "review_id": self.review_id,
        }


@dataclass(frozen=True)
class Erased:
    """What was erased for good, and whether its bytes are gone from every file of the workspace."""

    memory_ids: tuple[str, ...]
    missing_ids: tuple[str, ...]
    scrubbed: bool

    def to_dict(self) -> Shape:
        """memory_ids, missing_ids, scrubbed."""
        return {"memory_ids": list(self.memory_ids), "missing_ids": list(self.missing_ids), "scrubbed": self.scrubbed}


@dataclass(frozen=True)
class Alias:
    """Two names for one thing."""

    canonical: str
    alias: str
    origin: Origin

    def to_dict(self) -> Shape:
        """canonical, alias, origin."""
        return {"canonical": self.canonical, "alias": self.alias, "origin": str(self.origin)}


def said_by(assertions: tuple[Assertion, ...]) -> tuple[Said, ...]:
    """Who made these assertions."""
    return tuple(Said(assertion.origin, assertion.observed_at) for assertion in assertions)
