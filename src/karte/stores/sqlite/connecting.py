"""Connections to one file, with the pragmas that durability and erasure rest on, each checked after it is set."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from karte.errors import Fault, NotAWorkspace, WorkspaceMissing, WorkspaceUnreadable

APPLICATION_ID: Final = 0x4B415254
"""`KART`: marks the file as a workspace."""

HEADER: Final = b"SQLite format 3\0"
_HEADER_SIZE: Final = 100
_VERSION_AT: Final = 60
_APPLICATION_AT: Final = 68
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


_LONGEST_DELAY: Final = 0.05
_ON_DISK: Final = 1
_IN_MEMORY: Final = 2
_LEVELS: Final = {"OFF": 0, "NORMAL": 1, "FULL": 2}


@dataclass(frozen=True)
class Header:
    """What the first bytes of a file say, read without opening it as a database."""

    application: int
    version: int


def read_header(path: Path) -> Header | None:
    """The header of a database file; None for an empty file.

    Raises `WorkspaceMissing`, `WorkspaceUnreadable`, or `NotAWorkspace` for what is no database at all.
    """
    try:
        if not path.exists():
            raise WorkspaceMissing(f"There is no workspace at {path}.")
        if not path.is_file():
            raise NotAWorkspace(f"{path} is not a file.")
        with path.open("rb") as file:
            start = file.read(_HEADER_SIZE)
    except PermissionError:
        raise WorkspaceUnreadable(f"{path} may not be read by this user.") from None
    if not start:
        return None
    if len(start) < _HEADER_SIZE or not start.startswith(HEADER):
        raise not_a_workspace(path)
    version, application = (int.from_bytes(start[place : place + 4], "big") for place in (_VERSION_AT, _APPLICATION_AT))
    return Header(application, version)


def not_a_workspace(path: Path) -> NotAWorkspace:
    """The error that says so, with the name of the file."""
    return NotAWorkspace(f"{path} is not a Karte workspace; it was left untouched.")


def connect(path: Path, durability: Durability, *, writable: bool) -> apsw.Connection:
    """Open a connection with everything set; `apsw` errors are not translated here."""
    connection = _open(path, durability, writable=writable)
    with ExitStack() as undone:
        undone.callback(connection.close)
        connection.set_busy_handler(_Patience())
        _set(connection, "cache_size", -CACHE_KIB)
        _set(connection, "temp_store", _IN_MEMORY)
        _set(connection, "wal_autocheckpoint", CHECKPOINT_PAGES)
        if writable:
            _make_durable(connection, path, durability)
        undone.pop_all()
    return connection


def _make_durable(connection: apsw.Connection, path: Path, durability: Durability) -> None:
    _set(connection, "secure_delete", int(durability.secure_delete))
    if _value(connection, "journal_mode=wal") != "wal":
        raise Fault(f"{path} cannot use write-ahead logging here; move it to a local disk.")
    _set(connection, "synchronous", _LEVELS[durability.synchronous])


class _Patience:
    """Waits for a lock, with a jitter so that many waiting writers do not come back at once; can be interrupted."""

    def __init__(self) -> None:
        self._waited = 0.0

    def __call__(self, attempt: int) -> bool:
        if attempt == 0:
            self._waited = 0.0
        if self._waited * 1_000 >= BUSY_MILLISECONDS:
            return False
        delay = min(0.001 * 2**attempt, _LONGEST_DELAY) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        self._waited += delay
        time.sleep(delay)
        return True


def rewrite(connection: apsw.Connection) -> None:
    """Rewrite the whole file (VACUUM); the copy in between goes to an unnamed temporary file, not to memory."""
    _set(connection, "temp_store", _ON_DISK)
    connection.execute("VACUUM").fetchall()
    _set(connection, "temp_store", _IN_MEMORY)


def _open(path: Path, durability: Durability, *, writable: bool) -> apsw.Connection:
    if writable:
        return apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, vfs=durability.vfs)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    suffix = "" if Path(f"{path}-wal").exists() else "?immutable=1"
    return apsw.Connection(path.resolve().as_uri() + suffix, flags, vfs=durability.vfs)


def _set(connection: apsw.Connection, name: str, value: int) -> None:
    connection.execute(f"PRAGMA {name}={value}").fetchall()
    if (found := _value(connection, name)) != value:
        raise Fault(f"SQLite keeps {name} at {found} instead of {value}; this build cannot hold Karte's promises.")


def _value(connection: apsw.Connection, pragma: str) -> Any:
    return connection.execute(f"PRAGMA {pragma}").fetchall()[0][0]
