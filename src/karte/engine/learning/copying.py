"""Keeping copies of what sources said: with their origins and times, as if they had said it there, too."""

from __future__ import annotations

from dataclasses import dataclass, replace

from karte.core.assertions import Assertion
from karte.core.memories import Memory
from karte.engine.remembering.storing import Session


@dataclass(frozen=True)
class Copy:
    """What a source said, as said elsewhere: the memory that it states there, and the assertion with its identity."""

    memory: Memory
    assertion: Assertion


def keep(session: Session, copy: Copy) -> str:
    """Keep a copy, unless it is kept already; gives the id of its memory.

    It does not pass the write gate, which let its source in.
    """
    session.learned_at += 1
    kept = session.unit.memories.by_key(session.namespace, [copy.memory.key]).get(copy.memory.key)
    words = copy.memory.wording if kept is None else kept.memory.wording
    wording = None if copy.assertion.wording == words else copy.assertion.wording
    said = replace(copy.assertion, wording=wording, learned_at=session.learned_at)
    if kept and session.unit.records.has_assertion(session.namespace, kept.memory.number, said.identity):
        return kept.memory.id
    return session.let_in(kept or copy.memory, said).memory_id
