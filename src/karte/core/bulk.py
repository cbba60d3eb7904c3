"""What is read of memories in bulk: their triples, and when they are in force."""

from __future__ import annotations

from dataclasses import dataclass

from karte.core.memories import Triple


@dataclass(frozen=True, slots=True)
class Fact:
    """The triple of a memory that states a value: as written, and in normal form."""

    number: int
    triple: Triple
    names: Triple


@dataclass(frozen=True, slots=True)
class Held:
    """When the statement of a memory is in force, guarded; `trust` in basis points."""

    number: int
    start: int
    end: int
    expires_at: int | None
    trust: int
