"""Records to put into a store that is under test, and the store's first lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from struct import pack
from typing import Any, Final

from karte.core.assertions import Assertion, Details, Link, LinkKind, Withdrawal, identify, identify_link
from karte.core.memories import Memory, Statement, Triple
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.timeline import Segment
from karte.ports import Agent, Document, Head, Kept, Store, Writing

DUDU: Final = Namespace("dudu")
YUKI: Final = Namespace("ゆき")
WORKSPACE: Final = Namespace()
STRANGER: Final = Namespace("nobody")
CHAT: Final = Origin("user_direct", "chat:42", "m1")
TEXTS: Final = (
    "Deploys go to Vercel",
    "部署到東京",
    "部署到东京",
    "デプロイ先は東京",
    "배포는 서울로 간다",
    "C++ & rm -rf 🚀",
)


def found(store: Store) -> Store:
    """The same store with two agents."""
    with store.writing() as unit:
        unit.agents.add(Agent("dudu", "engineer", 1))
        unit.agents.add(Agent("ゆき", None, 2))
    return store


def memory(number: int, content: str = "", triple: Triple | None = None, **more: Any) -> Memory:
    """A memory of DUDU under a number; `more` goes to the statement."""
    statement = Statement(content or f"memory {number}", triple=triple, **more)
    return replace(statement.of("dudu"), number=number, id=f"mem_{number:04}")


def city(number: int, subject: str = "Ada", predicate: str = "lives in", value: str | None = "Paris") -> Memory:
    """A memory with a triple."""
    return memory(number, f"{subject} {predicate} {value}", Triple(subject, predicate, value))


def keep(unit: Writing, *memories: Memory, chain: int | None = None, namespace: Namespace = DUDU) -> None:
    """Keep memories, each in a chain of its own or all in one."""
    for one in memories:
        unit.memories.add(namespace, Kept(one, chain or one.number, one.number), Head(one.number, 1))


def assertion(of: Memory, **changes: Any) -> Assertion:
    """What one source says of a memory, with its identity."""
    given = {"observed_at": 3, "valid_from": 5, "valid_until": FOREVER, "trust": 10_000, "details": Details()}
    said = Assertion(of.key, **{"origin": CHAT, "learned_at": 7, **given, **changes})
    return replace(said, identity=identify(said))


def link(kind: LinkKind, left: str | Memory, right: str | Memory, origin: Origin = CHAT, learned_at: int = 8) -> Link:
    """A link, with its identity."""
    ends = [end.key.hex() if isinstance(end, Memory) else end for end in (left, right)]
    joined = Link(kind, ends[0], ends[1], origin, 4, 9_000, learned_at)
    return replace(joined, identity=identify_link(joined))


def withdrawal(target: Assertion | Link, origin: Origin = CHAT, learned_at: int = 9) -> Withdrawal:
    """A withdrawal of an assertion or a link."""
    return Withdrawal(target.identity, origin, 10_000, "見間違い", "corrected", learned_at)


def segment(start: int, end: int, statement: int = 1, rank: int = 0, expires_at: int | None = None) -> Segment:
    """A segment; of two, the one with the greater `rank` wins."""
    return Segment(start, end, (1, start, 3, 10_000, rank, 7), statement, expires_at)


def document(number: int, terms: Sequence[int]) -> Document:
    """The forward row of a text that holds each of these terms once."""
    return Document(number, len(terms), pack(f"<{len(terms)}q", *terms), bytes([1] * len(terms)))
