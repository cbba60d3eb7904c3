"""The rows of an export: records as JSON objects, and back, without any loss.

Times are ISO 8601 in UTC with microseconds, open ends null; trust is in basis points; keys, identities and digests are
in hexadecimal; `agent` is null for the workspace's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from karte.core.assertions import Assertion, Details, Link, LinkKind, MemoryType, Veracity, Withdrawal
from karte.core.memories import Layer, Memory, Place, Triple, Wording
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.periods import FOREVER, instant_of, moment_of
from karte.ports import KeptReceipt, Likeness, Usage

Row = Mapping[str, Any]

namespace_of = lru_cache(maxsize=1 << 12)(Namespace)
_origin = lru_cache(maxsize=1 << 12)(Origin)


def write_time(instant: int) -> str:
    """An instant as ISO 8601 in UTC, always with microseconds."""
    moment = moment_of(instant)
    if moment is None:
        raise ValueError(instant)
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def read_time(text: str) -> int:
    """The instant of an ISO 8601 time; raises `ValueError`."""
    return instant_of(datetime.fromisoformat(text))


def owner_of(row: Row) -> Namespace:
    """Whose a row is."""
    return namespace_of(row["agent"] or "")


def write_until(instant: int) -> str | None:
    """When something ends, or null where it has no end."""
    return None if instant == FOREVER else write_time(instant)


def read_until(text: str | None) -> int:
    """When something ends; `FOREVER` where it has no end."""
    return FOREVER if text is None else read_time(text)


def write_maybe(instant: int | None) -> str | None:
    """A time, or null."""
    return None if instant is None else write_time(instant)


def read_maybe(text: str | None) -> int | None:
    """The instant of a time that may be null."""
    return None if text is None else read_time(text)


def write_origin(origin: Origin) -> Row:
    """An origin within a row."""
    return {"kind": origin.kind.value, "container": origin.container, "item": origin.item}


def read_origin(row: Row) -> Origin:
    """The origin within a row."""
    return _origin(row["kind"], row["container"], row["item"])


def write_memory(agent: str | None, memory: Memory) -> Row:
    """A memory; `subject_name` and so on are the names in the normal form in which they are compared."""
    written, names = memory.triple, memory.names
    return {
        "agent": agent,
        "number": memory.number,
        "id": memory.id,
        "key": memory.key.hex(),
        "content_key": memory.content_key.hex(),
        "layer": memory.layer.value,
        "content": memory.content,
        "nothing": memory.nothing,
        "domain": memory.place.domain,
        "repo": memory.place.repo,
        "subject": written and written.subject,
        "predicate": written and written.predicate,
        "object": written and written.object,
        "subject_name": names and names.subject,
        "predicate_name": names and names.predicate,
        "object_name": names and names.object,
    }


def read_memory(row: Row) -> Memory:
    """The memory of a row."""
    return Memory(
        int(row["number"]),
        row["id"],
        bytes.fromhex(row["key"]),
        bytes.fromhex(row["content_key"]),
        Layer(row["layer"]),
        Place(row["domain"], row["repo"]),
        row["content"],
        _read_triple(row["subject"], row["predicate"], row["object"]),
        _read_triple(row["subject_name"], row["predicate_name"], row["object_name"]),
        bool(row["nothing"]),
    )


def _read_triple(subject: str | None, predicate: str | None, value: str | None) -> Triple | None:
    return None if subject is None or predicate is None else Triple(subject, predicate, value)


def write_assertion(agent: str | None, number: int, assertion: Assertion) -> Row:
    """An assertion of the memory of that number."""
    details = assertion.details
    return {
        "agent": agent,
        "number": number,
        "identity": assertion.identity.hex(),
        "origin": write_origin(assertion.origin),
        "observed_at": write_time(assertion.observed_at),
        "valid_from": write_time(assertion.valid_from),
        "valid_until": write_until(assertion.valid_until),
        "learned_at": write_time(assertion.learned_at),
        "expires_at": write_maybe(details.expires_at),
        "trust": assertion.trust,
        "veracity": details.veracity.value,
        "memory_type": details.memory_type.value,
        "importance": float(details.importance),
        "confidence": None if details.confidence is None else float(details.confidence),
        "topic": details.topic,
        "tags": details.tags,
        "metadata": details.metadata,
        "source_event": details.source_event,
        "session": details.session,
        "speaker": details.speaker,
        "wording": assertion.wording and _write_wording(assertion.wording),
        "parents": [parent.hex() for parent in assertion.parents],
        "rests_on": [base.hex() for base in assertion.rests_on],
    }


def read_assertion(key: bytes, row: Row) -> Assertion:
    """The assertion of a row; `key` is that of its memory."""
    return Assertion(
        key,
        read_origin(row["origin"]),
        read_time(row["observed_at"]),
        read_time(row["valid_from"]),
        read_until(row["valid_until"]),
        int(row["trust"]),
        _read_details(row),
        row["wording"] and _read_wording(row["wording"]),
        tuple(bytes.fromhex(parent) for parent in row["parents"]),
        read_time(row["learned_at"]),
        bytes.fromhex(row["identity"]),
        tuple(bytes.fromhex(base) for base in row["rests_on"]),
    )


def _read_details(row: Row) -> Details:
    return Details(
        Veracity(row["veracity"]),
        MemoryType(row["memory_type"]),
        row["importance"],
        row["confidence"],
        row["topic"],
        tuple(row["tags"]),
        row["metadata"],
        row["source_event"],
        read_maybe(row["expires_at"]),
        row["session"],
        row["speaker"],
    )


def _write_wording(wording: Wording) -> Row:
    triple = wording.triple
    return {
        "content": wording.content,
        "domain": wording.place.domain,
        "repo": wording.place.repo,
        "subject": triple and triple.subject,
        "predicate": triple and triple.predicate,
        "object": triple and triple.object,
    }


def _read_wording(row: Row) -> Wording:
    triple = _read_triple(row["subject"], row["predicate"], row["object"])
    return Wording(row["content"], triple, Place(row["domain"], row["repo"]))


def write_link(agent: str | None, link: Link) -> Row:
    """A link; its ends are names in normal form, or keys of memories."""
    return {
        "agent": agent,
        "identity": link.identity.hex(),
        "kind": link.kind.value,
        "left": link.left,
        "right": link.right,
        "origin": write_origin(link.origin),
        "observed_at": write_time(link.observed_at),
        "learned_at": write_time(link.learned_at),
        "trust": link.trust,
    }


def read_link(row: Row) -> Link:
    """The link of a row."""
    return Link(
        LinkKind(row["kind"]),
        row["left"],
        row["right"],
        read_origin(row["origin"]),
        read_time(row["observed_at"]),
        int(row["trust"]),
        read_time(row["learned_at"]),
        bytes.fromhex(row["identity"]),
    )


def write_withdrawal(agent: str | None, withdrawal: Withdrawal) -> Row:
    """A withdrawal; its target is the identity of an assertion or a link."""
    return {
        "agent": agent,
        "target": withdrawal.target.hex(),
        "origin": write_origin(withdrawal.origin),
        "learned_at": write_time(withdrawal.learned_at),
        "trust": withdrawal.trust,
        "reason": withdrawal.reason,
        "event": withdrawal.event,
    }


def read_withdrawal(row: Row) -> Withdrawal:
    """The withdrawal of a row."""
    return Withdrawal(
        bytes.fromhex(row["target"]),
        read_origin(row["origin"]),
        int(row["trust"]),
        row["reason"],
        row["event"],
        read_time(row["learned_at"]),
    )


def write_likeness(agent: str | None, likeness: Likeness) -> Row:
    """A likeness of two memories, by their numbers."""
    return {"agent": agent, "one": likeness.one, "other": likeness.other, "difference": likeness.difference}


def read_likeness(row: Row) -> Likeness:
    """The likeness of a row."""
    return Likeness(int(row["one"]), int(row["other"]), row["difference"])


def write_receipt(agent: str | None, number: int, key: str, kept: KeptReceipt) -> Row:
    """A receipt under its idempotency key; it goes when the memory of that number is erased, or the assertion goes."""
    return {
        "agent": agent,
        "number": number,
        "key": key,
        "request": kept.request.hex(),
        "receipt": kept.receipt,
        "assertion": kept.assertion.hex(),
    }


def read_receipt(row: Row) -> KeptReceipt:
    """The receipt of a row."""
    return KeptReceipt(bytes.fromhex(row["request"]), row["receipt"], bytes.fromhex(row["assertion"]))


def write_usage(agent: str | None, number: int, usage: Usage) -> Row:
    """How often the memory of that number was recalled, and when last."""
    return {"agent": agent, "number": number, "recalls": usage.recalls, "last": write_maybe(usage.last)}


def read_usage(row: Row) -> Usage:
    """The counter of a row."""
    return Usage(int(row["recalls"]), read_maybe(row["last"]))


def write_archived(agent: str | None, number: int, at: int) -> Row:
    """Since when the memory of that number is out of recall."""
    return {"agent": agent, "number": number, "archived_at": write_time(at)}


def read_archived(row: Row) -> int:
    """Since when the memory of a row is out of recall."""
    return read_time(row["archived_at"])
