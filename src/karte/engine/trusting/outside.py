"""Blocks beside the workspace: a list outside whatever is copied of it, so that an older copy cannot bring back a source.

It holds what the blocks hold, digests and no names, under a digest of the secret with which they were made. Blocks of
other workspaces that were in the same place stay in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from karte.engine.repeating import repeated
from karte.engine.rows.decisions import read_block, write_block
from karte.engine.services import Services
from karte.errors import WorkspaceUnreadable
from karte.ports import Block, Reading, Store, Writing

_KIND: Final = "karte blocks"


def key_id(key: bytes) -> str:
    """What tells the workspace of that secret from others, and does not tell the secret."""
    return hashlib.blake2b(b"the workspace of this key", key=key, digest_size=16).hexdigest()


@dataclass(frozen=True)
class Outside:
    """The list: blocks by digest, by the id of the key with which they were made."""

    blocks: Mapping[str, Mapping[bytes, Block]] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str | None) -> Outside:
        """Read what `to_text` gives; raises `WorkspaceUnreadable` for anything else."""
        if text is None:
            return cls()
        try:
            listed = json.loads(text)[_KIND]
            blocks = {name: {b.digest: b for b in map(read_block, rows)} for name, rows in listed.items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise WorkspaceUnreadable(
                "The list of blocked sources beside the workspace is damaged.",
                hint="Put a copy of the file that ends in .blocks in its place; or remove it, if nothing older comes back.",
            ) from None
        return cls(blocks)

    def to_text(self) -> str:
        """The list as JSON."""
        rows: dict[str, Any] = {
            name: [write_block(block) for _, block in sorted(blocks.items())]
            for name, blocks in sorted(self.blocks.items())
            if blocks
        }
        return json.dumps({_KIND: rows}, ensure_ascii=False, indent=1) + "\n"

    def of(self, key: bytes) -> Mapping[bytes, Block]:
        """The blocks of the workspace of that secret."""
        return self.blocks.get(key_id(key), {})

    def with_those_of(self, unit: Reading) -> Outside:
        """The list with exactly the blocks that a workspace has now in the place of its own."""
        own = {block.digest: block for block in unit.blocks.all()}
        return Outside({**self.blocks, key_id(unit.blocks.key()): own})


def record(store: Store, unit: Writing) -> None:
    """Write the blocks of a workspace into the list, unless it has just these.

    In a transaction, so that of two programs the later one writes later.
    """
    before = Outside.read(store.kept_outside())
    after = before.with_those_of(unit)
    if after.to_text() != before.to_text():
        store.keep_outside(after.to_text())


@repeated
def keep(services: Services) -> None:
    """Write the blocks as they are now into the list, where there is a place for one."""
    if services.store.shared:
        return
    with services.store.writing() as unit:
        record(services.store, unit)


def lost(store: Store, unit: Reading) -> list[Block]:
    """The blocks in the list that its workspace lacks: it is an older copy."""
    listed = Outside.read(store.kept_outside()).of(unit.blocks.key())
    known = {block.digest for block in unit.blocks.all()} if listed else set()
    return [block for digest, block in sorted(listed.items()) if digest not in known]
