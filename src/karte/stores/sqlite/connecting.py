"""Connections to one file, with the pragmas that durability and erasure rest on, each checked after it is set."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from karte.errors import Fault, NotAWorkspace, WorkspaceMissing

APPLICATION_ID: Final = 0x4B415254
"""`KART`: marks the file as a workspace."""

HEADER: Final = b"SQLite format 3\0"
BUSY_MILLISECONDS: Final = 60_000
CACHE_KIB: Final = 49_152
CHECKPOINT_PAGES: Final = 8_000
"""The log grows to about 32 MB before it is moved into the file: hot pages are copied once, not eight times."""


@dataclass(frozen=True)
class Durability:
    """How commits and erasures reach the disk; the default is what is promised, weaker ones are for control tests."""

    synchronous: str = "FULL"
    secure_delete: bool = True
    vfs: str | None = None


_LEVELS: Final = {"OFF": 0, "NORMAL": 1, "FULL": 2}


def check_file(path: Path) -> None:
    """Raise `WorkspaceMissing` or `NotAWorkspace` for what cannot be a workspace, without touching it."""
    if not path.exists():
        raise WorkspaceMissing(f"There is no workspace at {path}.")
    if not path.is_file():
        raise NotAWorkspace(f"{path} is not a file.")
    with path.open("rb") as file:
        start = file.read(len(HEADER))
    if start and start != HEADER:
        raise NotAWorkspace(f"{path} is not a Karte workspace; it was left untouched.")


def connect(path: Path, durability: Durability, *, writable: bool) -> apsw.Connection:
    """Open a connection with everything set; `apsw` errors are not translated here."""
    connection = _open(path, durability, writable=writable)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    _set(connection, "cache_size", -CACHE_KIB)
    _set(connection, "temp_store", 2)
    _set(connection, "wal_autocheckpoint", CHECKPOINT_PAGES)
    if writable:
        _set(connection, "secure_delete", int(durability.secure_delete))
        if _value(connection, "journal_mode=wal") != "wal":
            raise Fault(f"{path} cannot use write-ahead logging here; move it to a local disk.")
        _set(connection, "synchronous", _LEVELS[durability.synchronous])
    return connection


def _open(path: Path, durability: Durability, *, writable: bool) -> apsw.Connection:
    if writable:
        return apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, vfs=durability.vfs)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    alone = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    suffix = "?immutable=1" if alone else ""
    return apsw.Connection(path.resolve().as_uri() + suffix, flags, vfs=durability.vfs)


def _set(connection: apsw.Connection, name: str, value: int) -> None:
    connection.execute(f"PRAGMA {name}={value}").fetchall()
    if (found := _value(connection, name)) != value:
        raise Fault(f"SQLite keeps {name} at {found} instead of {value}; this build cannot hold Karte's promises.")


def _value(connection: apsw.Connection, pragma: str) -> Any:
    return connection.execute(f"PRAGMA {pragma}").fetchall()[0][0]
