"""The rows of an export for what persons decided about sources, as those in `rows`."""

from __future__ import annotations

from typing import Final

from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.engine.rows.records import (
    Row,
    read_maybe,
    read_origin,
    read_time,
    read_until,
    write_maybe,
    write_origin,
    write_time,
    write_until,
)
from karte.ports import AuditEntry, Block, KeptPlan

DONE: Final = "done"
"""The state of a plan to forget that is carried: of the others nothing has come yet."""


def write_review(agent: str | None, review: Review) -> Row:
    """A review; `number` is that of the memory in question, null where what would be kept is in `held`.

    `expires_at` is null where it waits until it is decided.
    """
    return {
        "agent": agent,
        "id": review.id,
        "kind": review.kind.value,
        "state": review.state.value,
        "memory_id": review.memory_id,
        "number": review.number,
        "target": review.target.hex(),
        "origin": write_origin(review.origin),
        "writer": review.writer,
        "opened_at": write_time(review.opened_at),
        "expires_at": write_until(review.expires_at),
        "why": review.why,
        "held": review.held,
        "decided_by": review.decided_by,
        "decided_at": write_maybe(review.decided_at),
        "against": review.against,
    }


def read_review(row: Row) -> Review:
    """The review of a row."""
    return Review(
        row["id"],
        ReviewKind(row["kind"]),
        row["memory_id"],
        None if row["number"] is None else int(row["number"]),
        bytes.fromhex(row["target"]),
        read_origin(row["origin"]),
        row["writer"],
        read_time(row["opened_at"]),
        read_until(row["expires_at"]),
        row["why"],
        row["held"],
        ReviewState(row["state"]),
        row["decided_by"],
        read_maybe(row["decided_at"]),
        row.get("against"),
    )


def write_block(block: Block) -> Row:
    """A source that is not learned from again."""
    return {
        "digest": block.digest.hex(),
        "kind": block.kind,
        "plan": block.plan,
        "by": block.by,
        "at": write_time(block.at),
    }


def read_block(row: Row) -> Block:
    """The block of a row."""
    return Block(bytes.fromhex(row["digest"]), row["kind"], row["plan"], row["by"], read_time(row["at"]))


def write_plan(plan: KeptPlan) -> Row:
    """A plan to forget with its receipt; both are JSON as text, kept to the letter, for the digest is that of the text."""
    return {
        "id": plan.id,
        "digest": plan.digest.hex(),
        "plan": plan.plan,
        "state": plan.state,
        "made_at": write_time(plan.made_at),
        "expires_at": write_time(plan.expires_at),
        "by": plan.by,
        "approved_by": plan.approved_by,
        "receipt": plan.receipt,
    }


def read_plan(row: Row) -> KeptPlan:
    """The plan of a row."""
    return KeptPlan(
        row["id"],
        bytes.fromhex(row["digest"]),
        row["plan"],
        row["state"],
        read_time(row["made_at"]),
        read_time(row["expires_at"]),
        row["by"],
        row["approved_by"],
        row["receipt"],
    )


def write_audit(entry: AuditEntry) -> Row:
    """A line of the audit log; `detail` is JSON as text, kept to the letter."""
    return {
        "sequence": entry.sequence,
        "at": write_time(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "owner": entry.owner,
        "target": entry.target,
        "detail": entry.detail,
        "previous": entry.previous.hex(),
        "digest": entry.digest.hex(),
    }


def read_audit(row: Row) -> AuditEntry:
    """The line of a row."""
    return AuditEntry(
        int(row["sequence"]),
        read_time(row["at"]),
        row["actor"],
        row["action"],
        row["owner"],
        row["target"],
        row["detail"],
        bytes.fromhex(row["previous"]),
        bytes.fromhex(row["digest"]),
    )
