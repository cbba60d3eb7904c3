"""The manifest of an export: what it holds, how much of it, and the digests by which damage is seen."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

from karte.engine.moving.carried import DERIVED, FORMAT, KIND
from karte.engine.rows.records import read_time, write_time
from karte.errors import ExportDamaged, ExportTooNew, NotAnExport
from karte.ports import Identity

NUMBER_BYTES: Final = 8
VALUE_BYTES: Final = 2


@dataclass(frozen=True)
class Member:
    """One member of an export: rows, bytes, and the SHA-256 of the bytes in hexadecimal."""

    name: str
    rows: int
    size: int
    sha256: str

    @classmethod
    def empty(cls, name: str) -> Member:
        """A member without rows."""
        return cls(name, 0, 0, sha256().hexdigest())


@dataclass(frozen=True)
class Filled:
    """How far a set of vectors is filled in for one owner (the empty name is the workspace), and its vectors.

    `missing` are the memories up to there that wait for a new vector.
    """

    agent: str
    reached: int
    vectors: int
    missing: tuple[int, ...] = ()


@dataclass(frozen=True)
class CarriedSet:
    """A set of vectors: one row a memory, its number (int64) and its vector (float16), all little endian."""

    member: str
    identity: Identity
    active: bool
    filled: tuple[Filled, ...]

    @property
    def row_bytes(self) -> int:
        """How many bytes a row takes."""
        return NUMBER_BYTES + VALUE_BYTES * self.identity.dimensions


@dataclass(frozen=True)
class Manifest:
    """All that an export says of itself; equal manifests are exports of equal workspaces.

    `origin_key` is the secret with which a workspace digests the names of blocked sources: a copy must know them again.
    It is drawn by chance, so it does not count.
    """

    last_learned: int
    members: tuple[Member, ...]
    sets: tuple[CarriedSet, ...] = ()
    origin_key: bytes = field(default=b"", compare=False, repr=False)

    def member(self, name: str) -> Member:
        """The member of that name."""
        return next(member for member in self.members if member.name == name)

    def completed(self, tables: Collection[str]) -> Manifest:
        """The manifest that it would be if the tables that it lacks were there, in this order, and empty."""
        there = {member.name: member for member in self.members}
        rest = tuple(member for member in self.members if member.name not in tables)
        return replace(self, members=(*(there.get(name, Member.empty(name)) for name in tables), *rest))

    @property
    def digest(self) -> str:
        """The SHA-256 of all that the manifest says of the contents, in hexadecimal: it names them."""
        return sha256(json.dumps(self._shape(), separators=(",", ":")).encode()).hexdigest()

    def to_bytes(self) -> bytes:
        """The manifest as JSON for people and programs."""
        shape = {**self._shape(), "origin_key": self.origin_key.hex(), "not_carried": DERIVED}
        return (json.dumps(shape, ensure_ascii=False, indent=2) + "\n").encode()

    def _shape(self) -> Mapping[str, Any]:
        members = [{"name": m.name, "rows": m.rows, "bytes": m.size, "sha256": m.sha256} for m in self.members]
        sets = [_write_set(carried) for carried in self.sets]
        learned = write_time(self.last_learned)
        return {"kind": KIND, "format": FORMAT, "last_learned": learned, "members": members, "vector_sets": sets}

    @classmethod
    def read(cls, data: bytes, name: str) -> Manifest:
        """Read a manifest; `name` is that of the file, for messages.

        Raises `NotAnExport` for another program's, `ExportTooNew` for a later format, `ExportDamaged` for one that
        lacks something.
        """
        try:
            shape = json.loads(data)
        except (ValueError, RecursionError):
            raise NotAnExport(f"{name} is not an export of Karte: its manifest is no JSON.") from None
        if not isinstance(shape, dict) or shape.get("kind") != KIND:
            raise NotAnExport(f"{name} is not an export of Karte.")
        if not isinstance(shape.get("format"), int) or shape["format"] > FORMAT:
            raise ExportTooNew(f"{name} has format {shape.get('format')}, and this Karte reads up to {FORMAT}.")
        try:
            learned, key = read_time(shape["last_learned"]), bytes.fromhex(shape["origin_key"])
            return cls(learned, _read_members(shape), _read_sets(shape), key)
        except (KeyError, TypeError, ValueError):
            raise ExportDamaged(f"The manifest of {name} is incomplete; nothing was written.") from None


def _write_set(carried: CarriedSet) -> Mapping[str, Any]:
    return {
        "member": carried.member,
        "name": carried.identity.name,
        "version": carried.identity.version,
        "dimensions": carried.identity.dimensions,
        "active": carried.active,
        "filled": [
            {"agent": f.agent or None, "up_to": f.reached, "vectors": f.vectors, "missing": f.missing}
            for f in carried.filled
        ],
    }


def _read_members(shape: Mapping[str, Any]) -> tuple[Member, ...]:
    return tuple(Member(m["name"], int(m["rows"]), int(m["bytes"]), m["sha256"]) for m in shape["members"])


def _read_sets(shape: Mapping[str, Any]) -> tuple[CarriedSet, ...]:
    return tuple(
        CarriedSet(
            each["member"],
            Identity(each["name"], each["version"], int(each["dimensions"])),
            bool(each["active"]),
            tuple(map(_read_filled, each["filled"])),
        )
        for each in shape["vector_sets"]
    )


def _read_filled(shape: Mapping[str, Any]) -> Filled:
    missing = tuple(int(number) for number in shape["missing"])
    return Filled(shape["agent"] or "", int(shape["up_to"]), int(shape["vectors"]), missing)
