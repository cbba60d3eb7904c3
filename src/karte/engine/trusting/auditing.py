"""The audit log: who changed what counts, when, and from where; each line is chained to the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.core.periods import write_instant
from karte.engine import happening
from karte.engine.given import read_limit
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.ports import AuditEntry, Reading, Writing

MOST_LISTED: Final = 1_000
_PAGE: Final = 1_000
_BEGINNING: Final = bytes(32)

PROMPT_INJECTION: Final = "prompt_injection"
QUARANTINED: Final = "knowledge.quarantined"
RELEASED: Final = "knowledge.released"
REJECTED: Final = "knowledge.rejected"
ENDORSED: Final = "knowledge.endorsed"
KEPT: Final = "stale.kept"
GRANTED_REQUEST: Final = "request.granted"
SUPERSEDED: Final = "superseded"
ENDED: Final = "ended"
ERASED: Final = "erased"
FORGET_PLANNED: Final = "forget.planned"
FORGET_APPROVED: Final = "forget.approved"
FORGOTTEN: Final = "forget.applied"
SCRUBBED: Final = "forget.scrubbed"
UNBLOCKED: Final = "unblocked"
REAPPLIED: Final = "forget.reapplied"
RESTORED: Final = "restored"
LINKED: Final = "linked"
UNLINKED: Final = "unlinked"
GRANTED: Final = "token.created"
REVOKED: Final = "token.revoked"
DOMAIN_CREATED: Final = "domain.created"
DOMAIN_GRANTED: Final = "domain.granted"
ROLE_GIVEN: Final = "agent.role"
CONFLICT_FOUND: Final = "conflict.found"
CONFLICT_RESOLVED: Final = "conflict.resolved"

_EVENTS: Final = frozenset({QUARANTINED, RELEASED, REJECTED})
"""What others are told of when it is kept."""


def record(unit: Writing, caller: Principal, action: str, target: str = "", owner: str = "", /, **detail: Any) -> None:
    """Add a line in the same transaction as what it tells of.

    `target` is an id, `owner` whose it is (default: the caller's namespace), `detail` plain values, never content.
    """
    last = unit.audit.last()
    entry = AuditEntry(
        1 if last is None else last.sequence + 1,
        unit.last_learned(),
        caller.actor,
        action,
        owner or caller.namespace.owner,
        target,
        json.dumps(detail, sort_keys=True, ensure_ascii=False),
        _BEGINNING if last is None else last.digest,
        b"",
    )
    unit.audit.append(replace(entry, digest=digest_of(entry)))
    if action in _EVENTS:
        happening.note(happening.Event(action, entry.at, entry.owner, entry.actor, target, detail))


def digest_of(entry: AuditEntry) -> bytes:
    """The SHA-256 of a line and of the digest of the line before."""
    parts = [entry.sequence, entry.at, entry.actor, entry.action, entry.owner, entry.target, entry.detail]
    return hashlib.sha256(json.dumps([*parts, entry.previous.hex()], ensure_ascii=False).encode()).digest()


def shape_of(entry: AuditEntry) -> dict[str, Any]:
    """A line as plain values: sequence, at, actor, action, owner, target, detail, digest."""
    return {
        "sequence": entry.sequence,
        "at": write_instant(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "owner": entry.owner,
        "target": entry.target or None,
        "detail": json.loads(entry.detail),
        "digest": entry.digest.hex(),
    }


def detail_of(entry: AuditEntry) -> dict[str, Any]:
    """What a line says beside its target."""
    detail: dict[str, Any] = json.loads(entry.detail)
    return detail


@dataclass(frozen=True)
class Verified:
    """Whether the log is whole: how many lines it has, and the first one that does not fit the one before, if any."""

    lines: int
    broken_at: int | None = None

    @property
    def whole(self) -> bool:
        """Whether each line fits the one before."""
        return self.broken_at is None

    def to_dict(self) -> dict[str, Any]:
        """lines, whole, broken_at."""
        return {"lines": self.lines, "whole": self.whole, "broken_at": self.broken_at}


def checked(log: Iterable[AuditEntry]) -> Verified:
    """Walk through a log from its first line; a line that was changed, dropped or moved does not fit the one before."""
    lines, previous = 0, _BEGINNING
    for entry in log:
        if (entry.sequence, entry.previous, entry.digest) != (lines + 1, previous, digest_of(entry)):
            return Verified(lines, lines + 1)
        lines, previous = lines + 1, entry.digest
    return Verified(lines)


@repeated
def verify(services: Services, caller: Principal) -> Verified:
    """Walk through the log of a workspace and compare every digest.

    A log that was cut short at its end cannot be told from a shorter one, unless its last digest was kept elsewhere.
    """
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        return checked(entries(unit))


@repeated
def listed(services: Services, caller: Principal, limit: int = 100) -> list[AuditEntry]:
    """The last `limit` lines (1..1,000), newest first. Needs the scope admin, and not as one agent."""
    caller.oversee(Scope.ADMIN)
    read_limit(limit, MOST_LISTED)
    with services.store.reading() as unit:
        last = unit.audit.last()
        newest = 0 if last is None else last.sequence
        return list(reversed(unit.audit.after(newest - limit, limit)))


def entries(unit: Reading) -> Iterator[AuditEntry]:
    """All lines of the log, oldest first."""
    after = 0
    while page := unit.audit.after(after, _PAGE):
        yield from page
        after = page[-1].sequence
