"""Blocks: a source that was forgotten is not learned from again, until a person says so.

A block holds a keyed digest of what names the source, so that it does not tell which one it was.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.core.origins import Origin
from karte.core.periods import write_instant
from karte.engine.given import read_origin
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing, outside
from karte.errors import OriginNotAllowed, UnknownBlock
from karte.ports import Block, Reading

_DIGEST: Final = re.compile(r"[0-9a-f]{32}")


@lru_cache(maxsize=1 << 10)
def digest_of(key: bytes, origin: Origin) -> bytes:
    """The keyed digest of an origin: of a container as a whole, or of one item of it; every write asks for its own."""
    name = json.dumps(["item" if origin.item else "container", *origin.order], ensure_ascii=False)
    return hashlib.blake2b(name.encode(), key=key, digest_size=16).digest()


def is_blocked(unit: Reading, origin: Origin) -> bool:
    """Whether an origin is blocked, by itself or with its whole container."""
    key = unit.blocks.key()
    whole = Origin(origin.kind, origin.container)
    return bool(unit.blocks.known({digest_of(key, origin), digest_of(key, whole)}))


def refuse_blocked(unit: Reading, origin: Origin) -> None:
    """Raise `OriginNotAllowed` where a source was forgotten: it decides nothing either until it is unblocked."""
    if is_blocked(unit, origin):
        raise OriginNotAllowed("That source was forgotten; it decides nothing until a person unblocks it.")


@dataclass(frozen=True)
class Blocked:
    """A block as shown: its digest names it."""

    block: Block

    def to_dict(self) -> dict[str, Any]:
        """digest, kind, plan, by, at."""
        block = self.block
        named = {"digest": block.digest.hex(), "kind": block.kind, "plan": block.plan}
        return {**named, "by": block.by, "at": write_instant(block.at)}


def read_source(source: Origin | Mapping[str, str | None] | str) -> Origin | bytes:
    """Read what names a blocked source: the digest of its block in hexadecimal, or an origin."""
    if isinstance(source, str) and _DIGEST.fullmatch(source):
        return bytes.fromhex(source)
    origin = read_origin(source)
    if origin is None:
        raise UnknownBlock
    return origin


@repeated
def listed(services: Services, caller: Principal) -> list[Blocked]:
    """All blocks, oldest first. Needs the scope admin, and not as one agent."""
    caller.oversee(Scope.ADMIN)
    with services.store.reading() as unit:
        return [Blocked(block) for block in unit.blocks.all()]


@repeated
def unblock(services: Services, caller: Principal, named: Origin | bytes) -> None:
    """Let a source be learned from again, named by its origin or by the digest of its block.

    A person with the scope admin decides; raises `UnknownBlock`.
    """
    caller.decide(Scope.ADMIN)
    with services.store.writing() as unit:
        digest = digest_of(unit.blocks.key(), named) if isinstance(named, Origin) else named
        if not unit.blocks.known({digest}):
            raise UnknownBlock
        unit.blocks.remove(digest)
        outside.record(services.store, unit)
        unit.learn(services.clock.now())
        auditing.record(unit, caller, auditing.UNBLOCKED, digest.hex())
